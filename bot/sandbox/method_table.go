package sandbox

import (
	"maps"
	"slices"
)

// method is one Web API method: what Slack documents of it and how it is
// carried out.
type method struct {
	scopes   []string // any one of them, whatever the channel; nil: none needed
	required []string // missing ones answer invalid_arguments
	json     bool     // takes a JSON body
	appLevel bool     // wants the app-level token
	open     bool     // needs no token
	team     bool     // wants team_id with an organisation's token
	errors   []string // beyond everyMethod
	run      func(*call) (object, error)
}

// everyMethod lists the codes that any method may answer. invalid_auth and
// invalid_arguments stand on the guide pages and not among each method's errors.
func everyMethod() []string {
	return []string{
		"not_authed", "invalid_auth", "account_inactive", "not_allowed_token_type", "missing_scope", "invalid_arguments",
		"invalid_charset", "invalid_form_data", "invalid_post_type", "unknown_method", "ratelimited", "fatal_error",
	}
}

func (m *method) mayAnswer(code string) bool {
	if m.team && (code == "missing_argument" || code == "team_access_not_granted") {
		return true
	}
	return slices.Contains(m.errors, code) || slices.Contains(everyMethod(), code)
}

// methodTable registers every method with the errors it may answer; docs.slack.dev
// lists them on each method's page.
func methodTable() map[string]*method {
	table := map[string]*method{}
	for _, group := range []map[string]*method{
		appMethods(), conversationMethods(), memberMethods(), historyMethods(), chatMethods(), pinMethods(),
		bookmarkMethods(), reactionMethods(), userMethods(), viewMethods(), fileMethods(), blockMethods(),
	} {
		maps.Copy(table, group)
	}
	return table
}
