package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents/proctest"
)

// burst declares 30 incidents at once while Slack opens 20 channels a minute,
// waits until all are in place, and gives the answers.
func (h *house) burst(minute time.Duration) []string {
	h.t.Helper()
	const incidents = 30
	h.slack.EnforceRatesBy(minute)
	answers := make([]string, incidents)
	var all sync.WaitGroup
	for i := range incidents {
		all.Go(func() {
			reply, err := h.slack.Command(h.t.Context(), sandbox.Command{
				User: anna, Channel: announced, Command: "/incident", Text: fmt.Sprintf("declare Offers answer 500, part %d", i),
			})
			if err != nil {
				h.t.Errorf("part %d: %v", i, err) // operation_timeout after three seconds
			}
			answers[i] = reply.Text
		})
	}
	all.Wait()
	h.until("Slack opens no more channels", func() bool {
		return h.metric(`houston_slack_waited_seconds_total{method="conversations.create"}`) > 0
	})
	late := h.say(anna, announced, "declare One more")
	if !strings.Contains(late, "follows in about") || !strings.Contains(late, "https://meet.") {
		h.t.Errorf("once Slack opens no more channels the answer is %q, want that the channel follows, and the video call", late)
	}
	limit := time.Now().Add(patience + 3*minute)
	for missing := "?"; missing != ""; {
		if time.Now().After(limit) {
			h.t.Fatalf("not in place: %s", missing)
		}
		missing = h.missing(incidents + 1)
		<-time.After(50 * time.Millisecond)
	}
	return answers
}

// missing says what of n incidents is not in place.
func (h *house) missing(n int) string {
	announcements := 0
	for _, m := range h.slack.Messages(announced) {
		if strings.Contains(m.Text, "INC-") {
			announcements++
		}
	}
	open := 0
	for _, channel := range h.slack.Channels() {
		if !strings.HasPrefix(channel.Name, "inc-") {
			continue
		}
		open++
		switch {
		case len(h.slack.Pins(channel.ID)) != 1:
			return channel.Name + " has no pinned card"
		case channel.Topic == "":
			return channel.Name + " has no topic"
		}
	}
	if open != n || announcements != n {
		return fmt.Sprintf("%d channels and %d announcements of %d", open, announcements, n)
	}
	return ""
}

// TestHeavyBurst is a burst with a minute of a few seconds.
func TestHeavyBurst(t *testing.T) { //nolint:tparallel // timed: nothing else runs beside it
	proctest.Heavy(t)
	onBoth(t, func(t *testing.T, p plan) {
		const minute = 8 * time.Second
		p.minute = minute
		h := newHouse(t, p)
		h.burst(minute)
		if n := h.metric(`houston_slack_calls_total{method="conversations.create",outcome="ok"}`); n != 31 {
			t.Errorf("%v channels were opened, want 31", n)
		}
		h.until("nothing is owed", func() bool { return h.metric(`houston_effects_owed{kind="channel"}`) == 0 })
	})
}
