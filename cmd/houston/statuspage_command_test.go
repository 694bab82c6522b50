package main

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestStatuspageCommand(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Pool of offers-db is exhausted").ID
		answer := h.say(anna, channel, "statuspage investigating Some offers are missing; we look into it")
		if !strings.Contains(answer, "Some offers are missing") {
			t.Fatalf("statuspage was answered %q", answer)
		}
		h.shows(channel, "*Status page:* investigating")
		h.until("the channel is told", func() bool { return h.told(channel, "Status page (investigating)") })
		if answer := h.say(anna, channel, "resolve"); !strings.Contains(answer, "status page still says *investigating*") {
			t.Errorf("resolve does not remind of the status page: %q", answer)
		}
		var undo sandbox.Message
		for _, m := range h.slack.Ephemerals(channel, anna) {
			if strings.Contains(string(m.Blocks), "statuspage_undo") {
				undo = m
			}
		}
		if _, err := h.slack.Click(t.Context(), sandbox.Click{User: anna, Channel: channel, MessageTS: undo.TS, ActionID: "statuspage_undo"}); err != nil {
			t.Fatalf("click undo: %v", err)
		}
		h.until("the card is silent about the status page", func() bool { return !strings.Contains(h.card(channel), "Status page") })
		if answer := h.say(anna, channel, "statuspage undo"); !strings.Contains(answer, "nothing on the status page") {
			t.Errorf("a second undo was answered %q", answer)
		}
	})
}
