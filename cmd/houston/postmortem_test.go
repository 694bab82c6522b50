package main

import (
	"slices"
	"strings"
	"testing"
)

// TestPostmortemAfterwards: what people said in Slack is in the draft, in both
// forms, with the verdict that a person was first and the gap that follows.
func TestPostmortemAfterwards(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		channel := h.declared("Brokers see no offers --service offers")
		for _, text := range []string{"lead", "timeline Restarted scoring", "timeline The offers are back", "mitigated", "resolve"} {
			h.say(ben, channel.ID, text)
		}
		var actions struct {
			Actions []struct {
				Type          string
				Gap, Proposed bool
			}
		}
		if status := h.api("/incidents/INC-1/actions", &actions); status != 200 || len(actions.Actions) != 1 {
			t.Fatalf("got %d and actions %+v, want the proposed one", status, actions)
		}
		if a := actions.Actions[0]; a.Type != "detect" || !a.Gap || !a.Proposed {
			t.Errorf("got %+v, want the proposed item that closes the gap", a)
		}
		var doc struct {
			State   string
			Verdict struct{ First, Gap string }
			Facts   struct {
				Timeline []struct{ Kind, Text string }
			}
		}
		if status := h.api("/incidents/INC-1/postmortem", &doc); status != 200 {
			t.Fatalf("got %d", status)
		}
		if doc.State != "draft" || doc.Verdict.First != "person" || doc.Verdict.Gap != "no_alert" {
			t.Errorf("got %+v, want a draft that says that a person was first", doc)
		}
		type entry = struct{ Kind, Text string }
		for _, want := range []entry{{"action", "Restarted scoring"}, {"observation", "The offers are back"}} {
			if !slices.Contains(doc.Facts.Timeline, want) {
				t.Errorf("got timeline %v, want %v in it", doc.Facts.Timeline, want)
			}
		}
		status, raw := h.call("GET", "/api/v1/incidents/INC-1/postmortem.md", "", map[string]string{"Authorization": "Bearer " + apiToken})
		for _, want := range []string{
			"# Postmortem of INC-1: Brokers see no offers", "A person noticed this before any alert did (employee).",
			"| UTC | Europe/Zurich |", "**(closes the monitoring gap)**", "> **To the author:** ", "| commander | ben |",
		} {
			if status != 200 || !strings.Contains(string(raw), want) {
				t.Errorf("%d without %q in:\n%s", status, want, raw)
			}
		}
		if status, _ := h.call("GET", "/api/v1/incidents/INC-1/postmortem.md", "", nil); status != 401 {
			t.Errorf("without a token: got %d, want 401", status)
		}
	})
}
