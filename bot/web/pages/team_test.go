package pages_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/web/pages"
	"github.com/houston-sre/houston/incidents"
)

// TestActionItemsByTeam groups by the team of the owner, and shows one team's.
func TestActionItemsByTeam(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *pages.Config) {
		c.Teams = []pages.Team{
			{Name: "Lending & offers", Members: func() []string { return []string{ben, gil} }},
			{Name: "Nobody yet", Members: func() []string { return nil }},
		}
	})
	k.declare(incidents.Declare{Title: "Offers are empty"})
	by := incidents.Request{Actor: k.actor(ben)}
	k.do(1, incidents.AddAction{Request: by, Text: "Give slow requests a pool", Owner: k.actor(ben).Person, Due: "2026-12-01"})
	k.do(1, incidents.AddAction{Request: by, Text: "Write down how to restart", Owner: k.actor(anna).Person})
	k.do(1, incidents.AddAction{Request: by, Text: "Look at the logs"})
	b := k.as(ben)
	page := b.get("/actions?by=team")
	page.wellFormed()
	var headings []string
	for _, h := range page.elements("h2") {
		headings = append(headings, h.FirstChild.Data)
	}
	if got := strings.Join(headings, "|"); !strings.Contains(got, "Lending & offers|No team") {
		t.Errorf("grouped as %q", got)
	}
	for path, want := range map[string][3]bool{
		"/actions?team=Lending+%26+offers":      {true, false, false},
		"/actions.csv?team=Lending+%26+offers":  {true, false, false},
		"/actions.json?team=Lending+%26+offers": {true, false, false},
		"/actions?team=Nobody+yet":              {false, false, false},
		"/actions?team=":                        {true, true, true},
	} {
		body := b.get(path).body
		for i, text := range []string{"Give slow requests", "Write down how", "Look at the logs"} {
			if strings.Contains(body, text) != want[i] {
				t.Errorf("%s shows %q: %t, want %t", path, text, !want[i], want[i])
			}
		}
	}
	if page := b.get("/actions?team=Payments"); page.status != http.StatusBadRequest {
		t.Errorf("a team that does not exist: %d", page.status)
	}
	if body := newKit(t, nil).as(ben).get("/actions").body; strings.Contains(body, `name="team"`) {
		t.Error("a filter by team without teams")
	}
}
