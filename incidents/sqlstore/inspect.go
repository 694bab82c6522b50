package sqlstore

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/houston-sre/houston/migrations"
)

// Schema tells by number which migration the database has last seen and which
// one this program brings, and changes nothing. have is 0 for a database that
// was never migrated.
func (s *Store) Schema(ctx context.Context) (have, want int64, err error) {
	folder := "sqlite"
	if s.dialect.postgres {
		folder = "postgres"
	}
	files, err := fs.Glob(migrations.FS, folder+"/*.sql")
	if err != nil {
		return 0, 0, fmt.Errorf("read the migrations: %w", err)
	}
	for _, file := range files {
		version, err := goose.NumericComponent(file)
		if err != nil {
			return 0, 0, fmt.Errorf("read the number of migration %s: %w", file, err)
		}
		want = max(want, version)
	}
	have, err = s.schemaVersion(ctx)
	return have, want, err
}

// schemaVersion reads goose's table of versions; goose itself would make it
// where it is missing.
func (s *Store) schemaVersion(ctx context.Context) (int64, error) {
	exists := `SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'goose_db_version'`
	if s.dialect.postgres {
		exists = `SELECT COUNT(*) WHERE to_regclass('goose_db_version') IS NOT NULL`
	}
	var tables, version int64
	if err := s.row(ctx, exists).Scan(&tables); err != nil {
		return 0, fmt.Errorf("look for the schema: %w", err)
	}
	if tables == 0 {
		return 0, nil
	}
	err := s.row(ctx, `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	if err != nil {
		return 0, fmt.Errorf("read the schema's version: %w", err)
	}
	return version, nil
}

// TryWrite finds out whether the database can be written to, in a transaction
// that is rolled back: it deletes nothing from a table of ours or, where there
// is none yet, makes a table as a migration would.
func (s *Store) TryWrite(ctx context.Context) error {
	version, err := s.schemaVersion(ctx)
	if err != nil {
		return err
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("write to the database: %w", err)
	}
	defer tx.Rollback()
	query := `DELETE FROM once WHERE 1 = 0`
	if version == 0 {
		query = `CREATE TABLE houston_can_write (x INTEGER)`
	}
	if _, err := tx.ExecContext(ctx, query); err != nil {
		return fmt.Errorf("write to the database: %w", err)
	}
	return nil
}
