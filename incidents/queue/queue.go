package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivertype"

	"github.com/houston-sre/houston/incidents"
)

const (
	// fetchCooldown is the least distance of two fetches of one process.
	fetchCooldown = 5 * time.Millisecond
	// pollEvery is how often a process looks for due jobs unasked.
	pollEvery = 250 * time.Millisecond
	// jobTimeout is when a worker's context ends.
	jobTimeout = time.Minute
	// rescueAfter is when a job that is still running is taken for one of a
	// killed process and worked again.
	rescueAfter = 2 * time.Minute
	// maxAttempts counts rescues only: a failed job is put off, which counts
	// for nothing. A job that kills its process this often is discarded.
	maxAttempts = 25
	// keepFinished is how long finished jobs stay in the table.
	keepFinished = time.Hour
	// cancelGrace is how long cancelled workers get to return.
	cancelGrace = 5 * time.Second

	postgresWorkers = 32
	sqliteWorkers   = 16
	// urgentWorkers work on urgent jobs only.
	urgentWorkers = 16
)

// Config of a Queue. All but Pool and Workers is required.
type Config struct {
	// DB is where the callers of [Queue.Enqueue] begin their transactions: for
	// PostgreSQL made of Pool, for SQLite the one writing connection.
	DB *sql.DB
	// Pool is the PostgreSQL pool; nil means SQLite. One connection is taken
	// out of it for good when the queue starts.
	Pool *pgxpool.Pool
	// Clock is the one that [incidents.Scheduled] times come from.
	Clock incidents.Clock
	Log   *slog.Logger
	// Workers is how many jobs this process works on at a time, the urgent ones
	// not counted; 0 means 32 on PostgreSQL and 16 on SQLite.
	Workers int
}

// Queue is one process's part in the jobs of a database. Its life is New,
// Migrate, Handle and Periodic, Start, Stop, each once; Enqueue works from
// Migrate on.
type Queue struct {
	db     *sql.DB
	clock  incidents.Clock
	log    *slog.Logger
	driver riverdriver.Driver[*sql.Tx]
	// wake has processes fetch from these queues as soon as the transaction commits.
	wake   func(ctx context.Context, tx *sql.Tx, queues []string) error
	client *river.Client[*sql.Tx]

	workers *river.Workers
	sweeps  []sweep
	sweeper *sweeper // nil until started
}

// New makes a Queue; it does not touch the database.
func New(config Config) (*Queue, error) {
	if config.DB == nil || config.Clock == nil || config.Log == nil {
		return nil, errors.New("queue: DB, Clock and Log are required")
	}
	q := &Queue{
		db: config.DB, clock: config.Clock, log: config.Log,
		workers: river.NewWorkers(),
	}
	workers := config.Workers
	if config.Pool != nil {
		q.driver = riverdatabasesql.NewWithPgxListener(config.DB, config.Pool)
		q.wake = q.notify
		workers = orDefault(workers, postgresWorkers)
	} else {
		driver := newSQLiteDriver(config.DB)
		q.driver, q.wake = driver, driver.wake
		workers = orDefault(workers, sqliteWorkers)
	}
	var err error
	q.client, err = river.NewClient(q.driver, &river.Config{
		Queues: map[string]river.QueueConfig{
			river.QueueDefault: {MaxWorkers: workers}, urgentQueue: {MaxWorkers: urgentWorkers},
		},
		Workers:                     q.workers,
		FetchCooldown:               fetchCooldown,
		FetchPollInterval:           pollEvery,
		JobTimeout:                  jobTimeout,
		RescueStuckJobsAfter:        rescueAfter,
		MaxAttempts:                 maxAttempts,
		CompletedJobRetentionPeriod: keepFinished,
		// While replicas of two versions run, the older one leaves alone what
		// it does not know, and either may enqueue what the other works on.
		FetchOnlyKnownKinds: true,
		SkipUnknownJobCheck: true,
		Hooks:               []rivertype.Hook{river.HookInsertBeginFunc(availableAtOnce)},
		Logger:              slog.New(quiet(config.Log.Handler())),
	})
	if err != nil {
		return nil, fmt.Errorf("make the River client: %w", err)
	}
	return q, nil
}

func orDefault(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// Start has jobs worked and sweeps run until Stop. ctx bounds the first look at
// the database only; its end later stops nothing.
func (q *Queue) Start(ctx context.Context) error {
	if err := q.db.PingContext(ctx); err != nil {
		return fmt.Errorf("start the queue: %w", err)
	}
	if err := q.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the queue: %w", err)
	}
	q.sweeper = startSweeps(context.WithoutCancel(ctx), q.sweeps, q.log)
	return nil
}

// Stop takes no more jobs and waits for those being worked on. When ctx ends
// first, their contexts are cancelled, they get five seconds to return, and
// what they had not done is left for the next start. An error means that a
// worker is still running.
func (q *Queue) Stop(ctx context.Context) error {
	if q.sweeper == nil {
		return nil
	}
	q.sweeper.stop()
	var wg sync.WaitGroup
	wg.Go(func() { q.sweeper.wait(ctx) })
	err := q.client.Stop(ctx)
	wg.Wait()
	if err == nil && q.sweeper.stopped() {
		return nil
	}
	q.sweeper.cancel()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelGrace)
	defer cancel()
	if err := q.client.StopAndCancel(grace); err != nil {
		return fmt.Errorf("stop the queue: a job ignores its cancellation: %w", err)
	}
	q.sweeper.wait(grace)
	if !q.sweeper.stopped() {
		return errors.New("stop the queue: a sweep ignores its cancellation")
	}
	return nil
}
