package queue

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"github.com/houston-sre/houston/incidents"
)

// clockSkew is how far the clock of this machine may be ahead of the database
// server's. River stamps a job with the one and fetches by the other: without
// this allowance a clock 10 ms ahead would have each job miss the fetch that
// its NOTIFY brings about, and wait for the next poll.
const clockSkew = time.Minute

// Enqueue writes jobs in the caller's transaction: none is seen unless it
// commits, and a worker is woken as soon as it does. A job of a kind that no
// process handles waits until one does. Numbers above 2^53 in a job may lose
// their last digits on the way, as in JavaScript.
func (q *Queue) Enqueue(ctx context.Context, tx *sql.Tx, jobs []incidents.Job) error {
	if len(jobs) == 0 {
		return nil
	}
	now, clock := time.Now(), q.clock.Now()
	due := false
	params := make([]river.InsertManyParams, len(jobs))
	for i, job := range jobs {
		at := now.Add(-clockSkew)
		if scheduled, ok := job.(incidents.Scheduled); ok {
			job = scheduled.Job
			if wait := scheduled.At.Sub(clock); wait > 0 {
				at = now.Add(wait)
			}
		}
		due = due || at.Before(now)
		params[i] = river.InsertManyParams{Args: job, InsertOpts: &river.InsertOpts{ScheduledAt: at}}
	}
	if _, err := q.client.InsertManyFastTx(ctx, tx, params); err != nil {
		return fmt.Errorf("enqueue %d jobs: %w", len(jobs), err)
	}
	if !due {
		return nil
	}
	if err := q.wake(ctx, tx); err != nil {
		return fmt.Errorf("enqueue %d jobs: %w", len(jobs), err)
	}
	return nil
}

// insertTopic and insertPayload are what River's fetchers listen to
// (river/internal/notifier NotificationTopicInsert, river insertPayload).
const (
	insertTopic   = "river_insert"
	insertPayload = `{"queue": "` + river.QueueDefault + `"}`
)

// notify sends the NOTIFY of new jobs at the commit of tx. River does so too,
// but not when it did within the last [fetchCooldown] for another transaction,
// which may commit before this one or never. Of two in one transaction
// PostgreSQL delivers one, as they are equal.
func (q *Queue) notify(ctx context.Context, tx *sql.Tx) error {
	return q.driver.UnwrapExecutor(tx).NotifyMany(ctx, &riverdriver.NotifyManyParams{
		Topic: insertTopic, Payload: []string{insertPayload},
	})
}

// availableAtOnce stores a job for later as one that a fetch may take when its
// time has come. River would have its leader move it into that state, so that a
// job due in a second had to wait for a leader to be elected.
func availableAtOnce(_ context.Context, params *rivertype.JobInsertParams) error {
	params.State = rivertype.JobStateAvailable
	return nil
}
