package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
)

// TestRunbooks attaches a checklist when an incident turns out to be the
// service's worst, and ticks it off.
func TestRunbooks(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "offers.md")
	if err := os.WriteFile(file, []byte("# Look\n- [ ] Open the `pool` <!channel> dashboard\n- [x] Ask on-call\n## Act\n- [ ] Restart\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	eachPlan(t, func(t *testing.T, p plan) {
		p.env = map[string]string{"HOUSTON_RUNBOOKS": fmt.Sprintf(`[{name: Offers, path: %q, match: {severity: [sev1]}}, {name: Other, text: "- [ ] No", match: {service: [other]}}]`, file)}
		h := newHouse(t, p)
		channel := h.declared("Offers answer 500 --severity sev3").ID
		h.say(anna, channel, "severity sev1")
		m := h.asked(channel, "Runbook Offers")
		if !strings.Contains(m.Text, "0 of 3 done") || strings.Contains(string(m.Blocks), "<!channel>") {
			t.Errorf("the runbook reads %s: %s", m.Text, m.Blocks)
		}
		tick := func(action string) {
			t.Helper()
			click := sandbox.Click{User: ben, Channel: channel, MessageTS: m.TS, ActionID: action}
			reply, err := h.slack.Click(t.Context(), click)
			if err != nil {
				t.Fatalf("click %s: %v", action, err)
			}
			if _, err := reply.Redeliver(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		h.slack.Join(ben, channel)
		tick("runbook_tick_3")
		h.tells(channel, m, "1 of 3 done")
		tick("runbook_untick_3")
		h.tells(channel, m, "0 of 3 done")
		tick("runbook_tick_1")
		h.tells(channel, m, "1 of 3 done")
		if answer := h.say(anna, channel, "catchup"); !strings.Contains(answer, "Runbook: Restart") || !strings.Contains(answer, "Runbook, taken back: Restart") {
			t.Errorf("catchup tells %q", answer)
		}
		if h.told(channel, "Runbook Other") {
			t.Error("a runbook of another service was attached")
		}
	})
}

func TestChecklist(t *testing.T) {
	t.Parallel()
	got := checklist([]byte("Words\n\n- no step\n- [ ] one [link](https://a.example) and <https://b.example>\n  goes on\n\n# Then *it*\n1. [x] two\n   - [ ] nested `code`\n"))
	want := []incidents.RunbookStep{
		{Text: "one link (https://a.example) and https://b.example goes on"},
		{Heading: "Then it", Text: "two"},
		{Heading: "Then it", Text: "nested code"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}
