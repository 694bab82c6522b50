package slack

import (
	"context"
	"regexp"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// What may stand at the end of an action item, in any order. A due date that is
// none is still taken for one, so that it is refused rather than lost in the text.
var (
	duePattern   = regexp.MustCompile(`(?i)(?:^|\s)(?:due|bis):?\s+([0-9][0-9./-]*)$`)
	ownerPattern = regexp.MustCompile(`(?:^|\s)(<@[UW][A-Z0-9]+(?:\|[^>]*)?>|@[^\s@<>]+)$`)
)

// actionText is the text of an action item, taken apart; text and owner are as
// Slack sent them.
type actionText struct{ text, owner, due string }

// parseAction reads "<text> [@user] [due YYYY-MM-DD]".
func parseAction(raw string) actionText {
	a := actionText{text: strings.TrimSpace(raw)}
	for range 2 {
		if m := duePattern.FindStringSubmatchIndex(a.text); m != nil && a.due == "" {
			a.due = a.text[m[2]:m[3]]
			a.text = strings.TrimSpace(a.text[:m[0]])
		}
		if m := ownerPattern.FindStringSubmatchIndex(a.text); m != nil && a.owner == "" {
			a.owner = a.text[m[2]:m[3]]
			a.text = strings.TrimSpace(a.text[:m[0]])
		}
	}
	return a
}

func (e *Edge) readAction(ctx context.Context, o order) (incidents.Command, sayer, error) {
	a := parseAction(o.rest)
	command := incidents.AddAction{Request: o.Request, Text: e.plain(a.text), Due: a.due}
	if a.owner != "" {
		person, err := e.config.Directory.Find(ctx, a.owner)
		if err != nil {
			return nil, nil, err
		}
		command.Owner = person
	}
	return command, func(inc incidents.Incident) string {
		return e.textFor(o.Actor.ID).Text("done_action", "key", inc.Key(), "number", inc.LastAction)
	}, nil
}
