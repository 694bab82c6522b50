package main

import (
	"testing"
	"time"
)

// TestHeart: a dead man's switch that falls silent opens an incident, once, on
// whichever replica, and says so when it beats again.
func TestHeart(t *testing.T) {
	t.Parallel()
	config := writeConfig(t, `
alerts:
  routes:
    - matchers: ['alertname="Watchdog"']
      action: heartbeat
      interval: 2s
`)
	onBoth(t, func(t *testing.T, p plan) {
		p.args = []string{"--config", config}
		h := newHouse(t, p)
		beat := alert{"Watchdog", "none", "", false, time.Now().Add(-time.Hour).UTC()}
		for range 3 {
			h.deliver("http://am-1:9093", "watch", beat)
		}
		if n := h.incidentCount(); n != 0 {
			t.Fatalf("%d incidents of a heart that beats", n)
		}
		h.restart()
		h.until("its silence opens an incident", func() bool { return h.incidentCount() == 1 })
		channel := h.alarmed(1)
		h.deliver("http://am-1:9093", "watch", beat)
		h.finds(channel.ID, "Monitoring sees again")
		h.finds(channel.ID, "is it?")
		beat.resolved = true
		h.deliver("http://am-1:9093", "watch", beat)
		h.finds(channel.ID, "was reported resolved")
		if n := h.incidentCount(); n != 1 {
			t.Errorf("%d incidents, want its second silence told in the open one", n)
		}
	})
}
