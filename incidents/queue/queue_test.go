package queue

import (
	"context"
	"testing"

	"github.com/houston-sre/houston/incidents"
)

func TestJobsFollowTheTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, _ := newQueue(t, d)
		var worked tally
		Handle(q, func(_ context.Context, job poke) error { worked.add(job.N); return nil })
		enqueue(t, q, poke{N: 1}) // before Start
		start(t, q)

		tx := begin(t, q)
		if err := q.Enqueue(t.Context(), tx, []incidents.Job{poke{N: 2}}); err != nil {
			t.Fatal(err)
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		enqueue(t, q) // nothing is no fault
		enqueue(t, q, poke{N: 3})

		eventually(t, "jobs 1 and 3 worked", func() bool { return len(worked.of(1)) == 1 && len(worked.of(3)) == 1 })
		eventually(t, "jobs 1 and 3 completed", func() bool { return states(t, d)["completed"] == 2 })
		if got := len(worked.of(2)); got != 0 {
			t.Errorf("the job of a rolled back transaction was worked %d times", got)
		}
	})
}
