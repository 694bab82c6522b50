package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestRespond plays an incident from the report to the end, as people type it.
func TestRespond(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500 --severity sev3").ID
		steps := []struct {
			command string
			card    string // what the card shows afterwards
			posted  string // what the channel is told
		}{
			{"lead", "<@" + anna + ">", "took the role commander"},
			{"severity sev1", "", "Severity: sev3 → sev1"},
			{"status identified It is the connection pool", "", "connection pool"},
			{"update We restart the third service & watch", "identified", "third service &amp; watch"},
			{"timeline Restarted offers-api at 00:01", "", ""},
			{"mitigated 1m ago", "", "Mitigated"},
			{"resolve Fast and slow requests shared a pool", "", "shared a pool"},
			{"reopen It is back", "investigating", "It is back"},
			{"resolve", "resolved", ""},
		}
		for _, step := range steps {
			if answer := h.say(anna, channel, step.command); strings.Contains(answer, "could not") {
				t.Fatalf("/incident %s was answered: %s", step.command, answer)
			}
			if step.card != "" {
				h.shows(channel, step.card)
			}
			if step.posted != "" {
				h.until("the channel is told "+step.posted, func() bool { return h.told(channel, step.posted) })
			}
		}
		var got struct {
			Status    string
			Severity  string
			Commander struct{ ID string }
			Times     map[string]struct{ At string }
		}
		if status := h.api("/incidents/INC-1", &got); status != http.StatusOK {
			t.Fatalf("GET incident answered %d", status)
		}
		if got.Status != "resolved" || got.Severity != "sev1" || got.Commander.ID != anna {
			t.Errorf("API says %+v", got)
		}
		for _, key := range []string{"declared", "detected", "acknowledged", "first_update", "resolved"} {
			if got.Times[key].At == "" {
				t.Errorf("key time %s is not known", key)
			}
		}
		if _, known := got.Times["mitigated"]; known {
			t.Error("mitigated is still known after the incident was reopened")
		}
	})
}

func TestButtons(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Checkout is slow").ID
		card := h.slack.Pins(channel)[0]
		for _, step := range []struct{ action, card string }{
			{"take_lead", "<@" + ben + ">"}, {"mitigated", "monitoring"}, {"resolve", "resolved"},
		} {
			reply, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, Channel: channel, MessageTS: card.TS, ActionID: step.action})
			if err != nil {
				t.Fatalf("click %s: %v", step.action, err)
			}
			if _, err := reply.Redeliver(t.Context()); err != nil {
				t.Fatalf("click %s delivered again: %v", step.action, err)
			}
			if step.action == "resolve" { // it asks since when
				h.filled(ben, "resolve", "since")
				h.submit(ben, nil)
			}
			h.shows(channel, step.card)
		}
	})
}

func TestBadInputIsAnsweredWithTheRightForm(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	channel := h.declared("Checkout is slow").ID
	tests := []struct{ name, where, text, want string }{
		{"no title", announced, "declare", "declare"},
		{"wrong severity", announced, "declare X --severity huge", "sev1"},
		{"typing error", channel, "statsu identified", "status"},
		{"unknown status", channel, "status fine", "investigating"},
		{"outside a channel", announced, "resolve", "INC-"},
		{"unknown incident", announced, "status INC-99 identified", "INC-99"},
		{"no Prometheus", channel, "chart up", "No Prometheus is configured"},
		{"future", channel, "mitigated 2099-01-01 10:00", "in the future"},
		{"help", announced, "help", "declare"},
		{"list", announced, "list", "Checkout is slow"},
	}
	for _, tt := range tests {
		if answer := h.say(anna, tt.where, tt.text); !strings.Contains(answer, tt.want) {
			t.Errorf("%s: /incident %s was answered %q, want it to tell %q", tt.name, tt.text, answer, tt.want)
		}
	}
}

// told reports whether a channel has a message with a text.
func (h *house) told(channel, text string) bool {
	for _, m := range h.slack.Messages(channel) {
		if strings.Contains(m.Text, text) {
			return true
		}
	}
	return false
}
