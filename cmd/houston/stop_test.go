package main

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestARestartKeepsEverything(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		channel := h.declared("Checkout is slow").ID
		h.say(anna, channel, "lead")
		h.restart()
		if answer := h.say(ben, channel, "severity sev1"); !strings.Contains(answer, "sev1") {
			t.Fatalf("after a restart the answer is %q", answer)
		}
		h.shows(channel, "sev1")
		h.shows(channel, "<@"+anna+">")
		if n := len(h.slack.Channels()); n != 3 {
			t.Errorf("%d channels after a restart, want general, incidents and the incident's", n)
		}
	})
}

// TestStopping holds a stop to its order: first not ready, then a pause in which
// everything is still served, then the end, with all that was begun done.
func TestStopping(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{env: map[string]string{"HOUSTON_LAME_DUCK": "1500ms"}})
	h.slack.SetLatency(300 * time.Millisecond)
	ended := make(chan struct{})
	began := time.Now()
	go func() {
		defer close(ended)
		h.stop()
	}()
	ready := func() (int, string) {
		status, body := h.call(http.MethodGet, "/readyz", "", nil)
		return status, string(body)
	}
	h.until("it says that it is not ready", func() bool {
		status, body := ready()
		return status == http.StatusServiceUnavailable && strings.Contains(body, "draining")
	})
	if status, _ := h.call(http.MethodGet, "/healthz", "", nil); status != http.StatusOK {
		t.Errorf("while it drains, healthz answers %d", status)
	}
	if answer := h.say(anna, announced, "declare Checkout is slow"); !strings.Contains(answer, "INC-1") {
		t.Errorf("while it drains, a command is answered %q", answer)
	}
	<-ended
	if took := time.Since(began); took < 1500*time.Millisecond {
		t.Errorf("it ended after %s, before the lame-duck pause was over", took)
	}
	c, ok := h.slack.Channel("inc-1-checkout-is-slow")
	if !ok || len(h.slack.Pins(c.ID)) != 1 {
		t.Error("the incident declared while it drained has no pinned card: what was begun was not ended")
	}
}
