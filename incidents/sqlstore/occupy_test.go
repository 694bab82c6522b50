package sqlstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents/sqlstore"
)

func TestOccupy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "houston.db"), filepath.Join(dir, "link.db")
	if err := os.WriteFile(target, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	first, err := sqlstore.Occupy("sqlite:" + target)
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"sqlite:" + target, "sqlite://" + target, "sqlite:" + link} {
		if second, err := sqlstore.Occupy(url); err == nil {
			t.Errorf("%s was occupied twice", url)
			_ = second.Close()
		} else if want := fmt.Sprintf("process %d) has the database", os.Getpid()); !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "SQLite means one replica") {
			t.Errorf("the second is told %q, want who has it and what to do", err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := sqlstore.Occupy("sqlite:" + target)
	if err != nil {
		t.Fatalf("after the first is gone: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestOccupyIsForFiles(t *testing.T) {
	t.Parallel()
	for range 2 {
		if _, err := sqlstore.Occupy("postgres://houston@db/houston"); err != nil {
			t.Errorf("PostgreSQL takes several replicas: %v", err)
		}
	}
	if _, err := sqlstore.Occupy("sqlite:" + filepath.Join(t.TempDir(), "no", "such", "folder.db")); err == nil {
		t.Error("a file in a folder that is not there was occupied")
	}
}
