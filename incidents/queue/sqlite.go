package queue

import (
	"context"
	"database/sql"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
)

// sqliteDriver is River's driver for SQLite with a signal within the process in
// the place of a polled table of notifications.
type sqliteDriver struct {
	*riversqlite.Driver

	signal signal
}

func newSQLiteDriver(db *sql.DB) *sqliteDriver {
	return &sqliteDriver{Driver: riversqlite.New(db), signal: make(signal, 1)}
}

// SupportsListenNotify is false so that no notifications are written to the
// database; nobody would read them.
func (d *sqliteDriver) SupportsListenNotify() bool { return false }

// GetListener gives River what it waits on for new jobs.
func (d *sqliteDriver) GetListener(*riverdriver.GetListenenerParams) riverdriver.Listener {
	return listener{d.signal}
}

// wake raises the signal while the transaction still holds the one connection:
// the fetch asks for it at once and is served when the transaction ends.
func (d *sqliteDriver) wake(context.Context, *sql.Tx) error {
	select {
	case d.signal <- struct{}{}:
	default: // it is raised
	}
	return nil
}

// signal is raised or not; raising it twice is raising it once.
type signal chan struct{}

// listener tells River of new jobs whenever the signal is raised. Of River's
// other topics (leadership, queue control) nothing is ever heard in a single
// process; River looks after them by itself every now and then.
type listener struct{ signal signal }

func (l listener) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.signal:
		return &riverdriver.Notification{Topic: insertTopic, Payload: insertPayload}, nil
	}
}

func (listener) Connect(context.Context) error          { return nil }
func (listener) Close(context.Context) error            { return nil }
func (listener) Ping(context.Context) error             { return nil }
func (listener) Listen(context.Context, string) error   { return nil }
func (listener) Unlisten(context.Context, string) error { return nil }
func (listener) Schema() string                         { return "" }
func (listener) SetAfterConnectExec(string)             {}
