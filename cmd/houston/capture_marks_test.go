package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// entries lists the timeline of an incident, but for what Houston and states say.
func (h *house) entries(key string) []line {
	h.t.Helper()
	var timeline struct{ Entries []line }
	h.api("/incidents/"+key+"/timeline", &timeline)
	return slices.DeleteFunc(timeline.Entries, func(e line) bool { return e.Kind == "state" })
}

// reacted lists who has set an emoji on a message, the bot by "bot".
func (h *house) reacted(channel, ts, emoji string) []string {
	h.t.Helper()
	for _, m := range h.slack.Messages(channel) {
		if m.TS != ts {
			continue
		}
		for _, r := range m.Reactions {
			if r.Name == emoji {
				return r.Users
			}
		}
	}
	return nil
}

// TestMarks sets all four marks by reactions and takes them away again: by a
// guest, by somebody whom nobody knew before, with another skin tone.
func TestMarks(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500").ID
		bot := h.slack.BotUser().ID
		const stranger = "U0NEW"
		h.slack.AddUser(sandbox.User{ID: stranger, Name: "neo", RealName: "Neo Newcomer"})
		for _, user := range []string{ben, guest, stranger} {
			h.slack.Join(user, channel)
		}
		did := func(reply sandbox.Reply, err error) string {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			return reply.TS
		}
		ts := did(h.slack.Post(t.Context(), ben, channel, "p99 is at 4 s", ""))
		is := func(step, kind string, internal bool) {
			t.Helper()
			h.until(step, func() bool {
				entries := h.entries("INC-1")
				return len(entries) == 1 && entries[0].Kind == kind && entries[0].Internal == internal && entries[0].Text == "p99 is at 4 s"
			})
		}
		react := func(user, emoji string) { t.Helper(); did(h.slack.React(t.Context(), user, channel, ts, emoji)) }
		unreact := func(user, emoji string) { t.Helper(); did(h.slack.Unreact(t.Context(), user, channel, ts, emoji)) }

		react(stranger, "pushpin::skin-tone-3")
		is("somebody new pins it", "observation", false)
		h.until("Houston acknowledges by the same reaction", func() bool { return slices.Contains(h.reacted(channel, ts, "pushpin"), bot) })
		react(guest, "chart_with_upwards_trend")
		is("a guest makes it evidence", "evidence", false)
		react(anna, "lock")
		is("it is for the inside", "evidence", true)
		unreact(guest, "chart_with_upwards_trend")
		is("no evidence", "observation", true)
		unreact(anna, "lock")
		is("for everybody", "observation", false)
		unreact(stranger, "pushpin::skin-tone-3")
		h.until("the last mark taken away", func() bool { return len(h.entries("INC-1")) == 0 })
		h.until("the acknowledgement is gone", func() bool { return len(h.reacted(channel, ts, "pushpin")) == 0 })

		actions := func() []string {
			var list struct {
				Actions []struct{ Text string }
			}
			h.api("/incidents/INC-1/actions", &list)
			var texts []string
			for _, a := range list.Actions {
				texts = append(texts, a.Text)
			}
			return texts
		}
		react(anna, "white_check_mark")
		react(ben, "white_check_mark")
		h.until("one action item of it", func() bool { return slices.Equal(actions(), []string{"p99 is at 4 s"}) })
		h.until("acknowledged", func() bool { return slices.Contains(h.reacted(channel, ts, "white_check_mark"), bot) })
		unreact(anna, "white_check_mark")
		unreact(ben, "white_check_mark")
		h.until("nobody wants it any more", func() bool { return len(actions()) == 0 })

		if _, err := h.slack.Shortcut(t.Context(), sandbox.Shortcut{User: anna, CallbackID: "add_to_timeline", Channel: channel, MessageTS: ts}); err != nil {
			t.Fatal(err)
		}
		react(ben, "pushpin")
		is("by the menu and by a reaction, one entry", "observation", false)
		did(h.slack.Edit(t.Context(), ben, channel, ts, "p99 is at 5 s"))
		h.until("edited", func() bool {
			entries := h.entries("INC-1")
			return len(entries) == 1 && entries[0].Edited && entries[0].Text == "p99 is at 5 s"
		})
		did(h.slack.Delete(t.Context(), ben, channel, ts))
		h.until("deleted", func() bool {
			entries := h.entries("INC-1")
			return len(entries) == 1 && entries[0].Deleted && strings.HasPrefix(entries[0].Text, "(the message was deleted at ")
		})
	})
}

// TestRedact hides words that should not have been written and looks for them
// everywhere afterwards.
func TestRedact(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		const secret = "hunter2"
		channel := h.declared("Offers answer 500").ID
		h.slack.Join(ben, channel)
		posted, err := h.slack.Post(t.Context(), ben, channel, "The password is "+secret, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.slack.React(t.Context(), anna, channel, posted.TS, "pushpin"); err != nil {
			t.Fatal(err)
		}
		h.say(anna, channel, "update We changed "+secret)
		h.shows(channel, secret)
		h.until("the update is told", func() bool { return h.told(channel, "We changed "+secret) })
		h.until("both stand in the timeline", func() bool { return len(h.entries("INC-1")) == 2 })

		if answer := h.say(anna, channel, "redact last it was a password"); !strings.Contains(answer, "redacted") {
			t.Fatalf("redact last was answered: %s", answer)
		}
		h.say(ben, channel, "redact")
		shown := h.slack.Ephemerals(channel, ben)
		menu := shown[len(shown)-1]
		at := slices.IndexFunc(h.entries("INC-1"), func(e line) bool { return e.Kind == "observation" })
		if _, err := h.slack.Click(t.Context(), sandbox.Click{
			User: ben, Channel: channel, MessageTS: menu.TS, ActionID: "redact_entry", Value: fmt.Sprintf("INC-1/%d", h.entries("INC-1")[at].Seq),
		}); err != nil {
			t.Fatal(err)
		}
		h.until("nothing of it is left in what Houston shows", func() bool {
			_, timeline := h.call(http.MethodGet, "/api/v1/incidents/INC-1/timeline", "", map[string]string{"Authorization": "Bearer " + apiToken})
			_, document := h.call(http.MethodGet, "/api/v1/incidents/INC-1/postmortem.md", "", map[string]string{"Authorization": "Bearer " + apiToken})
			_, facts := h.call(http.MethodGet, "/api/v1/incidents/INC-1/postmortem", "", map[string]string{"Authorization": "Bearer " + apiToken})
			for _, text := range []string{string(timeline), string(document), string(facts), h.card(channel), h.say(anna, channel, "catchup")} {
				if strings.Contains(text, secret) {
					return false
				}
			}
			return !h.told(channel, "We changed "+secret) // what Ben wrote himself is his to delete
		})
		var record struct {
			Redactions []struct {
				By     struct{ ID string }
				Reason string
			}
		}
		h.api("/incidents/INC-1/timeline", &record)
		if len(record.Redactions) != 2 || record.Redactions[0].By.ID != anna || record.Redactions[0].Reason != "it was a password" || record.Redactions[1].By.ID != ben {
			t.Errorf("on record is %+v, want who did it and why", record.Redactions)
		}
		if answer := h.say(anna, channel, "redact 4711"); !strings.Contains(answer, "no such entry") {
			t.Errorf("an entry that is none was answered: %s", answer)
		}
	})
}
