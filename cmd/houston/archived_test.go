package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestAnArchivedChannel holds what can still be done about an incident whose
// channel is in the archive, and that Houston is back when people take it out.
func TestAnArchivedChannel(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers are missing").ID
		h.say(anna, channel, "resolve")
		h.say(anna, channel, "close")
		h.until("nothing is owed", func() bool { return len(h.state("INC-1").Owed) == 0 })
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
		if s := h.state("INC-1"); s.Channel.ID != channel || len(s.Owed) != 0 && strings.Contains(strings.Join(s.Owed, " "), "fail") {
			t.Errorf("it is %+v", s)
		}
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
		h.until("nothing is owed", func() bool { return len(h.state("INC-1").Owed) == 0 })
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
