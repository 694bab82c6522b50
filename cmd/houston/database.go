package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore"
)

// sqliteFile gives the file of a database that is one, "" for PostgreSQL.
func sqliteFile(database Secret) string {
	file, _ := strings.CutPrefix(string(database), "sqlite:")
	if file == string(database) {
		return ""
	}
	return file
}

// errNoDatabase says that there is nothing to read yet.
var errNoDatabase = errors.New("there is no database yet; `houston serve` or `houston migrate` makes it")

// openToRead opens a database that is there and at this version, for a command
// that looks at what serve has written, maybe while it runs. It makes and
// migrates nothing.
func openToRead(ctx context.Context, database Secret) (*sqlstore.Store, error) {
	if file := sqliteFile(database); file != "" {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("open %s: %w", file, errNoDatabase)
		}
	}
	store, err := sqlstore.Open(ctx, sqlstore.Config{
		URL: string(database), Clock: incidents.SystemClock{}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	have, want, err := store.Schema(ctx)
	switch {
	case err != nil:
	case have == 0:
		err = errNoDatabase
	case have < want:
		err = fmt.Errorf("the database is older than this version (migration %d of %d); run `houston migrate`", have, want)
	case have > want:
		err = fmt.Errorf("the database is newer than this version (migration %d, known are %d); run the newer houston", have, want)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}
