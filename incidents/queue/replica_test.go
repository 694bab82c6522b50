package queue

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

func TestReplicasShareTheWork(t *testing.T) {
	t.Parallel()
	const jobs = 400
	first := postgresDatabase(t)
	replicas := []database{first, connect(t, first.dsn)}
	var worked tally
	var share [2]tally
	var queues [2]*Queue
	for i, d := range replicas {
		queues[i], _ = newQueue(t, d)
		Handle(queues[i], func(ctx context.Context, job poke) error {
			worked.add(job.N)
			share[i].add(job.N)
			select { // as long as a call to Slack, roughly
			case <-time.After(20 * time.Millisecond):
			case <-ctx.Done():
			}
			return nil
		})
		start(t, queues[i])
	}
	for n := range jobs {
		enqueue(t, queues[n%2], poke{N: n})
	}
	eventually(t, "all jobs worked", func() bool { return worked.jobs() == jobs })
	eventually(t, "all jobs completed", func() bool { return states(t, first)["completed"] == jobs })
	if odd := worked.repeated(); len(odd) > 0 {
		t.Errorf("not worked once: %v", odd)
	}
	for i := range share {
		t.Logf("replica %d worked %d of %d", i, share[i].jobs(), jobs)
		if share[i].jobs() == 0 {
			t.Errorf("replica %d worked nothing", i)
		}
	}
}

// What one replica enqueues wakes another that does not enqueue, by LISTEN.
func TestReplicaHearsOfAnothersJobs(t *testing.T) {
	t.Parallel()
	first := postgresDatabase(t)
	inserts, _ := newQueue(t, first)
	works, _ := newQueue(t, connect(t, first.dsn))
	done := make(chan time.Time, 1)
	Handle(works, func(context.Context, poke) error { done <- time.Now(); return nil })
	start(t, works)
	var took []time.Duration
	for n := range 40 {
		enqueue(t, inserts, poke{N: n})
		committed := time.Now()
		took = append(took, receive(t, "the job worked", done).Sub(committed))
	}
	if got := median(took); got > pollEvery/2 {
		t.Errorf("median %v from commit to work: that is polling, not listening", got)
	}
}

// A transaction's job is heard of at its own commit, whatever others did
// shortly before.
func TestEachCommitWakes(t *testing.T) {
	t.Parallel()
	d := postgresDatabase(t)
	q, _ := newQueue(t, d)
	done := make(chan int, 1)
	Handle(q, func(_ context.Context, job poke) error { done <- job.N; return nil })
	start(t, q)
	var took []time.Duration
	for range 20 {
		early, late := begin(t, q), begin(t, q)
		for n, tx := range []*sql.Tx{early, late} {
			if err := q.Enqueue(t.Context(), tx, []incidents.Job{poke{N: n}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := early.Commit(); err != nil {
			t.Fatal(err)
		}
		receive(t, "the early job", done)
		if err := late.Commit(); err != nil {
			t.Fatal(err)
		}
		committed := time.Now()
		receive(t, "the late job", done)
		took = append(took, time.Since(committed))
	}
	if got := median(took); got > pollEvery/4 {
		t.Errorf("median %v from the later commit to work: that is polling", got)
	}
}

// A process hears of jobs again after the database was away.
func TestDatabaseComesBack(t *testing.T) {
	t.Parallel()
	cluster := pgtest.New(t, pgtest.Config{})
	d := connect(t, cluster.Schema(t))
	q, log := newQueue(t, d)
	done := make(chan int, 8)
	Handle(q, func(_ context.Context, job poke) error { done <- job.N; return nil })
	start(t, q)
	enqueue(t, q, poke{N: 1})
	receive(t, "a job before", done)

	cluster.Stop(t)
	eventually(t, "the fault in the log", func() bool { return strings.Contains(log.String(), "Error fetching jobs") })
	cluster.Start(t)
	eventually(t, "the database back", func() bool { return d.db.PingContext(t.Context()) == nil })
	enqueue(t, q, poke{N: 2})
	if got := receive(t, "a job afterwards", done); got != 2 {
		t.Errorf("worked job %d, want 2", got)
	}
	eventually(t, "NOTIFY heard again", func() bool {
		var listening int
		err := d.db.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`).Scan(&listening)
		return err == nil && listening == 1
	})
	if lines := strings.Count(log.String(), "\n"); lines > 20 || strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("%d log lines, want few and no errors:\n%s", lines, log)
	}
}

func TestMigrateTwiceAtOnce(t *testing.T) {
	t.Parallel()
	first := postgresDatabase(t)
	errs := make(chan error, 4)
	for range cap(errs) {
		d := connect(t, first.dsn)
		q, err := New(Config{DB: d.db, Pool: d.pool, Clock: incidents.SystemClock{}, Log: discard()})
		if err != nil {
			t.Fatal(err)
		}
		go func() { errs <- errors.Join(q.Migrate(t.Context()), q.Migrate(t.Context())) }()
	}
	for range cap(errs) {
		if err := receive(t, "Migrate", errs); err != nil {
			t.Error(err)
		}
	}
}

func TestNewAsksForWhatItNeeds(t *testing.T) {
	t.Parallel()
	whole := Config{DB: sqliteDatabase(t).db, Clock: clock{}, Log: discard()}
	for name, spoil := range map[string]func(*Config){
		"no database": func(c *Config) { c.DB = nil },
		"no clock":    func(c *Config) { c.Clock = nil },
		"no log":      func(c *Config) { c.Log = nil },
	} {
		config := whole
		spoil(&config)
		if _, err := New(config); err == nil {
			t.Errorf("%s: New succeeded, want an error", name)
		}
	}
	if _, err := New(whole); err != nil {
		t.Error(err)
	}
}
