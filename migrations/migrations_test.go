package migrations_test

import (
	"io/fs"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/migrations"
)

func TestBothDatabasesHaveTheSameFiles(t *testing.T) {
	t.Parallel()
	postgres, sqlite := names(t, "postgres"), names(t, "sqlite")
	if diff := cmp.Diff(postgres, sqlite); diff != "" {
		t.Errorf("the folders differ (-postgres +sqlite):\n%s", diff)
	}
	if len(postgres) == 0 {
		t.Error("there are no migrations")
	}
	form := regexp.MustCompile(`^\d{5}_[a-z]+(_[a-z]+)+\.sql$`)
	for i, name := range postgres {
		if !form.MatchString(name) {
			t.Errorf("%s is not named NNNNN_verb_noun.sql", name)
		}
		if i > 0 && name[:5] == postgres[i-1][:5] {
			t.Errorf("%s and %s have the same number", postgres[i-1], name)
		}
	}
}

func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := fs.ReadDir(migrations.FS, folder)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}
