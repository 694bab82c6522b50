package queue

import (
	"testing"
	"time"

	"github.com/riverqueue/river"

	"github.com/houston-sre/houston/incidents"
)

func TestJobsFollowTheTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, _ := newQueue(t, d)
		worked := count(q)
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

// River stamps jobs with this machine's time and fetches by the database's: one
// that is a little behind must not hide the job from the fetch it wakes.
func TestJobsAreDueWhateverTheServersClockSays(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, _ := newQueue(t, d)
		enqueue(t, q, poke{N: 1}, incidents.Scheduled{Job: poke{N: 2}, At: q.clock.Now()})
		jobs, err := q.client.JobList(t.Context(), river.NewJobListParams())
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs.Jobs) != 2 {
			t.Fatalf("%d jobs stored, want 2", len(jobs.Jobs))
		}
		for _, job := range jobs.Jobs {
			if ahead := time.Until(job.ScheduledAt); ahead > -30*time.Second {
				t.Errorf("job %s is due in %v, want half a minute ago at least", job.EncodedArgs, ahead)
			}
		}
	})
}
