package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// filled waits until a person's form is open and filled, and gives it.
func (h *house) filled(user, callback, input string) sandbox.Modal {
	h.t.Helper()
	var top sandbox.Modal
	h.until("the form "+callback+" is filled", func() bool {
		open := h.slack.Modals(user)
		if len(open) == 0 {
			return false
		}
		top = open[len(open)-1]
		return top.CallbackID == callback && (input == "" || strings.Contains(string(top.Blocks), `"block_id":"`+input+`"`))
	})
	return top
}

// submit submits a person's topmost form with values.
func (h *house) submit(user string, values map[string]string) sandbox.Reply {
	h.t.Helper()
	reply, err := h.slack.SubmitView(h.t.Context(), sandbox.SubmitView{User: user, Values: values})
	if err != nil {
		h.t.Fatalf("submit %v: %v", values, err)
	}
	return reply
}

// pressCard clicks a button of a channel's card.
func (h *house) pressCard(user, channel, action string) {
	h.t.Helper()
	pins := h.slack.Pins(channel)
	if len(pins) != 1 {
		h.t.Fatalf("%d pins", len(pins))
	}
	if _, err := h.slack.Click(h.t.Context(), sandbox.Click{User: user, Channel: channel, MessageTS: pins[0].TS, ActionID: action}); err != nil {
		h.t.Fatalf("click %s: %v", action, err)
	}
}

// whispered waits until an ephemeral message to a person in a channel has a text.
func (h *house) whispered(user, channel, text string) {
	h.t.Helper()
	h.until("it is whispered: "+text, func() bool {
		for _, m := range h.slack.Ephemerals(channel, user) {
			if strings.Contains(m.Text, text) {
				return true
			}
		}
		return false
	})
}

// posted waits until a message in a channel has a text.
func (h *house) posted(channel, text string) {
	h.t.Helper()
	h.until("it is posted: "+text, func() bool {
		for _, m := range h.slack.Messages(channel) {
			if strings.Contains(m.Text, text) {
				return true
			}
		}
		return false
	})
}

// facts reads what the API says of INC-1.
func (h *house) facts() map[string]any {
	h.t.Helper()
	var inc map[string]any
	h.api("/incidents/INC-1", &inc)
	return inc
}

