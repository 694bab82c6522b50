package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/houston-sre/houston/bot/slack/setup"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore"
)

// examineDatabase looks at the database and changes nothing in it, nor does it
// make one.
func examineDatabase(ctx context.Context, database Secret) []finding {
	if file := sqliteFile(database); file != "" {
		f, there := examineFile(file)
		if !there || f.Status == setup.Failing {
			return []finding{f}
		}
	}
	store, err := sqlstore.Open(ctx, sqlstore.Config{
		URL: string(database), Clock: incidents.SystemClock{}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return []finding{{
			Check: "database", Status: setup.Failing, Message: oneLine(err),
			Fix: "start the database, or correct its address, user or password in the key database",
		}}
	}
	defer store.Close() //nolint:errcheck // nothing was written
	findings := []finding{schemaFinding(ctx, store)}
	if err := store.TryWrite(ctx); err != nil {
		return append(findings, finding{
			Check: "database", Status: setup.Failing, Message: oneLine(err),
			Fix: "name the primary, not a replica that only reads, and a user who may write",
		})
	}
	return append(findings, finding{Check: "database", Status: setup.Fine, Message: "can be written to"})
}

func schemaFinding(ctx context.Context, store *sqlstore.Store) finding {
	const check = "database schema"
	have, want, err := store.Schema(ctx)
	switch {
	case err != nil:
		return finding{Check: check, Status: setup.Failing, Message: oneLine(err), Fix: "name a user who may read it, and a database that is Houston's own"}
	case have == 0:
		return finding{Check: check, Status: setup.Fine, Message: "the database is empty; `houston serve` fills it by itself"}
	case have < want:
		return finding{
			Check: check, Status: setup.Warning, Message: fmt.Sprintf("is at migration %d of %d", have, want),
			Fix: "`houston serve` brings it up by itself; `houston migrate` does so before",
		}
	case have > want:
		return finding{
			Check: check, Status: setup.Failing, Message: fmt.Sprintf("is at migration %d, and this version knows %d: a newer one has been here", have, want),
			Fix: "run the newer version",
		}
	default:
		return finding{Check: check, Status: setup.Fine, Message: fmt.Sprintf("is at this version's, migration %d", have)}
	}
}

// examineFile looks at a SQLite file and its folder, in which SQLite keeps its
// journal. There is nothing more to look at where there is no file yet.
func examineFile(file string) (f finding, there bool) {
	f = finding{Check: "database", Status: setup.Failing}
	folder := filepath.Dir(file)
	probe, err := os.CreateTemp(folder, ".houston-doctor-*")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Message, f.Fix = "there is no folder "+folder, "make it, or name another file in the key database"
		return f, false
	case err != nil:
		f.Message = fmt.Sprintf("the folder %s can not be written to, and the database needs to", folder)
		f.Fix = "let the user who runs Houston write there, or name another file in the key database"
		return f, false
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		f.Message, f.Fix = oneLine(err), "look at the folder "+folder
		return f, false
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return finding{Check: "database", Status: setup.Fine, Message: file + " is not there yet; `houston serve` makes it"}, false
	case err != nil:
		f.Message, f.Fix = oneLine(err), "let the user who runs Houston read it"
		return f, true
	case !info.Mode().IsRegular():
		f.Message, f.Fix = file+" is no file", "name a file in the key database"
		return f, true
	}
	return finding{Status: setup.Fine}, true
}
