package main

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// line is an entry of the timeline as the API gives it.
type line struct {
	Seq                       int64
	At, Kind, Text, Permalink string
	Actor                     struct{ ID, Name string }
	Edited, Deleted, Internal bool
}

// observed lists the observations in an incident's timeline.
func (h *house) observed(key string) []line {
	h.t.Helper()
	var timeline struct{ Entries []line }
	h.api("/incidents/"+key+"/timeline", &timeline)
	var found []line
	for _, e := range timeline.Entries {
		if e.Kind == "observation" {
			found = append(found, e)
		}
	}
	return found
}

// reads waits until the observations of INC-1 are these texts.
func (h *house) reads(step string, texts ...string) {
	h.t.Helper()
	h.until(step+": the timeline reads "+strings.Join(texts, " | "), func() bool {
		entries := h.observed("INC-1")
		if len(entries) != len(texts) {
			return false
		}
		for i, e := range entries {
			if e.Text != texts[i] {
				return false
			}
		}
		return true
	})
}

// TestPins puts messages into the timeline and takes them out as two people pin
// them, in the channel and in a thread, with every delivery repeated.
func TestPins(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500").ID
		twice := func(reply sandbox.Reply, err error) string {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := reply.Redeliver(t.Context()); err != nil {
				t.Fatal(err)
			}
			return reply.TS
		}
		for _, user := range []string{ben, guest} {
			h.slack.Join(user, channel)
		}
		parent := twice(h.slack.Post(t.Context(), ben, channel, "Restarted <offers> & prices", ""))
		reply := twice(h.slack.Post(t.Context(), anna, channel, "The third restart helped", parent))
		twice(h.slack.Post(t.Context(), anna, channel, "just talk", ""))

		twice(h.slack.React(t.Context(), anna, channel, parent, "pushpin"))
		h.reads("pinned", "Restarted <offers> & prices")
		if e := h.observed("INC-1")[0]; e.Actor.ID != ben || e.Permalink == "" {
			t.Errorf("got entry %+v, want its author and a permalink", e)
		}
		twice(h.slack.React(t.Context(), guest, channel, parent, "pushpin"))
		twice(h.slack.React(t.Context(), anna, channel, parent, "eyes"))
		twice(h.slack.React(t.Context(), anna, channel, reply, "pushpin"))
		h.reads("a reply pinned", "Restarted <offers> & prices", "The third restart helped")
		twice(h.slack.Unreact(t.Context(), anna, channel, parent, "pushpin"))
		twice(h.slack.Edit(t.Context(), ben, channel, parent, "Restarted offers-api"))
		h.reads("one pin taken away, edited", "Restarted offers-api", "The third restart helped")
		twice(h.slack.Unreact(t.Context(), guest, channel, parent, "pushpin"))
		h.reads("the last pin taken away", "The third restart helped")
		twice(h.slack.Delete(t.Context(), anna, channel, reply))
		h.until("only a tombstone is left", func() bool {
			entries := h.observed("INC-1")
			return len(entries) == 1 && strings.HasPrefix(entries[0].Text, "(the message was deleted at ")
		})
	})
}

// TestPinsAreDurable has pins acknowledged while Slack answers nothing, and
// Houston restarted before it could ask for the message.
func TestPinsAreDurable(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		channel := h.declared("Offers answer 500").ID
		posted, err := h.slack.Post(t.Context(), anna, channel, "Restarted offers", "")
		if err != nil {
			t.Fatal(err)
		}
		h.slack.Inject(sandbox.Fault{Method: "conversations.history", Kind: sandbox.FaultStatus{}})
		if _, err := h.slack.React(t.Context(), anna, channel, posted.TS, "pushpin"); err != nil {
			t.Fatalf("the pin was not acknowledged: %v", err)
		}
		h.restart()
		h.slack.ClearFaults()
		h.reads("after the restart", "Restarted offers")
	})
}

// TestPinsInAnyOrder has somebody change his mind faster than Houston works.
func TestPinsInAnyOrder(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	channel := h.declared("Offers answer 500").ID
	posted, err := h.slack.Post(t.Context(), anna, channel, "Restarted offers", "")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := h.slack.Post(t.Context(), anna, channel, "It helped", "")
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if _, err := h.slack.React(t.Context(), anna, channel, posted.TS, "pushpin"); err != nil {
			t.Fatal(err)
		}
		if _, err := h.slack.Unreact(t.Context(), anna, channel, posted.TS, "pushpin"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.slack.React(t.Context(), anna, channel, kept.TS, "pushpin"); err != nil {
		t.Fatal(err)
	}
	h.reads("in the end", "It helped")
}

func TestAddToTimeline(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500").ID
		posted, err := h.slack.Post(t.Context(), anna, channel, "Restarted offers", "")
		if err != nil {
			t.Fatal(err)
		}
		reply, err := h.slack.Shortcut(t.Context(), sandbox.Shortcut{User: anna, CallbackID: "add_to_timeline", Channel: channel, MessageTS: posted.TS})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := reply.Redeliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.reads("chosen from the menu", "Restarted offers")
		if answer := h.say(anna, channel, "catchup"); !strings.Contains(answer, "Restarted offers") {
			t.Errorf("catchup does not tell of it: %q", answer)
		}
	})
}
