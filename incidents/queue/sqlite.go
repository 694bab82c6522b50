package queue

import (
	"context"
	"database/sql"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
)

// sqliteDriver is River's driver for SQLite with a signal within the process in
// the place of a polled table of notifications.
type sqliteDriver struct {
	*riversqlite.Driver

	signals signals
}

func newSQLiteDriver(db *sql.DB) *sqliteDriver {
	return &sqliteDriver{Driver: riversqlite.New(db), signals: signals{normal: make(signal, 1), urgent: make(signal, 1)}}
}

// SupportsListenNotify is false so that no notifications are written to the
// database; nobody would read them.
func (d *sqliteDriver) SupportsListenNotify() bool { return false }

// GetListener gives River what it waits on for new jobs.
func (d *sqliteDriver) GetListener(*riverdriver.GetListenenerParams) riverdriver.Listener {
	return listener{d.signals}
}

// wake raises the signals while the transaction still holds the one connection:
// the fetch asks for it at once and is served when the transaction ends.
func (d *sqliteDriver) wake(_ context.Context, _ *sql.Tx, queues []string) error {
	for _, name := range queues {
		if name == urgentQueue {
			d.signals.urgent.raise()
		} else {
			d.signals.normal.raise()
		}
	}
	return nil
}

// signals say in which queue there are new jobs.
type signals struct{ normal, urgent signal }

// signal is raised or not; raising it twice is raising it once.
type signal chan struct{}

func (s signal) raise() {
	select {
	case s <- struct{}{}:
	default: // it is raised
	}
}

// listener tells River of new jobs whenever a signal is raised. Of River's
// other topics (leadership, queue control) nothing is ever heard in a single
// process; River looks after them by itself every now and then.
type listener struct{ signals signals }

func (l listener) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.signals.urgent:
		return &riverdriver.Notification{Topic: insertTopic, Payload: insertPayload(urgentQueue)}, nil
	case <-l.signals.normal:
		return &riverdriver.Notification{Topic: insertTopic, Payload: insertPayload(river.QueueDefault)}, nil
	}
}

func (listener) Connect(context.Context) error          { return nil }
func (listener) Close(context.Context) error            { return nil }
func (listener) Ping(context.Context) error             { return nil }
func (listener) Listen(context.Context, string) error   { return nil }
func (listener) Unlisten(context.Context, string) error { return nil }
func (listener) Schema() string                         { return "" }
func (listener) SetAfterConnectExec(string)             {}
