package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
)

// dialect is all that differs between the databases besides how they are opened.
type dialect struct {
	postgres bool
	goose    goose.Dialect
	// lock ends a SELECT whose rows this transaction is going to change. SQLite
	// needs none: a transaction has the whole database.
	lock string
	// lockFree is lock, leaving out the rows that others have locked.
	lockFree string
	// nextNumber gives the next incident number.
	nextNumber string
}

func postgresDialect() dialect {
	return dialect{
		postgres: true, goose: goose.DialectPostgres,
		lock: " FOR UPDATE", lockFree: " FOR UPDATE SKIP LOCKED",
		nextNumber: `SELECT nextval('incident_numbers')`,
	}
}

func sqliteDialect() dialect {
	return dialect{
		goose:      goose.DialectSQLite3,
		nextNumber: `UPDATE incident_numbers SET last = last + 1 RETURNING last`,
	}
}

// mark writes the placeholder of argument i in a list of arguments in their
// order. SQLite keeps the names of $1, $2 … in a list that it searches for each
// of them, which takes seconds for thousands; a question mark has no name.
func (d dialect) mark(i int) string {
	if !d.postgres {
		return "?"
	}
	return "$" + strconv.Itoa(i)
}

// lost reports whether the database ended the transaction for the sake of
// another one, so that it is worth running again: 40P01 deadlock_detected and
// 40001 serialization_failure.
// https://www.postgresql.org/docs/current/errcodes-appendix.html
func (d dialect) lost(err error) bool {
	if !d.postgres {
		return false // its transactions begin with the lock in hand
	}
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == "40P01" || e.Code == "40001")
}

// alone runs do while no other replica that uses this function on this schema
// does. SQLite has one replica.
func (d dialect) alone(ctx context.Context, db *sql.DB, do func() error) (err error) {
	if !d.postgres {
		return do()
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("wait for other replicas: %w", err)
	}
	// Closing alone would give the connection back to the pool with the lock.
	defer func() {
		_, unlockErr := conn.ExecContext(context.WithoutCancel(ctx),
			`SELECT pg_advisory_unlock(hashtextextended('houston ' || current_schema(), 0))`)
		err = errors.Join(err, unlockErr, conn.Close())
	}()
	_, err = conn.ExecContext(ctx, `SELECT pg_advisory_lock(hashtextextended('houston ' || current_schema(), 0))`)
	if err != nil {
		return fmt.Errorf("wait for other replicas: %w", err)
	}
	return do()
}
