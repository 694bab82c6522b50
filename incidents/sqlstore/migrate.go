package sqlstore

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/houston-sre/houston/migrations"
)

// Migrate brings the schema up to date. Replicas that start together wait for
// one another.
func (s *Store) Migrate(ctx context.Context) error {
	folder := "sqlite"
	if s.dialect.postgres {
		folder = "postgres"
	}
	files, err := fs.Sub(migrations.FS, folder)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	err = s.dialect.alone(ctx, s.db, func() error {
		provider, err := goose.NewProvider(s.dialect.goose, s.db, files)
		if err != nil {
			return err
		}
		_, err = provider.Up(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return nil
}
