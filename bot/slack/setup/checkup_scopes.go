package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/houston-sre/houston/bot/slack"
)

// scopes compares what the token may do with what Houston needs. Slack names a
// token's scopes in the header of every answer; a stand-in that does not is
// asked for something that no token of Houston's may do.
func (c *checkup) scopes(ctx context.Context, header http.Header) {
	const check = "slack scopes"
	granted := splitScopes(header.Get("X-OAuth-Scopes"))
	if len(granted) == 0 {
		granted = c.provided(ctx)
	}
	if len(granted) == 0 {
		c.note(check, Warning, "Slack does not tell which scopes the token has", "compare them with those that `houston manifest` lists")
		return
	}
	missing := 0
	for _, s := range slack.Scopes() {
		if slices.Contains(granted, s.Name) {
			continue
		}
		missing++
		c.note("slack scope "+s.Name, Failing, fmt.Sprintf("the token lacks %s, which Houston needs to %s", s.Name, s.For),
			"paste what `houston manifest` prints over the app's manifest, then install the app to the workspace again")
	}
	if missing == 0 {
		c.note(check, Fine, fmt.Sprintf("the token has all %d that Houston needs", len(slack.Scopes())), "")
	}
}

// provided reads the token's scopes from a refusal, nil when there is none.
func (c *checkup) provided(ctx context.Context) []string {
	// team.info needs team:read, which is none of Houston's scopes.
	address := strings.TrimRight(c.config.APIURL, "/") + "/team.info"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, http.NoBody)
	if err != nil {
		return nil
	}
	req.Header.Set("Authorization", "Bearer "+c.config.Token)
	res, err := (&http.Client{Timeout: slack.CallTimeout}).Do(req)
	if err != nil {
		return nil
	}
	defer func() { _ = res.Body.Close() }()
	var refusal struct {
		Error    string `json:"error"`
		Provided string `json:"provided"`
	}
	if json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&refusal) != nil || refusal.Error != "missing_scope" {
		return nil
	}
	return splitScopes(refusal.Provided)
}

// splitScopes reads "chat:write,pins:write", with or without spaces.
func splitScopes(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
