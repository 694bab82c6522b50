package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// alarmed waits for the channel of an incident that alerts opened.
func (h *house) alarmed(number int) sandbox.Channel {
	h.t.Helper()
	var channel sandbox.Channel
	h.until(fmt.Sprintf("INC-%d has its channel and its card", number), func() bool {
		for _, c := range h.slack.Channels() {
			if strings.HasPrefix(c.Name, fmt.Sprintf("inc-%d-", number)) {
				channel = c
			}
		}
		return channel.ID != "" && len(h.slack.Pins(channel.ID)) == 1
	})
	return channel
}

// reads waits until a message of a channel contains all of some texts.
func (h *house) finds(channel string, texts ...string) (found sandbox.Message) {
	h.t.Helper()
	h.until(fmt.Sprintf("a message has %q", texts), func() bool {
		for _, m := range h.slack.Messages(channel) {
			found = m
			for _, text := range texts {
				if !strings.Contains(string(m.Blocks)+m.Text, text) {
					found = sandbox.Message{}
				}
			}
			if found.TS != "" {
				return true
			}
		}
		return false
	})
	return found
}

// TestAlertList: the incident's alerts stand in its channel with their links, and
// only links that lead to the web.
func TestAlertList(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		a := alert{"OffersErrors", "critical", "offers", false, time.Now().Add(-time.Minute).UTC()}
		h.deliver("http://am-1:9093", "k", a)
		channel := h.alarmed(1)
		list := h.finds(channel.ID, "*OffersErrors*", "OffersErrors for offers", "http://prometheus.example.com/graph|source", "1 alert")
		b := a
		b.name = "OffersLatency"
		h.deliver("http://am-1:9093", "k", a, b)
		if grown := h.finds(channel.ID, "*OffersErrors*", "*OffersLatency*", "2 alerts firing"); grown.TS != list.TS {
			t.Error("a second list was posted, want the first one edited")
		}
		a.resolved = true
		h.deliver("http://am-1:9093", "k", a, b)
		h.finds(channel.ID, ":white_check_mark: *OffersErrors*", ":fire: *OffersLatency*")
	})
}

// TestStormIncident: beyond the bound one incident takes all groups and lists them.
func TestStormIncident(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		p.env = map[string]string{"HOUSTON_ALERTS_MAX_DECLARED_PER_MINUTE": "2"}
		h := newHouse(t, p)
		for i := range 20 {
			name := fmt.Sprintf("Down%02d", i)
			if status := h.deliver("http://am-1:9093", name, alert{name, "critical", "", false, time.Now().UTC()}); status != 200 {
				t.Fatalf("answered %d", status)
			}
		}
		if n := h.incidentCount(); n != 3 {
			t.Errorf("%d incidents, want two and the storm", n)
		}
		storm := h.alarmed(3)
		h.finds(storm.ID, "*18 groups:*", "Down02: 1 alert", "Down16", "3 more groups", "18 alerts firing")
	})
}
