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

// TestLongRunbook has a runbook of more steps than one message takes: each of
// them is there once, in order, and can be ticked off.
func TestLongRunbook(t *testing.T) {
	t.Parallel()
	var steps strings.Builder
	for i := range 60 {
		fmt.Fprintf(&steps, "# Part %d\\n- [ ] Step number %d\\n", i+1, i+1)
	}
	eachPlan(t, func(t *testing.T, p plan) {
		p.env = map[string]string{"HOUSTON_RUNBOOKS": `[{name: Long, text: "` + steps.String() + `"}]`}
		h := newHouse(t, p)
		channel := h.declared("Offers answer 500").ID
		h.slack.Join(ben, channel)
		var parts []sandbox.Message
		h.until("all parts are posted", func() bool {
			parts = nil
			for _, m := range h.slack.Messages(channel) {
				if strings.Contains(m.Text, "Runbook Long") {
					parts = append(parts, m)
				}
			}
			return len(parts) == 3
		})
		if !strings.Contains(parts[0].Text, "0 of 60 done") || !strings.Contains(parts[1].Text, "part 2 of 3") || !strings.Contains(parts[2].Text, "part 3 of 3") {
			t.Errorf("the parts begin %q, %q, %q", parts[0].Text, parts[1].Text, parts[2].Text)
		}
		all := string(parts[0].Blocks) + string(parts[1].Blocks) + string(parts[2].Blocks)
		for i := range 60 {
			if n := strings.Count(all, fmt.Sprintf("Step number %d\"", i+1)); n != 1 {
				t.Errorf("step %d is there %d times", i+1, n)
			}
		}
		click := sandbox.Click{User: ben, Channel: channel, MessageTS: parts[2].TS, ActionID: "runbook_tick_12"}
		if _, err := h.slack.Click(t.Context(), click); err != nil {
			t.Fatal(err)
		}
		h.tells(channel, parts[0], "1 of 60 done")
		h.finds(channel, "part 3 of 3", ":white_check_mark: Step number 60")
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
