package pgtest

import (
	"context"
	"sync"
	"testing"
	"time"
)

// Template is a database that is filled once and copied for each test. Copying
// is several times cheaper than migrating an empty one.
type Template struct {
	name func() (string, error)
}

// NewTemplate gives the template that fill makes, which gets the URL of an empty
// database of the package's cluster and must have closed its connections when it
// returns: PostgreSQL copies no database that somebody is connected to
// (https://www.postgresql.org/docs/15/manage-ag-templatedbs.html). It is filled
// when the first test asks.
func NewTemplate(fill func(ctx context.Context, url string) error) *Template {
	return &Template{sync.OnceValues(func() (string, error) {
		c, err := shared()
		if err != nil {
			return "", err
		}
		name := schemaName("template")
		if err := c.exec(context.Background(), "CREATE DATABASE "+name); err != nil {
			return "", err
		}
		return name, fill(context.Background(), c.databaseURL(name))
	})}
}

// Database gives the URL of a copy. It is dropped when the test ends; by then
// the test must have closed its connections.
func (tp *Template) Database(t testing.TB) string {
	t.Helper()
	c, err := shared()
	need(t, err)
	template, err := tp.name()
	if err != nil {
		t.Fatalf("fill the template: %v", err)
	}
	name := schemaName(t.Name())
	// Writing the copy to the log, as is usual, takes twice as long.
	if err := c.exec(t.Context(), "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY FILE_COPY"); err != nil {
		t.Fatalf("copy the template: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 30*time.Second)
		defer cancel()
		// A connection that was just closed may be seen a moment longer; PostgreSQL
		// itself waits five seconds for it (CountOtherDBBackends).
		if err := c.exec(ctx, "DROP DATABASE "+name); err != nil {
			t.Errorf("drop the database (has the test left a connection open?): %v", err)
		}
	})
	return c.databaseURL(name)
}
