package main

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
)

// caughtUp waits until all is made outside that is owed, edits that keep their
// distance as well. What waits for its day is left out.
func (h *house) caughtUp() {
	h.t.Helper()
	owed := regexp.MustCompile(`(?m)^houston_effects_owed\{kind="(\w+)"\} (\d+)$`)
	h.until("all is made that is owed", func() bool {
		_, raw := h.call(http.MethodGet, "/metrics", "", nil)
		kinds := owed.FindAllStringSubmatch(string(raw), -1)
		return len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k []string) bool {
			return k[1] != string(incidents.MakeArchive) && k[2] != "0"
		})
	})
}

// TestAnArchivedChannel holds what can still be done about an incident whose
// channel is in the archive, and that Houston is back when people take it out.
func TestAnArchivedChannel(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers are missing").ID
		h.say(anna, channel, "resolve")
		h.say(anna, channel, "close")
		h.caughtUp()
		h.slack.Archive(channel)
		if err := h.slack.WaitQuiet(t.Context()); err != nil {
			t.Fatal(err)
		}
		if answer := h.say(anna, announced, "private INC-1"); !strings.Contains(answer, "archive") {
			t.Errorf("private is answered %q", answer)
		}
		if answer := h.say(anna, announced, "export INC-1"); !strings.Contains(answer, "archive") {
			t.Errorf("export is answered %q", answer)
		}
		h.say(anna, announced, "repair INC-1")
		h.pause(2 * time.Second)
		if s := h.state("INC-1"); s.Channel.ID != channel {
			t.Errorf("a repair makes a channel for an incident that is over, or tries to: %+v", s)
		}

		h.slack.Unarchive(channel)
		h.until("Houston is in the channel again", func() bool {
			c, _ := h.slack.Channel(channel)
			return slices.Contains(c.Members, h.slack.BotUser().ID)
		})
		h.say(anna, announced, "reopen INC-1 It is back")
		h.shows(channel, "investigating")
		h.posted(channel, "It is back")
		if s := h.state("INC-1"); s.Channel.ID != channel {
			t.Errorf("it is %+v", s)
		}
		h.until("what could not be made meanwhile is made", func() bool { return len(h.state("INC-1").Owed) == 0 })
		h.say(anna, channel, "private")
		h.until("it goes private after all", func() bool {
			c, _ := h.slack.Channel(channel)
			return c.Archived && c.Name == "inc-1-left"
		})
	})
}

// TestPrivateAfterHoustonWasRemoved: who takes Houston out of the channel keeps it
// from nothing.
func TestPrivateAfterHoustonWasRemoved(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Zanzibar ledger leaked").ID
		h.caughtUp()
		h.slack.Leave(h.slack.BotUser().ID, channel)
		h.say(anna, channel, "private")
		h.until("it is private", func() bool {
			c, _ := h.slack.Channel(channel)
			return c.Archived && c.Name == "inc-1-left"
		})
		if slices.ContainsFunc(h.slack.Messages(channel), func(m sandbox.Message) bool { return strings.Contains(m.Text, "Zanzibar") }) {
			t.Error("the title still stands in the channel")
		}
	})
}
