package main

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents/proctest"
)

// TestHeavyAnswersWhileManyDeclare prints how long Slack waits for the answer
// to a command while 20 incidents a second are declared and all that they owe
// is made. On SQLite, which has one writer, the figure is printed only.
func TestHeavyAnswersWhileManyDeclare(t *testing.T) {
	proctest.Heavy(t)
	const (
		perSecond = 20
		seconds   = 15
	)
	t.Log(machine())
	databases := durableDatabases(t)
	for _, database := range []string{"postgres", "sqlite"} {
		t.Run(database, func(t *testing.T) {
			rounds(t, func(t *testing.T) []string {
				t.Helper()
				h := newHouse(t, plan{database: databases[database](t)})
				h.slack.SetLatency(50 * time.Millisecond)
				var (
					mu      sync.Mutex
					answers figures
				)
				pace(t.Context(), perSecond*seconds, time.Second/perSecond, func(n int) {
					reply, err := h.slack.Command(t.Context(), sandbox.Command{
						User: anna, Channel: announced, Command: "/incident", Text: fmt.Sprintf("declare Offers fail in zone %d", n),
					})
					if err != nil {
						t.Errorf("command %d: %v", n, err)
						return
					}
					mu.Lock()
					defer mu.Unlock()
					answers = append(answers, reply.Latency)
				})
				t.Logf("answers at %d a second for %d s: %s", perSecond, seconds, answers)
				ended := time.Now()
				h.until("all cards are pinned", func() bool { return succeeded(h.slack, "pins.add") >= perSecond*seconds })
				t.Logf("all %d cards pinned %.1f s after the last command; usable by /metrics in %.0f ms on average", perSecond*seconds, time.Since(ended).Seconds(),
					1000*h.metric("houston_declare_to_usable_channel_seconds_sum")/(perSecond*seconds))
				h.stop()
				if database == "sqlite" {
					return nil
				}
				return slices.Concat(answers.within("answer", 0.5, 30*time.Millisecond), answers.within("answer", 0.99, 200*time.Millisecond))
			})
		})
	}
}

// succeeded counts the calls of a method that Slack answered with ok.
func succeeded(w *sandbox.Workspace, method string) int {
	n := 0
	for _, call := range w.Calls(method) {
		if call.Error == "" && call.Status == 200 {
			n++
		}
	}
	return n
}
