package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"
)

// queryer is a database, or a transaction in it.
type queryer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// handle runs statements with arguments that no database refuses.
type handle struct {
	queryer
	dialect dialect
}

func (h handle) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return h.ExecContext(ctx, query, storable(args)...)
}

// affect is exec for who needs to know how many rows were changed.
func (h handle) affect(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := h.exec(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (h handle) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return h.QueryContext(ctx, query, storable(args)...)
}

func (h handle) row(ctx context.Context, query string, args ...any) *sql.Row {
	return h.QueryRowContext(ctx, query, storable(args)...)
}

// collect reads all rows with scan and closes them. It stands around a query:
// collect(h.query(…)).
func collect[T any](rows *sql.Rows, err error, scan func(scanner) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, rows.Err()
}

// scanner is *sql.Row or *sql.Rows.
type scanner interface{ Scan(dest ...any) error }

// scanOne scans the only column of a row.
func scanOne[T any](row scanner) (value T, err error) {
	err = row.Scan(&value)
	return value, err
}

// batches are the sizes in which many rows go into one statement: few, so that
// there are few different statements to prepare, and far below what the
// databases take (32,766 parameters in SQLite, 65,535 in PostgreSQL) for all
// tables here.
var batches = [...]int{500, 100, 20, 4, 1}

// batch is how many of n rows the next statement takes.
func batch(n int) int {
	for _, size := range batches {
		if n >= size {
			return size
		}
	}
	return n
}

// execRows runs a statement for many rows, in as few statements as is sensible:
// head VALUES (…), (…) tail. Each row must have the same length.
func (h handle) execRows(ctx context.Context, head string, rows [][]any, tail string) error {
	for len(rows) > 0 {
		n := batch(len(rows))
		columns := make([]string, len(rows[0]))
		if _, err := h.exec(ctx, head+" "+h.values(1, n, columns...)+" "+tail, flat(rows[:n])...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func flat(rows [][]any) []any {
	args := make([]any, 0, len(rows)*len(rows[0]))
	for _, row := range rows {
		args = append(args, row...)
	}
	return args
}

// values writes VALUES ($1, $2), ($3, $4) for so many rows, the first argument of
// which has the number from. The first row says of what type each column is
// where no table says it; empty: one does.
func (h handle) values(from, rows int, types ...string) string {
	var b strings.Builder
	b.WriteString("VALUES ")
	for i := range rows * len(types) {
		column := i % len(types)
		switch {
		case i == 0:
			b.WriteByte('(')
		case column == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		if i < len(types) && types[column] != "" {
			b.WriteString("CAST(" + h.dialect.mark(from+i) + " AS " + types[column] + ")")
		} else {
			b.WriteString(h.dialect.mark(from + i))
		}
	}
	b.WriteByte(')')
	return b.String()
}

// micros is how a moment is stored; see package migrations for why.
func micros(t time.Time) int64 { return t.UnixMicro() }

// moment reads what micros stored.
func moment(stored int64) time.Time { return time.UnixMicro(stored).UTC() }

func fromJSON(text string, value any) error { return json.Unmarshal([]byte(text), value) }

func asJSON(value any) (string, error) {
	raw, err := json.Marshal(value)
	return string(raw), err
}
