package main

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestAnOldFormTakesNothingBack: what others changed while a form stood open stays
// unless its owner changed the same.
func TestAnOldFormTakesNothingBack(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500").ID
		h.say(anna, channel, "lead <@"+ben+"|ben>")

		h.say(ben, channel, "update")
		h.filled(ben, "update", "impact")
		h.submitMeanwhile(ben, map[string]string{"text": "We restart the pods"}, func() {
			h.say(anna, channel, "status monitoring")
			h.say(anna, channel, "severity sev1")
		})
		h.posted(channel, "We restart the pods")
		if s := h.state("INC-1"); s.Status != "monitoring" {
			t.Errorf("an old update takes the status back to %s", s.Status)
		}

		h.say(ben, channel, "rename")
		h.filled(ben, "facts", "impact")
		h.submitMeanwhile(ben, map[string]string{"impact": "Brokers see no offers :boom:"}, func() {
			h.say(anna, channel, "rename Scoring is slow")
			h.say(anna, channel, "severity sev2")
			h.say(anna, channel, "mitigated 5m ago")
		})
		h.shows(channel, "Brokers see no offers")
		if f := h.facts(); f["title"] != "Scoring is slow" || f["severity"] != "sev2" || f["times"].(map[string]any)["mitigated"] == nil {
			t.Errorf("old facts take back what is %v, %v, %v", f["title"], f["severity"], f["times"])
		}

		h.say(ben, channel, "role")
		h.filled(ben, "roles", "free")
		h.submitMeanwhile(ben, map[string]string{"scribe": ben}, func() { h.say(anna, channel, "lead me") })
		h.say(ben, channel, "role")
		h.filled(ben, "roles", "free")
		open := h.slack.Modals(ben)[0]
		h.say(anna, channel, "role scribe <@"+anna+"|anna>")
		if reply := h.submit(ben, map[string]string{"free": "scribe"}); reply.ResponseAction != "errors" {
			t.Errorf("freeing a role of somebody else is answered %q", reply.ResponseAction)
		}
		if _, err := h.slack.CloseView(t.Context(), ben, open.ID); err != nil {
			t.Fatal(err)
		}
		if commander := h.facts()["commander"].(map[string]any); commander["id"] != anna {
			t.Errorf("old roles give the command back to %v", commander)
		}

		// What is previewed is what is published, whatever was previewed before.
		h.say(anna, channel, "statuspage")
		h.filled(anna, "notice", "text")
		h.submit(anna, map[string]string{"text": "All offers are gone for ever"})
		preview := h.slack.Modals(anna)[1]
		if _, err := h.slack.CloseView(t.Context(), anna, preview.ID); err != nil {
			t.Fatal(err)
		}
		h.submit(anna, map[string]string{"text": "Some offers are missing"})
		h.submit(anna, nil)
		h.posted(channel, "Some offers are missing")
		if h.told(channel, "gone for ever") {
			t.Error("a text that was taken back in the preview is published")
		}

		// An action item's number is its own, however many are gone.
		reply, err := h.slack.Post(t.Context(), anna, channel, "Split the pool", "")
		if err != nil {
			t.Fatal(err)
		}
		react := func(do func() error) {
			if err := do(); err != nil {
				t.Fatal(err)
			}
		}
		react(func() error {
			_, err := h.slack.React(t.Context(), anna, channel, reply.TS, "white_check_mark")
			return err
		})
		h.until("it is an action item", func() bool { return h.items() == 1 })
		react(func() error {
			_, err := h.slack.Unreact(t.Context(), anna, channel, reply.TS, "white_check_mark")
			return err
		})
		h.until("it is none any more", func() bool { return h.items() == 0 })
		if answer := h.say(anna, channel, "action Enlarge the pool"); !strings.Contains(answer, "2") {
			t.Errorf("action is answered %q", answer)
		}
		h.say(anna, channel, "action")
		h.filled(anna, "action_item", "text")
		h.submit(anna, map[string]string{"text": "Watch the pool"})
		h.whispered(anna, channel, "3")
	})
}

// submitMeanwhile submits a person's form after something happened that the form
// does not show.
func (h *house) submitMeanwhile(user string, values map[string]string, happens func()) {
	h.t.Helper()
	happens()
	if reply := h.submit(user, values); reply.ResponseAction != "" {
		h.t.Fatalf("the old form is answered %q: %v", reply.ResponseAction, h.slack.Modals(user)[0].Errors)
	}
}

// items counts the action items of INC-1.
func (h *house) items() int {
	var actions struct{ Actions []sandbox.Message }
	h.api("/incidents/INC-1/actions", &actions)
	return len(actions.Actions)
}
