package main

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// form waits for the declare form of a user.
func (h *house) form(user string) sandbox.Modal {
	h.t.Helper()
	h.until("the form is open", func() bool { return len(h.slack.Modals(user)) > 0 })
	return h.slack.Modals(user)[0]
}

func (h *house) incidents() int {
	h.t.Helper()
	var list struct{ Incidents []struct{ Key string } }
	h.api("/incidents", &list)
	return len(list.Incidents)
}

// TestDeclareByForm types a title, fills the form and gets a usable channel,
// once however often the submission is delivered.
func TestDeclareByForm(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		if answer := h.say(anna, announced, "Offers answer 500"); answer != "" {
			t.Errorf("the command was answered %q beside the form", answer)
		}
		if form := h.form(anna); form.CallbackID != "declare" {
			t.Fatalf("got form %+v", form)
		}
		reply, err := h.slack.SubmitView(t.Context(), sandbox.SubmitView{User: anna, Values: map[string]string{"severity": "sev1", "service": "offers"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := reply.Redeliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.until("the channel is usable", func() bool {
			c, ok := h.slack.Channel("inc-1-offers-answer-500")
			return ok && len(h.slack.Pins(c.ID)) == 1
		})
		h.shows("inc-1-offers-answer-500", "*sev1*")
		if n := h.incidents(); n != 1 {
			t.Errorf("%d incidents after one submission delivered twice, want 1", n)
		}
	})
}

// TestSimilarIncidentsShowWhileTyping types a title letter by letter: what is
// open already shows as soon as it is like it, goes again when it is not, and
// nothing that was filled in is lost.
func TestSimilarIncidentsShowWhileTyping(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		h.declared("Checkout answers 500")
		h.declared("Checkout keys leaked --private")
		h.say(ben, announced, "")
		form := h.form(ben)
		types := func(title string, similar bool) {
			t.Helper()
			if _, err := h.slack.Click(t.Context(), sandbox.Click{
				User: ben, ViewID: form.ID, BlockID: "title", ActionID: "title", Value: title, Values: map[string]string{"summary": "Since noon", "severity": "sev1"},
			}); err != nil {
				t.Fatalf("type %q: %v", title, err)
			}
			h.until("the form shows what is like "+title, func() bool {
				return strings.Contains(string(h.slack.Modals(ben)[0].Blocks), "*INC-1*") == similar
			})
		}
		types("Che", false)
		types("Checkout answers", true)
		if shown := string(h.slack.Modals(ben)[0].Blocks); strings.Contains(shown, "INC-2") || !strings.Contains(shown, "Since noon") {
			t.Errorf("the form shows %s", shown)
		}
		types("Login is slow", false)
		types("Checkout answers slowly", true)
		h.submit(ben, map[string]string{"summary": "Since noon", "severity": "sev1"})
		h.shows("inc-3-checkout-answers-slowly", "Since noon")
	})
}

// TestPlainMessageIsOfferedOnceAnHour plays the report that is no command: a
// message in the announce channel, its offer, the form and the channel.
func TestPlainMessageIsOfferedOnceAnHour(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		h.until("Houston is in the announce channel", h.announces)
		post := func(user, text, thread string) sandbox.Reply {
			t.Helper()
			reply, err := h.slack.Post(t.Context(), user, announced, text, thread)
			if err != nil {
				t.Fatal(err)
			}
			return reply
		}
		offers := func(user string) []sandbox.Message { return h.slack.Ephemerals(announced, user) }
		first := post(anna, "The broker misses <offers> & prices\nsince noon", "")
		h.until("the offer is shown", func() bool { return len(offers(anna)) == 1 })
		if _, err := first.Redeliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		post(anna, "anybody?", "")
		post(ben, "I look into it", first.TS)
		if _, err := h.slack.Edit(t.Context(), anna, announced, first.TS, "The broker misses offers"); err != nil {
			t.Fatal(err)
		}
		h.restart()
		post(anna, "still there", "")
		post(ben, "Mine is slow", "")
		h.until("the other person is asked too", func() bool { return len(offers(ben)) == 1 })
		if n := len(offers(anna)); n != 1 {
			t.Errorf("%d offers within the hour, want 1", n)
		}
		if _, err := h.slack.Click(t.Context(), sandbox.Click{User: anna, Channel: announced, MessageTS: offers(anna)[0].TS, ActionID: "report_declare"}); err != nil {
			t.Fatal(err)
		}
		h.form(anna)
		if _, err := h.slack.SubmitView(t.Context(), sandbox.SubmitView{User: anna}); err != nil {
			t.Fatal(err)
		}
		h.shows("inc-1-the-broker-misses-offers-prices", "since noon")
	})
}

// announces reports whether Houston is in the announce channel.
func (h *house) announces() bool {
	return strings.Contains(strings.Join(h.slack.Members(announced), " "), h.slack.BotUser().ID)
}

func TestMentionIsOffered(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	h.slack.AddChannel(sandbox.Channel{Name: "offers-team", Creator: anna, Members: []string{anna, ben, h.slack.BotUser().ID}})
	if _, err := h.slack.Post(t.Context(), ben, "offers-team", "nothing to see here", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := h.slack.Post(t.Context(), anna, "offers-team", "<@"+h.slack.BotUser().ID+"> offers are empty", ""); err != nil {
		t.Fatal(err)
	}
	h.until("the offer is shown", func() bool { return len(h.slack.Ephemerals("offers-team", anna)) == 1 })
	offer := h.slack.Ephemerals("offers-team", anna)[0]
	if !strings.Contains(string(offer.Blocks), " offers are empty") || strings.Contains(string(offer.Blocks), h.slack.BotUser().ID) {
		t.Errorf("the button carries not what was written without the mention: %s", offer.Blocks)
	}
	if shown := h.slack.Ephemerals("offers-team", ben); len(shown) != 0 {
		t.Errorf("a plain message in another channel was answered %q", shown[0].Text)
	}
}
