package queue

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

// patience bounds each wait for something that should come soon; tests run
// beside others on small machines.
const patience = 90 * time.Second

// poke is a job of the tests.
type poke struct {
	N int `json:"n"`
}

func (poke) Kind() string { return "poke" }

// databases opens an empty database of each kind.
func databases() map[string]func(testing.TB) database {
	return map[string]func(testing.TB) database{"sqlite": sqliteDatabase, "postgres": postgresDatabase}
}

// onBoth runs a test against an empty database of each kind.
func onBoth(t *testing.T, test func(*testing.T, database)) {
	t.Helper()
	t.Parallel()
	for name, open := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

// database is an empty database opened as the process does it.
type database struct {
	db   *sql.DB
	pool *pgxpool.Pool
	dsn  string
}

func sqliteDatabase(tb testing.TB) database {
	tb.Helper()
	dsn := "file:" + filepath.Join(tb.TempDir(), "houston.db") + "?_txlock=immediate" +
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)"
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		tb.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	tb.Cleanup(func() { closed(tb, db) })
	return database{db: db, dsn: dsn}
}

func postgresDatabase(tb testing.TB) database {
	tb.Helper()
	return connect(tb, pgtest.Schema(tb))
}

// connect opens a PostgreSQL database once more, as another replica does.
func connect(tb testing.TB, dsn string) database {
	tb.Helper()
	pool, err := pgxpool.New(tb.Context(), dsn)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(pool.Close)
	db := stdlib.OpenDBFromPool(pool)
	tb.Cleanup(func() { closed(tb, db) })
	return database{db: db, pool: pool, dsn: dsn}
}

func closed(tb testing.TB, db *sql.DB) {
	tb.Helper()
	if err := db.Close(); err != nil {
		tb.Errorf("close the database: %v", err)
	}
}

// clock stands at its value plus the time passed since the test binary began.
type clock struct{ offset time.Duration }

func (c clock) Now() time.Time { return time.Now().Add(c.offset) }

// newQueue makes a migrated queue that is not started.
func newQueue(tb testing.TB, d database) (*Queue, *journal) {
	tb.Helper()
	log := &journal{}
	// A clock far from the machine's shows where the two are confused.
	q, err := New(Config{DB: d.db, Pool: d.pool, Clock: clock{-20 * 365 * 24 * time.Hour}, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		tb.Fatal(err)
	}
	if err := q.Migrate(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return q, log
}

// start starts a queue and stops it when the test ends.
func start(tb testing.TB, q *Queue) {
	tb.Helper()
	if err := q.Start(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), patience)
		defer cancel()
		if err := q.Stop(ctx); err != nil {
			tb.Error(err)
		}
	})
}

// enqueue enqueues jobs in a transaction of their own.
func enqueue(tb testing.TB, q *Queue, jobs ...incidents.Job) {
	tb.Helper()
	tx := begin(tb, q)
	if err := q.Enqueue(tb.Context(), tx, jobs); err != nil {
		tb.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		tb.Fatal(err)
	}
}

func begin(tb testing.TB, q *Queue) *sql.Tx {
	tb.Helper()
	tx, err := q.db.BeginTx(tb.Context(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return tx
}

// eventually polls until ok or patience is at an end.
func eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			tb.Fatalf("waited %v in vain: %s", patience, what)
		case <-tick.C:
		}
	}
}

// receive waits for a value.
func receive[T any](tb testing.TB, what string, c <-chan T) T {
	tb.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		tb.Fatalf("waited %v in vain: %s", patience, what)
		panic("unreachable")
	}
}

// states counts River's jobs by state.
func states(tb testing.TB, d database) map[string]int {
	tb.Helper()
	rows, err := d.db.QueryContext(tb.Context(), `SELECT state, count(*) FROM river_job GROUP BY state`)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() {
		if err := rows.Close(); err != nil {
			tb.Error(err)
		}
	}()
	counts := map[string]int{}
	for rows.Next() {
		var state string
		var n int
		if err := rows.Scan(&state, &n); err != nil {
			tb.Fatal(err)
		}
		counts[state] = n
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	return counts
}

// tally counts how often each job was worked.
type tally struct {
	mu    sync.Mutex
	times map[int][]time.Time
}

// count has a queue's pokes worked by counting them.
func count(q *Queue) *tally {
	worked := &tally{}
	Handle(q, func(_ context.Context, job poke) error { worked.add(job.N); return nil })
	return worked
}

func (c *tally) add(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.times == nil {
		c.times = map[int][]time.Time{}
	}
	c.times[n] = append(c.times[n], time.Now())
	return len(c.times[n])
}

// of gives when job n was worked.
func (c *tally) of(n int) []time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]time.Time(nil), c.times[n]...)
}

func (c *tally) jobs() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.times)
}

// repeated names the jobs that were worked other than once.
func (c *tally) repeated() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var odd []string
	for n, times := range c.times {
		if len(times) != 1 {
			odd = append(odd, fmt.Sprintf("job %d: %d times", n, len(times)))
		}
	}
	return odd
}

// journal keeps log lines.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}
