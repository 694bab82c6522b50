package queue

import (
	"context"
	"testing"
	"time"
)

// alarm is an urgent job of the tests.
type alarm struct {
	N int `json:"n"`
}

func (alarm) Kind() string { return "alarm" }
func (alarm) Urgent() bool { return true }

// TestUrgentJobsWaitForNoOthers has all workers busy with jobs that hang, more
// of them queued, and an urgent one after them.
func TestUrgentJobsWaitForNoOthers(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, _ := newQueue(t, d)
		hang, release := context.WithCancel(t.Context())
		defer release()
		hung := make(chan struct{}, 100)
		Handle(q, func(context.Context, poke) error { hung <- struct{}{}; <-hang.Done(); return nil })
		done := make(chan time.Time, 1)
		Handle(q, func(context.Context, alarm) error { done <- time.Now(); return nil })
		start(t, q)
		for i := range 2 * postgresWorkers {
			enqueue(t, q, poke{i})
		}
		eventually(t, "the workers hang", func() bool { return len(hung) >= sqliteWorkers })
		enqueue(t, q, alarm{1})
		select {
		case <-done:
		case <-time.After(patience):
			t.Fatal("the urgent job waits for the others")
		}
		release()
	})
}
