package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivermigrate"
)

// migrationLock is the first half of the key of the PostgreSQL advisory lock
// that migrations run under; the second is the schema's.
const migrationLock = 0x686f7573

// Migrate brings River's tables to the version of the River in this program. It
// may be called again, and by two replicas at once: one waits for the other. It
// must not run inside another migration's transaction, and on PostgreSQL it
// needs two connections of the pool.
func (q *Queue) Migrate(ctx context.Context) error {
	if q.driver.DatabaseName() == riverdriver.DatabaseNamePostgres {
		// SQLite needs no lock: it means one process.
		tx, err := q.db.BeginTx(ctx, nil)
		if err != nil {
			return fmt.Errorf("lock the queue's migrations: %w", err)
		}
		defer func() {
			if rollback := tx.Rollback(); rollback != nil && !errors.Is(rollback, sql.ErrTxDone) {
				q.log.WarnContext(ctx, "unlock the queue's migrations", "error", rollback.Error())
			}
		}()
		_, err = tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))`, migrationLock)
		if err != nil {
			return fmt.Errorf("lock the queue's migrations: %w", err)
		}
	}
	migrator, err := rivermigrate.New(q.driver, &rivermigrate.Config{Logger: slog.New(quiet(q.log.Handler()))})
	if err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	return nil
}
