package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/houston-sre/houston/incidents"
)

const (
	// postgresConns bounds the connections of one replica; pool_max_conns in the
	// URL overrides it, down to minPostgresConns.
	postgresConns    = 20
	minPostgresConns = 4
	// listeners are connections that the pool keeps for LISTEN.
	listeners = 2
	// sqliteReaders is how many connections read a SQLite file beside the writer.
	sqliteReaders = 4
)

// Enqueue hands jobs to the queue inside the transaction that gives reason for
// them. A job may be an [incidents.Scheduled].
type Enqueue func(ctx context.Context, tx *sql.Tx, jobs []incidents.Job) error

// Config of a [Store]. URL is required.
type Config struct {
	// URL is "sqlite:houston.db", "sqlite:/var/lib/houston.db" or
	// "postgres://user:password@host/database".
	URL string
	// Enqueue may be set later: see [Store.SetEnqueue].
	Enqueue Enqueue
	// Clock dates once keys and jobs; nil: the machine's.
	Clock incidents.Clock
	// Log may be nil.
	Log *slog.Logger
}

// Store is [incidents.Store] on a database.
type Store struct {
	handle // reads

	db      *sql.DB
	pool    *pgxpool.Pool
	clock   incidents.Clock
	enqueue Enqueue
	log     *slog.Logger
}

var _ incidents.Store = (*Store)(nil)

// Open connects to a database. Before its first use it needs [Store.Migrate].
// The error of a database that does not answer tells host and name of it, never
// the password.
func Open(ctx context.Context, config Config) (*Store, error) {
	s := &Store{clock: config.Clock, enqueue: config.Enqueue, log: config.Log}
	if s.clock == nil {
		s.clock = incidents.SystemClock{}
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	switch scheme, rest, _ := strings.Cut(config.URL, ":"); scheme {
	case "sqlite":
		err = s.openSQLite(rest)
	case "postgres", "postgresql":
		err = s.openPostgres(ctx, config.URL)
	default:
		return nil, errors.New("a database is written sqlite:houston.db or postgres://user:password@host/database")
	}
	if err != nil {
		return nil, err
	}
	if err := s.Ping(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) openPostgres(ctx context.Context, dsn string) error {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return fmt.Errorf("read the database's URL: %w", err)
	}
	if !strings.Contains(dsn, "pool_max_conns") {
		config.MaxConns = postgresConns
	}
	config.MaxConns = max(config.MaxConns, minPostgresConns)
	config.ConnConfig.RuntimeParams["default_transaction_isolation"] = "read committed"
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "houston"
	}
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	s.db = stdlib.OpenDBFromPool(s.pool)
	s.db.SetMaxOpenConns(int(config.MaxConns) - listeners)
	s.handle = handle{s.db, postgresDialect()}
	return nil
}

// openSQLite opens a file for one writing connection and a few reading ones.
// https://pkg.go.dev/modernc.org/sqlite#Driver.Open
func (s *Store) openSQLite(path string) error {
	path = strings.TrimPrefix(path, "//")
	if path == "" || strings.Contains(path, ":memory:") {
		return errors.New("a database in memory would forget every incident: name a file, like sqlite:houston.db")
	}
	// It holds private incidents, so whoever is not us has no business in it.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open the database's file: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("open the database's file: %w", err)
	}
	write, read := sqliteDSN(path, "_txlock", "immediate"), sqliteDSN(path, "_pragma", "query_only(1)")
	if s.db, err = sql.Open("sqlite", write); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	s.db.SetMaxOpenConns(1)
	reads, err := sql.Open("sqlite", read)
	if err != nil {
		return errors.Join(fmt.Errorf("open the database: %w", err), s.db.Close())
	}
	reads.SetMaxOpenConns(sqliteReaders)
	reads.SetMaxIdleConns(sqliteReaders)
	s.handle = handle{reads, sqliteDialect()}
	return nil
}

// sqliteDSN names a file in SQLite's URI form, with one more parameter.
func sqliteDSN(path, key, value string) string {
	q := url.Values{"_pragma": {
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
	}}
	q.Add(key, value)
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// SetEnqueue gives the store its queue, which needs the database itself. It must
// be called before the store is used.
func (s *Store) SetEnqueue(enqueue Enqueue) { s.enqueue = enqueue }

// DB is the database for writing. On SQLite it has a single connection.
func (s *Store) DB() *sql.DB { return s.db }

// Pool is the pool that DB takes its connections from, nil on SQLite.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// writer runs single statements that need no transaction.
func (s *Store) writer() handle { return handle{s.db, s.dialect} }

// IsPostgres tells PostgreSQL from SQLite.
func (s *Store) IsPostgres() bool { return s.dialect.postgres }

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	var one int
	if err := s.row(ctx, `SELECT 1`).Scan(&one); err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	return nil
}

// Close closes the database; transactions that are under way end first. On
// SQLite the writer goes last and leaves a file without a log beside it.
func (s *Store) Close() error {
	var err error
	if reads, ok := s.queryer.(*sql.DB); ok && reads != s.db {
		err = reads.Close()
	}
	err = errors.Join(err, s.db.Close())
	if s.pool != nil {
		s.pool.Close()
	}
	if err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}
