package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// shared is the one cluster of this test process. A package variable is the
// only place that all tests of a package can reach without each of them
// writing a TestMain; it never changes once it is made.
var shared = sync.OnceValues(func() (*Cluster, error) {
	return start(context.Background(), Config{})
})

// Schema gives the URL of a fresh, empty schema in the package's cluster, for
// pgx or anything that understands its URLs: search_path is set in it, so SQL
// needs no schema name. The schema is dropped when the test ends; by then the
// test must have closed its connections.
func Schema(t testing.TB) string {
	t.Helper()
	c, err := shared()
	need(t, err)
	return c.Schema(t)
}

// Schema is like the function Schema, in this cluster.
func (c *Cluster) Schema(t testing.TB) string {
	t.Helper()
	name := schemaName(t.Name())
	if err := c.exec(t.Context(), "CREATE SCHEMA "+name); err != nil {
		t.Fatalf("create a schema: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 30*time.Second)
		defer cancel()
		if c.server.Ended() {
			return // the test has stopped its own cluster
		}
		if err := c.exec(ctx, "SET lock_timeout = '15s'", "DROP SCHEMA "+name+" CASCADE"); err != nil {
			t.Errorf("drop the schema (has the test left a transaction open?): %v", err)
		}
	})
	return c.url(name)
}

// schemaName makes a name that is new, needs no quotes, shows the test, and is
// short enough to stand as a prefix of PostgreSQL's 63 bytes.
func schemaName(test string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		default:
			return '_'
		}
	}, strings.ToLower(test))
	return fmt.Sprintf("t_%.24s_%.12s", plain, strings.ToLower(rand.Text()))
}

func (c *Cluster) exec(ctx context.Context, statements ...string) error {
	conn, err := pgx.Connect(ctx, c.url(""))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // the statements' errors tell more
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}
