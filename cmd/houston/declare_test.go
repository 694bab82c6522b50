package main

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestDeclareMakesAUsableChannel(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500 --severity sev2 --service offers")
		if want := "inc-1-offers-answer-500"; channel.Name != want {
			t.Errorf("channel is called %q, want %q", channel.Name, want)
		}
		h.shows(channel.ID, "INC-1 Offers answer 500")
		h.shows(channel.ID, "https://meet.jit.si/inc-1-")
		h.until("the reporter is in it", func() bool {
			return strings.Contains(strings.Join(h.slack.Members(channel.ID), " "), anna)
		})
		h.until("it is announced", func() bool {
			messages := h.slack.Messages(announced)
			return len(messages) == 1 && strings.Contains(messages[0].Text, "INC-1") && strings.Contains(messages[0].Text, channel.ID)
		})
		h.until("the call is bookmarked", func() bool { return len(h.slack.Bookmarks(channel.ID)) == 1 })
		h.until("the topic is set", func() bool {
			c, _ := h.slack.Channel(channel.ID)
			return strings.Contains(c.Topic, "sev2")
		})
	})
}

func TestDeclareTwiceIsOnce(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		reply, err := h.slack.Command(t.Context(), sandbox.Command{User: anna, Channel: announced, Command: "/incident", Text: "declare Offers are slow"})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			again, err := reply.Redeliver(t.Context())
			if err != nil {
				t.Fatalf("deliver again: %v", err)
			}
			if !strings.Contains(again.Text, "INC-1") {
				t.Errorf("the second delivery is answered %q, want the first incident", again.Text)
			}
		}
		var list struct{ Incidents []struct{ Key string } }
		h.api("/incidents", &list)
		if len(list.Incidents) != 1 {
			t.Errorf("%d incidents after one command delivered four times, want 1", len(list.Incidents))
		}
	})
}
