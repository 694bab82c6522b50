package sqlstore_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore"
	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

// start is when the tests' clocks begin.
var start = time.Date(2026, 3, 2, 9, 0, 0, 123456000, time.UTC)

// forEach runs a test on both databases, each with a fresh, migrated store.
func forEach(t *testing.T, test func(store *testStore)) {
	t.Helper()
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		store := openSQLite(t)
		store.t = t
		test(store)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		store := openStore(t, pgtest.Schema(t))
		store.t = t
		test(store)
	})
}

// testStore is a store whose clock stands still until it is moved, and whose
// queue is a table, so that jobs come and go with their transaction.
type testStore struct {
	*sqlstore.Store

	t     *testing.T // the test that forEach opened it for
	b     *testing.B // likewise of forEachBench
	clock *clock
}

func openSQLite(tb testing.TB) *testStore {
	tb.Helper()
	empty, err := emptySQLite()
	if err != nil {
		tb.Fatalf("migrate an SQLite database: %v", err)
	}
	file := filepath.Join(tb.TempDir(), "houston.db")
	if err := os.WriteFile(file, empty, 0o600); err != nil {
		tb.Fatal(err)
	}
	return openStore(tb, "sqlite:"+file)
}

// emptySQLite is an SQLite database at this version with nothing in it, of which
// each test has a copy: migrating each anew takes a quarter of a second of a
// processor.
var emptySQLite = sync.OnceValues(func() (raw []byte, err error) {
	dir, err := os.MkdirTemp("", "houston-empty-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "houston.db")
	store, err := sqlstore.Open(context.Background(), sqlstore.Config{URL: "sqlite:" + file, Clock: incidents.SystemClock{}})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(store.Migrate(context.Background()), store.Close()); err != nil {
		return nil, err
	}
	if _, err := os.Stat(file + "-wal"); err == nil {
		return nil, errors.New("the file alone is not the database")
	}
	return os.ReadFile(file)
})

func openStore(tb testing.TB, url string) *testStore {
	tb.Helper()
	s := &testStore{clock: &clock{now: start}}
	store, err := sqlstore.Open(tb.Context(), sqlstore.Config{URL: url, Clock: s.clock})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := store.Close(); err != nil {
			tb.Error(err)
		}
	})
	s.Store = store
	if err := s.Migrate(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	s.SetEnqueue(enqueue)
	if _, err := s.DB().ExecContext(tb.Context(), `CREATE TABLE IF NOT EXISTS jobs (kind TEXT, args TEXT, at BIGINT)`); err != nil {
		tb.Fatal(err)
	}
	return s
}

func enqueue(ctx context.Context, tx *sql.Tx, jobs []incidents.Job) error {
	for _, job := range jobs {
		var at int64
		if scheduled, ok := job.(incidents.Scheduled); ok {
			job, at = scheduled.Job, scheduled.At.UnixMicro()
		}
		args, err := json.Marshal(job)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO jobs (kind, args, at) VALUES ($1, $2, $3)`, job.Kind(), string(args), at)
		if err != nil {
			return err
		}
	}
	return nil
}

// jobs takes all jobs out of the queue, written like
// run_effect {"effect":"INC-1/card","version":1}.
func (s *testStore) jobs(t *testing.T) []string {
	t.Helper()
	rows, err := s.DB().QueryContext(t.Context(), `DELETE FROM jobs RETURNING kind, args, at`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var kind, args string
		var at int64
		if err := rows.Scan(&kind, &args, &at); err != nil {
			t.Fatal(err)
		}
		line := kind + " " + args
		if at != 0 {
			line += " at " + time.UnixMicro(at).UTC().Format(time.TimeOnly)
		}
		list = append(list, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// count counts the rows of a table.
func (s *testStore) count(t *testing.T, table string) int {
	t.Helper()
	var n int
	if err := s.DB().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM `+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// awaitLock waits until a transaction waits for a row of this test's schema. On
// SQLite there is nothing to see: the whole database is locked.
func (s *testStore) awaitLock(ctx context.Context, t *testing.T) {
	t.Helper()
	for s.IsPostgres() {
		var waiting bool
		err := s.DB().QueryRowContext(ctx, `
			SELECT EXISTS (
				SELECT 1 FROM pg_locks w JOIN pg_locks h ON h.pid = w.pid AND h.locktype = 'relation'
				WHERE NOT w.granted AND h.relation = 'incidents'::regclass
			)`).Scan(&waiting)
		switch {
		case err != nil:
			t.Error(err)
			return
		case waiting:
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// clock stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// service is the domain on the store.
func (s *testStore) service(change ...func(*incidents.Config)) *incidents.Service {
	config := incidents.Config{Store: s, Clock: s.clock, Announce: true, FlapWindow: 30 * time.Minute}
	for _, c := range change {
		c(&config)
	}
	return incidents.NewService(config)
}

func ana() incidents.Actor {
	return incidents.Actor{Person: incidents.Person{ID: "U1", Name: "Ana"}, Via: incidents.FromSlack, Standing: incidents.Member}
}

func by(once string) incidents.Request {
	return incidents.Request{Actor: ana(), Once: incidents.Once{Key: once, Digest: "d", Keep: time.Hour}}
}

// declare opens an incident and returns it.
func (s *testStore) declare(t *testing.T, title string) incidents.Incident {
	t.Helper()
	result, err := s.service().Declare(t.Context(), incidents.Declare{Request: by(""), Title: title})
	if err != nil {
		t.Fatal(err)
	}
	return result.Incident
}