// TestFormsOfAnIncident works an incident off with forms alone: from the card's
// buttons, from commands without words, and from the list behind More.
func TestFormsOfAnIncident(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500").ID

		h.pressCard(ben, channel, "post_update")
		h.filled(ben, "update", "impact")
		if reply := h.submit(ben, map[string]string{"text": "  "}); reply.ResponseAction != "errors" {
			t.Fatalf("an empty update was answered %q", reply.ResponseAction)
		}
		h.submit(ben, map[string]string{
			"text": "We restart <the> pods", "status": "identified", "impact": "Brokers see no offers", "next": "30", "audience": "public",
		})
		h.shows(channel, "Brokers see no offers")
		h.shows(channel, "next update <!date^")
		h.posted(channel, "now *identified*\nWe restart &lt;the&gt; pods")
		h.until("the public reads it", func() bool {
			page, _ := json.Marshal(h.facts()["status_page"])
			return strings.Contains(string(page), "published")
		})

		h.say(anna, channel, "role")
		h.filled(anna, "roles", "commander")
		h.submit(anna, map[string]string{"commander": anna})
		h.shows(channel, "<@"+anna+">")
		h.say(anna, channel, "role")
		h.filled(anna, "roles", "commander")
		h.submit(anna, map[string]string{"commander": ben, "summary": "The pool is full.\nNext: enlarge it"})
		h.posted(channel, "<@"+ben+">, you have the role *commander* since")
		h.posted(channel, "The pool is full.")
		h.say(anna, channel, "role")
		h.filled(anna, "roles", "free")
		if reply := h.submit(anna, map[string]string{"commander": anna, "free": "commander"}); reply.ResponseAction != "errors" {
			t.Fatalf("a role given and freed at once was answered %q", reply.ResponseAction)
		}
		h.submit(anna, map[string]string{"commander": ben, "free": "commander", "summary": "The pool is larger now"})
		h.posted(channel, "gave up the role commander: The pool is larger now")
		h.say(anna, channel, "lead me")
		if answer := h.say(anna, channel, "lead none"); !strings.Contains(answer, "is free") {
			t.Errorf("lead none was answered %q", answer)
		}

		h.say(anna, channel, "timeline")
		h.filled(anna, "timeline_entry", "text")
		if reply := h.submit(anna, map[string]string{"text": "Load had grown", "at": "soon"}); reply.ResponseAction != "errors" {
			t.Fatalf("a time that is none was answered %q", reply.ResponseAction)
		}
		if errs := h.slack.Modals(anna)[0].Errors; !strings.Contains(errs["at"], "no time I can read") {
			t.Errorf("the errors are %v", errs)
		}
		h.submit(anna, map[string]string{"text": "Load had grown", "at": "gestern 23:50", "kind": "hypothesis"})
		var timeline struct {
			Entries []struct{ Kind, Text, At string }
		}
		h.api("/incidents/INC-1/timeline", &timeline)
		if first := timeline.Entries[0]; first.Text != "Load had grown" || first.Kind != "hypothesis" {
			t.Errorf("the first entry is %+v", first)
		}

		h.say(anna, channel, "action")
		h.filled(anna, "action_item", "owner")
		h.submit(anna, map[string]string{"text": "Give slow requests a pool of their own", "owner": ben, "due": "2030-01-31", "type": "prevent", "priority": "p1"})
		h.posted(channel, "due 2030-01-31")

		h.pressCard(ben, channel, "more")
		more := h.filled(ben, "more", "more")
		if _, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, ViewID: more.ID, ActionID: "form_facts"}); err != nil {
			t.Fatal(err)
		}
		h.filled(ben, "facts", "impact_start")
		h.submit(ben, map[string]string{"title": "Offers are missing", "severity": "sev1", "detection": "customer", "impact_start": "2026-01-31 09:15"})
		h.shows(channel, "INC-1 Offers are missing")
		inc := h.facts()
		if start := inc["times"].(map[string]any)["impact_start"].(map[string]any)["at"]; inc["severity"] != "sev1" || inc["detection"] != "customer" || start != "2026-01-31T08:15:00Z" {
			t.Errorf("the facts are %v, impact from %v", inc, start)
		}

		h.say(ben, channel, "statuspage")
		h.filled(ben, "notice", "text")
		h.submit(ben, map[string]string{"status": "monitoring", "title": "Offers", "text": "They are <back>"})
		preview := h.filled(ben, "notice_preview", "")
		if len(h.slack.Modals(ben)) != 2 || !strings.Contains(string(preview.Blocks), "They are") {
			t.Fatalf("the preview is %s", preview.Blocks)
		}
		h.submit(ben, nil)
		if open := h.slack.Modals(ben); len(open) != 0 {
			t.Errorf("%d views are open after the notice was published", len(open))
		}
		h.whispered(ben, channel, "On the status page now")

		h.declared("Offers answer 502")
		h.say(ben, channel, "merge")
		h.filled(ben, "merge", "incident")
		if _, err := h.slack.CloseView(t.Context(), ben, h.slack.Modals(ben)[0].ID); err != nil {
			t.Fatal(err)
		}

		h.pressCard(ben, channel, "mitigated")
		h.whispered(ben, channel, "mitigated since")
		whispers := h.slack.Ephemerals(channel, ben)
		earlier := sandbox.Click{User: ben, Channel: channel, MessageTS: whispers[len(whispers)-1].TS, ActionID: "since_15"}
		if _, err := h.slack.Click(t.Context(), earlier); err != nil {
			t.Fatal(err)
		}
		h.whispered(ben, channel, "INC-1: Mitigated at")
		times := h.facts()["times"].(map[string]any)
		mitigated, err := time.Parse(time.RFC3339Nano, times["mitigated"].(map[string]any)["at"].(string))
		if err != nil || time.Since(mitigated) < 15*time.Minute {
			t.Errorf("mitigated at %v, %v, want a quarter of an hour ago", mitigated, err)
		}

		h.pressCard(ben, channel, "resolve")
		h.filled(ben, "resolve", "since")
		h.submit(ben, map[string]string{"since": "15", "text": "The pool was enlarged"})
		h.shows(channel, "*resolved*")
		h.whispered(ben, channel, "INC-1 is now *resolved*")
	})
}

// TestAFormElsewhereAsksForItsIncident opens a form outside of any incident's
// channel: it asks which one first, and the answer is told where it was asked.
func TestAFormElsewhereAsksForItsIncident(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500").ID
		h.say(ben, announced, "update")
		h.filled(ben, "choose_for_form", "incident")
		if reply := h.submit(ben, map[string]string{"incident": "INC-1"}); reply.ResponseAction != "update" {
			t.Fatalf("the choice was answered %q", reply.ResponseAction)
		}
		h.filled(ben, "update", "text")
		h.submit(ben, map[string]string{"text": "We look into it"})
		h.posted(channel, "We look into it")
		h.whispered(ben, announced, "INC-1")

		answer := h.say(ben, announced, "severity sev2")
		if !strings.Contains(answer, "Which incident") {
			t.Fatalf("the command was answered %q", answer)
		}
		asked := h.slack.Ephemerals(announced, ben)
		last := asked[len(asked)-1]
		if _, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, Channel: announced, MessageTS: last.TS, ActionID: "choose_incident_1"}); err != nil {
			t.Fatal(err)
		}
		h.shows(channel, "*sev2*")

		h.declared("Offers answer 502")
		h.say(ben, channel, "merge")
		h.filled(ben, "merge", "incident")
		h.submit(ben, map[string]string{"incident": "INC-2"})
		h.whispered(ben, channel, "INC-1 is merged into INC-2")
	})
}
