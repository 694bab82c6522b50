package main

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// chosen chooses a shortcut.
func (h *house) chosen(user, callback, channel, ts string) {
	h.t.Helper()
	if _, err := h.slack.Shortcut(h.t.Context(), sandbox.Shortcut{User: user, CallbackID: callback, Channel: channel, MessageTS: ts}); err != nil {
		h.t.Fatalf("shortcut %s: %v", callback, err)
	}
}

// toldDirectly waits until a person has a direct message with a text.
func (h *house) toldDirectly(user, text string) {
	h.t.Helper()
	h.until("directly told: "+text, func() bool {
		c, ok := h.slack.Direct(user)
		return ok && h.told(c.ID, text)
	})
}

// replies lists the app's messages in a thread.
func (h *house) replies(channel, root string) []string {
	var found []string
	for _, m := range h.slack.Messages(channel) {
		if m.ThreadTS == root && m.TS != root && m.User == h.slack.BotUser().ID {
			found = append(found, m.Text)
		}
	}
	return found
}

// TestShortcuts plays the shortcuts as people use them: a message becomes an
// incident, which is told in its thread unless it is private; a message becomes
// an action item; and what has no channel to be answered in is told directly.
func TestShortcuts(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		h.until("Houston is in the announce channel", h.announces)
		h.chosen(ben, "declare", "", "")
		h.form(ben)
		h.submit(ben, map[string]string{"title": "Login is slow"})
		h.toldDirectly(ben, "INC-1")
		h.chosen(guest, "declare", "", "")
		h.toldDirectly(guest, "Guests can not declare")

		post := func(channel, text, thread string) string {
			t.Helper()
			posted, err := h.slack.Post(t.Context(), ben, channel, text, thread)
			if err != nil {
				t.Fatal(err)
			}
			return posted.TS
		}
		root := post(announced, "Brokers call about their offers", "")
		reply := post(announced, "The broker misses his list of offers", root)
		h.chosen(anna, "declare_from_message", announced, reply)
		h.form(anna)
		h.submit(anna, nil)
		h.until("the thread is answered", func() bool { return len(h.replies(announced, root)) == 1 })
		channel, ok := h.slack.Channel("inc-2-the-broker-misses-his-list-of-offers")
		if told := h.replies(announced, root)[0]; !ok || !strings.Contains(told, "INC-2") || !strings.Contains(told, "<#"+channel.ID) {
			t.Errorf("the thread was told %q, the channel is %s", told, channel.ID)
		}
		secret := post(announced, "A key is in the repository", "")
		h.chosen(anna, "declare_from_message", announced, secret)
		h.form(anna)
		h.submit(anna, map[string]string{"private": "private"})
		h.until("the private channel is there", func() bool { c, ok := h.slack.Channel("inc-3"); return ok && len(h.slack.Pins(c.ID)) == 1 })
		if told := h.replies(announced, secret); len(told) != 0 {
			t.Errorf("a private incident was told in a thread: %q", told)
		}

		h.slack.Join(ben, channel.ID)
		idea := post(channel.ID, "Give slow requests a pool of their own", "")
		h.chosen(ben, "add_action", channel.ID, idea)
		if form := h.filled(ben, "action_item", "owner"); !strings.Contains(string(form.Blocks), "Give slow requests a pool of their own") {
			t.Errorf("the form does not hold the message: %s", form.Blocks)
		}
		h.submit(ben, map[string]string{"owner": anna, "due": "2099-01-31", "type": "mitigate"})
		h.until("the action item is told", func() bool { return h.told(channel.ID, "for <@"+anna+"> · due 2099-01-31") })
		var actions struct {
			Actions []struct{ Text, Type string }
		}
		h.api("/incidents/INC-2/actions", &actions)
		if len(actions.Actions) != 1 || actions.Actions[0].Type != "mitigate" {
			t.Errorf("the action items are %+v", actions.Actions)
		}
		h.chosen(ben, "add_action", announced, root)
		h.until("elsewhere there is no incident", func() bool {
			open := h.slack.Modals(ben)
			return len(open) > 0 && strings.Contains(string(open[len(open)-1].Blocks), "channel")
		})
	})
}

// TestAReplyAndADirectMessageAreSentOnce has the answers to both lost: they are
// found again where they stand.
func TestAReplyAndADirectMessageAreSentOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	h.until("Houston is in the announce channel", h.announces)
	posted, err := h.slack.Post(t.Context(), ben, announced, "Offers are missing", "")
	if err != nil {
		t.Fatal(err)
	}
	h.chosen(anna, "declare_from_message", announced, posted.TS)
	h.form(anna)
	for range 2 { // the announcement goes there too
		h.slack.Inject(sandbox.Fault{Method: "chat.postMessage", Channel: h.announceID(), Times: 1, Kind: sandbox.FaultDropAfter{}})
	}
	h.submit(anna, nil)
	h.found("/reply/")
	if told := h.replies(announced, posted.TS); len(told) != 1 {
		t.Errorf("the thread was told %q, want one reply", told)
	}

	h.slack.Inject(sandbox.Fault{Method: "conversations.create", Kind: sandbox.FaultError{Code: "restricted_action"}})
	h.slack.Inject(sandbox.Fault{Method: "chat.postMessage", Channel: anna, Times: 1, Kind: sandbox.FaultDropAfter{}})
	h.say(anna, announced, "declare Keys leaked --private")
	h.found("/tell/")
	direct, _ := h.slack.Direct(anna)
	if n := len(h.slack.Messages(direct.ID)); n != 1 {
		t.Errorf("%d direct messages, want one", n)
	}
}

func (h *house) announceID() string {
	c, _ := h.slack.Channel(announced)
	return c.ID
}

// found waits until the log tells that an effect of an earlier call was found.
func (h *house) found(effect string) {
	h.t.Helper()
	h.until("the effect is found: "+effect, func() bool {
		for line := range strings.SplitSeq(h.log.String(), "\n") {
			if strings.Contains(line, "found the effect of an earlier call") && strings.Contains(line, effect) {
				return true
			}
		}
		return false
	})
}
