package sqlstore_test

import (
	"path/filepath"
	"testing"

	"github.com/houston-sre/houston/incidents/sqlstore"
	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

// Looking at a database leaves it as it was, migrated or not.
func TestInspect(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			url := "sqlite:" + filepath.Join(t.TempDir(), "houston.db")
			if kind == "postgres" {
				url = pgtest.Schema(t)
			}
			store, err := sqlstore.Open(t.Context(), sqlstore.Config{URL: url})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = store.Close() })
			for range 2 { // the second look would see what the first one made
				if have, want, err := store.Schema(t.Context()); err != nil || have != 0 || want == 0 {
					t.Errorf("before the migration: %d of %d, %v; want 0 of more", have, want, err)
				}
				if err := store.TryWrite(t.Context()); err != nil {
					t.Errorf("before the migration: %v", err)
				}
			}
			if err := store.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			if have, want, err := store.Schema(t.Context()); err != nil || have != want {
				t.Errorf("after the migration: %d of %d, %v; want all", have, want, err)
			}
			if err := store.TryWrite(t.Context()); err != nil {
				t.Errorf("after the migration: %v", err)
			}
			create := `CREATE TABLE houston_can_write (x INTEGER)`
			if _, err := store.DB().ExecContext(t.Context(), create); err != nil {
				t.Errorf("TryWrite left its table behind: %v", err)
			}
		})
	}
}

func TestTryWriteFails(t *testing.T) {
	t.Parallel()
	url := pgtest.Schema(t)
	store, err := sqlstore.Open(t.Context(), sqlstore.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	// As a replica that only reads.
	store, err = sqlstore.Open(t.Context(), sqlstore.Config{URL: url + "&default_transaction_read_only=on"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if _, _, err := store.Schema(t.Context()); err != nil {
		t.Errorf("reading the schema's version: %v", err)
	}
	if err := store.TryWrite(t.Context()); err == nil {
		t.Error("TryWrite succeeded on a database that takes no writes")
	}
}
