package queue

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
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
	var due []string // queues that have something to do at once
	params := make([]river.InsertManyParams, len(jobs))
	for i, job := range jobs {
		at := now.Add(-clockSkew)
		if scheduled, ok := job.(incidents.Scheduled); ok {
			job = scheduled.Job
			if wait := scheduled.At.Sub(clock); wait > 0 {
				at = now.Add(wait)
			}
		}
		name := queueOf(job)
		if at.Before(now) && !slices.Contains(due, name) {
			due = append(due, name)
		}
		params[i] = river.InsertManyParams{Args: job, InsertOpts: &river.InsertOpts{Queue: name, ScheduledAt: at}}
	}
	if _, err := q.client.InsertManyFastTx(ctx, tx, params); err != nil {
		return fmt.Errorf("enqueue %d jobs: %w", len(jobs), err)
	}
	if len(due) == 0 {
		return nil
	}
	if err := q.wake(ctx, tx, due); err != nil {
		return fmt.Errorf("enqueue %d jobs: %w", len(jobs), err)
	}
	return nil
}

// urgentQueue is where jobs are that must not wait for workers which other jobs
// keep busy, such as calls that nobody answers.
const urgentQueue = "urgent"

func queueOf(job incidents.Job) string {
	if u, ok := job.(interface{ Urgent() bool }); ok && u.Urgent() {
		return urgentQueue
	}
	return river.QueueDefault
}

// insertTopic is what River's fetchers listen to, each for the payload of its
// queue (river/internal/notifier NotificationTopicInsert, river insertPayload).
const insertTopic = "river_insert"

func insertPayload(queue string) string { return `{"queue": "` + queue + `"}` }

// notify sends the NOTIFY of new jobs at the commit of tx. River does so too,
// but not when it did within the last [fetchCooldown] for another transaction,
// which may commit before this one or never. Of two in one transaction
// PostgreSQL delivers one, as they are equal.
func (q *Queue) notify(ctx context.Context, tx *sql.Tx, queues []string) error {
	payloads := make([]string, len(queues))
	for i, name := range queues {
		payloads[i] = insertPayload(name)
	}
	return q.driver.UnwrapExecutor(tx).NotifyMany(ctx, &riverdriver.NotifyManyParams{Topic: insertTopic, Payload: payloads})
}

// availableAtOnce stores a job for later as one that a fetch may take when its
// time has come. River would have its leader move it into that state, so that a
// job due in a second had to wait for a leader to be elected.
func availableAtOnce(_ context.Context, params *rivertype.JobInsertParams) error {
	params.State = rivertype.JobStateAvailable
	return nil
}
