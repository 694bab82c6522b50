package main

import (
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// home gives the blocks of a person's home tab as text.
func (h *house) home(user string) string {
	m, _ := h.slack.Home(user)
	plain := strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">")
	return plain.Replace(string(m.Blocks))
}

// atHome waits until a person's home tab tells a text, or does not any more.
func (h *house) atHome(user, text string, there bool) {
	h.t.Helper()
	h.until("the home tab tells "+text, func() bool { return strings.Contains(h.home(user), text) == there })
}

// TestHome opens home tabs, follows what happens in them, declares from one, and
// chooses another language.
func TestHome(t *testing.T) {
	t.Parallel()
	inEachAt(t, noon(), func(t *testing.T, h *house) {
		opened := func(user string) {
			t.Helper()
			reply, err := h.slack.OpenHome(t.Context(), user)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := reply.Redeliver(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		opened(anna)
		h.atHome(anna, "No incident is open.", true)
		opened(guest)
		h.atHome(guest, "members of this workspace", true)

		channel := h.declared("Offers <b> answer 500 --severity sev2").ID
		h.atHome(anna, "*INC-1* sev2 investigating: Offers &lt;b&gt; answer 500 <#"+channel+">", true)
		before := len(h.slack.Channels())
		h.say(anna, announced, "declare Somebody left his badge --private")
		h.until("the private channel is made", func() bool { return len(h.slack.Channels()) > before })
		h.atHome(anna, "INC-2", true)
		opened(ben)
		h.atHome(ben, "INC-1", true)
		for _, user := range []string{anna, ben} {
			if strings.Contains(h.home(user), "badge") || (user == ben && strings.Contains(h.home(user), "INC-2")) {
				t.Errorf("the home tab of %s tells of a private incident: %s", user, h.home(user))
			}
		}
		if strings.Contains(h.home(guest), "INC-1") {
			t.Errorf("the home tab of a guest lists incidents: %s", h.home(guest))
		}

		h.say(ben, channel, "lead")
		h.atHome(ben, "you: commander", true)
		h.say(anna, channel, "action Own pool for slow requests <@"+ben+"|ben> due 2027-03-05")
		h.atHome(ben, "Own pool for slow requests · 2027-03-05", true)
		h.clock.moveTo(time.Date(2027, 3, 6, 11, 0, 0, 0, time.UTC))
		opened(anna) // a tab is kept current for a day
		opened(ben)
		h.atHome(ben, "*Overdue*", true)

		view, _ := h.slack.Home(ben)
		if _, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, ViewID: view.ID, ActionID: "home_language", Value: "de"}); err != nil {
			t.Fatal(err)
		}
		h.atHome(ben, "*Meine Maßnahmen*", true)
		view, _ = h.slack.Home(ben)
		if _, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, ViewID: view.ID, ActionID: "home_declare"}); err != nil {
			t.Fatal(err)
		}
		h.until("the declare form is open", func() bool { return len(h.slack.Modals(ben)) == 1 })
		h.say(ben, channel, "resolve")
		h.atHome(anna, "*INC-1*", true) // she reported it, and the postmortem is still to come
		published := len(h.slack.Calls("views.publish"))
		h.say(ben, channel, "timeline Nothing that a home tab shows")
		h.say(ben, channel, "lead "+"<@"+anna+"|anna>")
		h.atHome(anna, "you: commander", true)
		if n := len(h.slack.Calls("views.publish")) - published; n > 4 {
			t.Errorf("two changes had %d home tabs published", n)
		}
	})
}
