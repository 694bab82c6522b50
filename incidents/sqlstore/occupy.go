package sqlstore

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Occupy takes a database for this process alone, until what it gives is closed
// or the process has ended, be it by kill -9. It is for who serves a database or
// migrates it; reading beside that needs nothing. On SQLite, which means one
// replica, the error says in words that another process has the file. PostgreSQL
// takes as many replicas as there are: nothing is occupied.
//
// The lock is on a file of its own beside the database: SQLite's own locks on
// the database are lost as soon as the process closes any descriptor of it
// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
func Occupy(url string) (io.Closer, error) {
	path, isFile := strings.CutPrefix(url, "sqlite:")
	path = strings.TrimPrefix(path, "//")
	if !isFile || path == "" || strings.Contains(path, ":memory:") { // the last two are Open's to refuse
		return io.NopCloser(nil), nil
	}
	if followed, err := filepath.EvalSymlinks(path); err == nil { // it may not be there yet
		path = followed
	}
	file, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the database's file: %w", err)
	}
	taken, err := lockFile(file)
	if err == nil && taken {
		err = sign(file)
	} else if err == nil {
		err = fmt.Errorf("another Houston (%s) has the database %s open. SQLite means one replica: stop that one first, or use PostgreSQL for several",
			signature(file), path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// sign writes into a lock file who has it, for people.
func sign(file *os.File) error {
	if err := file.Truncate(0); err != nil {
		return fmt.Errorf("sign the lock of the database's file: %w", err)
	}
	if _, err := fmt.Fprintf(file, "process %d\n", os.Getpid()); err != nil {
		return fmt.Errorf("sign the lock of the database's file: %w", err)
	}
	return nil
}

// signature reads what sign wrote.
func signature(file io.Reader) string {
	text, err := io.ReadAll(io.LimitReader(file, 100))
	if err != nil || len(text) == 0 {
		return "a process that did not say which"
	}
	return strings.TrimSpace(string(text))
}
