package sqlstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore"
	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, url, want string }{
		{"nothing", "", "sqlite:houston.db or postgres://"},
		{"another database", "mysql://localhost/houston", "sqlite:houston.db or postgres://"},
		{"no file", "sqlite:", "name a file"},
		{"memory", "sqlite::memory:", "would forget every incident"},
		{"a folder that is not there", "sqlite:/no/such/folder/houston.db", "no such file or directory"},
		{"nobody listens", "postgres://u:secret@127.0.0.1:1/houston?connect_timeout=2", "reach the database"},
		{"nonsense", "postgres://u:secret@:::/houston", "read the database's URL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			store, err := sqlstore.Open(t.Context(), sqlstore.Config{URL: tt.url})
			if err == nil {
				store.Close() //nolint:errcheck // the test has failed already
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %q does not say %q", err, tt.want)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("error %q tells the password", err)
			}
		})
	}
}

func TestSQLiteIsSafe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "50% of a #1 file?.db")
	store := openStore(t, "sqlite:"+path)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o600 {
		t.Errorf("the file's mode is %o, want 600: it holds private incidents", got)
	}
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "10000"} {
		var got string
		if err := store.DB().QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", pragma, got, want)
		}
	}
	if store.Pool() != nil || store.IsPostgres() {
		t.Error("SQLite passes for PostgreSQL")
	}
}

// Reading goes on while a transaction writes, and sees nothing of it yet.
func TestReadWhileWriting(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		inc := store.declare(t, "Down")
		_, err := store.Update(t.Context(), inc.Number, incidents.Once{}, func(now incidents.Incident) (incidents.Change, error) {
			got, err := store.Incident(t.Context(), inc.Number)
			if err == nil && got.Seq != now.Seq {
				t.Errorf("read event %d, want %d", got.Seq, now.Seq)
			}
			return incidents.Change{Incident: now}, err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestMigrateAgain(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "Down")
		if err := store.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Incident(t.Context(), 1); err != nil {
			t.Error(err)
		}
	})
}

// Two replicas start, migrate and work on one database at once.
func TestTwoReplicas(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Schema(t)
	var stores [2]*sqlstore.Store
	var wg sync.WaitGroup
	for i := range stores {
		store, err := sqlstore.Open(t.Context(), sqlstore.Config{URL: dsn})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
		stores[i] = store
		wg.Go(func() {
			if err := store.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	one, other := openStore(t, dsn), openStore(t, dsn)
	twenty(func(i int) {
		store := one
		if i%2 == 0 {
			store = other
		}
		if _, err := store.service().Declare(t.Context(), incidents.Declare{Request: by("command/1"), Title: "Down"}); err != nil {
			t.Error(err)
		}
		if err := store.service().Ingest(t.Context(), delivery(firing("Down", "a"))); err != nil {
			t.Error(err)
		}
	})
	if got := one.count(t, "incidents"); got != 2 {
		t.Errorf("%d incidents, want one by the command and one by the alert", got)
	}
}

// Two transactions that lock two incidents crosswise both go through: the one
// that PostgreSQL ends is run again.
func TestDeadlockIsRunAgain(t *testing.T) {
	t.Parallel()
	store := openStore(t, pgtest.Schema(t))
	store.declare(t, "One")
	store.declare(t, "Two")
	var holding sync.WaitGroup // both hold their first incident
	holding.Add(2)
	var tries atomic.Int64
	var wg sync.WaitGroup
	for _, order := range [][]int64{{1, 2}, {2, 1}} {
		wg.Go(func() {
			var first sync.Once
			group := incidents.AlertGroup{ID: fmt.Sprint(order)}
			err := store.Ingest(t.Context(), group, nil, func(tx incidents.GroupTx) error {
				tries.Add(1)
				if _, err := tx.Incident(order[0]); err != nil {
					return err
				}
				first.Do(func() { holding.Done(); holding.Wait() })
				_, err := tx.Incident(order[1])
				return err
			})
			if err != nil {
				t.Errorf("locking %v: %v", order, err)
			}
		})
	}
	wg.Wait()
	if got := tries.Load(); got < 3 {
		t.Errorf("decided %d times: there was no deadlock", got)
	}
}

// A small pool must not wait for itself.
func TestSmallPool(t *testing.T) {
	t.Parallel()
	openStore(t, pgtest.Schema(t)+"&pool_max_conns=1").declare(t, "Down")
}

// A database that goes away gives ordinary errors, and comes back by itself.
func TestDatabaseGoesAway(t *testing.T) {
	t.Parallel()
	cluster := pgtest.New(t, pgtest.Config{})
	store := openStore(t, cluster.Schema(t))
	store.declare(t, "Down")
	cluster.Stop(t)
	if err := store.Ping(t.Context()); err == nil || incidents.KindOf(err) != "" {
		t.Errorf("ping gave %v, want an internal error", err)
	}
	if _, err := store.service().Declare(t.Context(), incidents.Declare{Request: by(""), Title: "Lost"}); err == nil || incidents.KindOf(err) != "" {
		t.Errorf("declare gave %v, want an internal error", err)
	}
	cluster.Start(t)
	if err := store.Ping(t.Context()); err != nil {
		t.Errorf("ping after the restart: %v", err)
	}
	if inc := store.declare(t, "Back"); inc.Number < 2 {
		t.Errorf("the incident after the restart is %s", inc.Key())
	}
}
