package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

// A house begins with a copy of a migrated database with nothing in it: migrating
// each anew takes a quarter of a second of a processor on SQLite and most of one
// on PostgreSQL, and what a migration does is tested where it is the matter.
var (
	emptySQLite = sync.OnceValues(func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "houston-empty-")
		if err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		file := filepath.Join(dir, "houston.db")
		if err := migrate(context.Background(), "sqlite:"+file); err != nil {
			return nil, err
		}
		if _, err := os.Stat(file + "-wal"); err == nil {
			return nil, fmt.Errorf("houston migrate left %s-wal behind: the file alone is not the database", file)
		}
		return os.ReadFile(file)
	})
	emptyPostgres = pgtest.NewTemplate(migrate)
)

func migrate(ctx context.Context, database string) error {
	var said bytes.Buffer
	env := map[string]string{"HOUSTON_DATABASE": database}
	code := run(ctx, cli{
		args: []string{"migrate"}, stdout: &said, stderr: &said,
		env: func(key string) (string, bool) { v, ok := env[key]; return v, ok },
	})
	if code != 0 {
		return fmt.Errorf("houston migrate ended with status %d: %s", code, said.String())
	}
	return nil
}

// newSQLite is the URL of an SQLite database of this test's own.
func newSQLite(t *testing.T) string {
	t.Helper()
	empty, err := emptySQLite()
	if err != nil {
		t.Fatalf("migrate an SQLite database: %v", err)
	}
	file := filepath.Join(t.TempDir(), "houston.db")
	if err := os.WriteFile(file, empty, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + file
}
