package proctest_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/houston-sre/houston/incidents/proctest"
)

func TestFind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, version := range []string{"14", "15"} {
		bin := filepath.Join(dir, version, "bin")
		if err := os.MkdirAll(bin, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(bin, "houston-test-db"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name  string
		names []string
		want  string // empty: not installed
	}{
		{"newest of a folder", []string{"houston-test-db"}, filepath.Join(dir, "15/bin/houston-test-db")},
		{"second name", []string{"houston-test-none", "houston-test-db"}, filepath.Join(dir, "15/bin/houston-test-db")},
		{"absolute path", []string{"/bin/sh"}, "/bin/sh"},
		{"nowhere", []string{"houston-test-none"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := proctest.Find(tt.names, filepath.Join(dir, "*/bin"))
			if got != tt.want {
				t.Errorf("Find(%v) = %q, want %q", tt.names, got, tt.want)
			}
			if _, missing := errors.AsType[*proctest.NotInstalledError](err); missing != (tt.want == "") {
				t.Errorf("Find(%v) failed with %v", tt.names, err)
			}
		})
	}
}

// recorder stands in for a test that Missing ends.
type recorder struct {
	testing.TB
	ended string
}

func (r *recorder) Helper()               {}
func (r *recorder) Fatalf(string, ...any) { r.ended = "fatal"; panic(r) }
func (r *recorder) Skipf(string, ...any)  { r.ended = "skip"; panic(r) }

func TestMissing(t *testing.T) {
	tests := []struct{ name, require, want string }{
		{"nothing required", "", "skip"},
		{"another part required", "alertmanager", "skip"},
		{"this part required", "alertmanager, postgres", "fatal"},
		{"a longer name required", "postgres16", "skip"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(proctest.RequireEnv, tt.require)
			r := &recorder{TB: t}
			func() {
				defer func() { _ = recover() }() // as t.Fatal ends the goroutine
				proctest.Missing(r, "postgres", errors.New("not there"))
			}()
			if r.ended != tt.want {
				t.Errorf("with %s=%q the test ended by %q, want %q", proctest.RequireEnv, tt.require, r.ended, tt.want)
			}
		})
	}
}
