package pgtest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

// childEnv makes TestChildHoldsACluster the test that a killed process was
// in the middle of.
const childEnv = "PGTEST_CHILD"

func TestSchemasAreApart(t *testing.T) {
	t.Parallel()
	first, second := connect(t, pgtest.Schema(t)), connect(t, pgtest.Schema(t))
	for _, conn := range []*pgx.Conn{first, second} {
		if _, err := conn.Exec(t.Context(), `CREATE TABLE incidents (number INT PRIMARY KEY)`); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := first.Exec(t.Context(), `INSERT INTO incidents (number) VALUES (1)`); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := second.QueryRow(t.Context(), `SELECT COUNT(*) FROM incidents`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	if n != 0 {
		t.Errorf("one schema sees %d rows of the other", n)
	}
}

func TestSchemaIsDropped(t *testing.T) { //nolint:tparallel // the subtest must have ended before the rest looks
	t.Parallel()
	var dsn string
	t.Run("user", func(t *testing.T) {
		dsn = pgtest.Schema(t)
		if got := count(t, dsn); got != 1 {
			t.Fatalf("the new schema exists %d times", got)
		}
	})
	if got := count(t, dsn); got != 0 {
		t.Errorf("%s is still there after its test", dsn)
	}
}

// TestTemplate holds that copies have what was filled in, are apart, and are
// dropped.
func TestTemplate(t *testing.T) { //nolint:tparallel // the subtest must have ended before the rest looks
	t.Parallel()
	template := pgtest.NewTemplate(func(ctx context.Context, url string) error {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, `CREATE TABLE incidents AS SELECT 1 AS number`)
		return errors.Join(err, conn.Close(ctx))
	})
	rows := func(conn *pgx.Conn) (n int) {
		if err := conn.QueryRow(t.Context(), `SELECT COUNT(*) FROM incidents`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	var dsn string
	t.Run("user", func(t *testing.T) {
		dsn = template.Database(t)
		first, second := connect(t, dsn), connect(t, template.Database(t))
		if _, err := first.Exec(t.Context(), `INSERT INTO incidents VALUES (2)`); err != nil {
			t.Fatal(err)
		}
		if a, b := rows(first), rows(second); a != 2 || b != 1 {
			t.Errorf("the copies have %d and %d rows, want 2 and 1", a, b)
		}
	})
	if conn, err := pgx.Connect(t.Context(), dsn); err == nil {
		conn.Close(t.Context()) //nolint:errcheck // the test has failed already
		t.Errorf("%s is still there after its test", dsn)
	}
}

// The settings that other tests rely on.
func TestSettings(t *testing.T) {
	t.Parallel()
	shared := pgtest.Schema(t)
	durable := pgtest.New(t, pgtest.Config{Fsync: true}).Schema(t)
	tests := []struct{ name, dsn, setting, want string }{
		{"ordinary tests do not wait for the disk", shared, "fsync", "off"},
		{"measuring tests do", durable, "fsync", "on"},
		{"measuring tests write whole pages", durable, "full_page_writes", "on"},
		{"connections", shared, "max_connections", "200"},
		{"encoding", shared, "server_encoding", "UTF8"},
		{"collation", shared, "lc_collate", "C"},
		{"loopback only", shared, "listen_addresses", "127.0.0.1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got string
			if err := connect(t, tt.dsn).QueryRow(t.Context(), "SHOW "+tt.setting).Scan(&got); err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("%s = %s, want %s", tt.setting, got, tt.want)
			}
		})
	}
}

func TestStopAndStartKeepTheData(t *testing.T) {
	t.Parallel()
	cluster := pgtest.New(t, pgtest.Config{})
	dsn := cluster.Schema(t)
	open := connect(t, dsn) // a fast shutdown waits for nobody
	if _, err := open.Exec(t.Context(), `CREATE TABLE kept (n INT)`); err != nil {
		t.Fatal(err)
	}
	cluster.Stop(t)
	if conn, err := pgx.Connect(t.Context(), dsn); err == nil {
		conn.Close(t.Context()) //nolint:errcheck // the test has failed already
		t.Fatal("a stopped cluster accepts connections")
	}
	cluster.Start(t)
	if _, err := connect(t, dsn).Exec(t.Context(), `INSERT INTO kept (n) VALUES (1)`); err != nil {
		t.Errorf("after the restart: %v", err)
	}
}

// TestChildHoldsACluster does nothing unless TestClusterEndsWithTheTestProcess
// starts it in a process of its own.
func TestChildHoldsACluster(t *testing.T) {
	end := os.Getenv(childEnv)
	if end == "" {
		return
	}
	pgtest.Schema(t)
	cluster := pgtest.New(t, pgtest.Config{})
	pid, err := cluster.PID()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(os.Stdout, "\npostmaster", pid)
	if end == "panic" {
		panic("on purpose")
	}
	select {} // until it is killed
}

func TestClusterEndsWithTheTestProcess(t *testing.T) {
	t.Parallel()
	pgtest.Schema(t) // skips where the child would
	for _, end := range []string{"panic", "kill -9"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildHoldsACluster$", "-test.v")
			child.Env = append(os.Environ(), childEnv+"="+end, "TMPDIR="+openTempDir(t))
			out, err := child.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			pid := postmaster(t, out)
			if end == "kill -9" {
				if err := child.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
			if err := child.Wait(); err == nil {
				t.Fatal("the child ended well, want it to fail")
			}
			until(t, "the postmaster is gone", func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
			tmp, _ := strings.CutPrefix(child.Env[len(child.Env)-1], "TMPDIR=")
			until(t, "both data folders are gone", func() bool {
				left, err := os.ReadDir(tmp)
				return err == nil && len(left) == 0
			})
		})
	}
}

// openTempDir is a folder that the user postgres can enter too; t.TempDir is
// root's alone.
func openTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgtest-") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) }) //nolint:errcheck // empty when the test passes
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	return dir
}

// postmaster reads the child's output up to the process id it prints.
func postmaster(t *testing.T, out io.Reader) int {
	t.Helper()
	var word string
	for word != "postmaster" {
		if _, err := fmt.Fscan(out, &word); err != nil {
			t.Fatalf("wait for the child's postmaster: %v", err)
		}
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out) //nolint:errcheck // ends with the child
	return pid
}

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(t.Context()) }) //nolint:errcheck // the server may be gone on purpose
	return conn
}

func count(t *testing.T, dsn string) int {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	err = connect(t, dsn).QueryRow(t.Context(),
		`SELECT COUNT(*) FROM pg_namespace WHERE nspname = $1`, u.Query().Get("search_path")).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain until %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
