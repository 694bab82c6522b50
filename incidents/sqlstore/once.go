package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/houston-sre/houston/incidents"
)

// claim takes a once key for this transaction. It returns the number remembered
// with it and true when the key was used before. A second delivery that comes
// while the first is being worked on waits here until that one is committed, or
// rolled back and so never was.
func (t *transaction) claim(ctx context.Context, once incidents.Once, number int64) (int64, bool, error) {
	if once.Key == "" {
		return 0, false, nil
	}
	for {
		n, err := t.affect(ctx, `
			INSERT INTO once (key, digest, incident, at, keep_until) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (key) DO NOTHING`,
			key(once.Key), once.Digest, number, micros(t.now), micros(t.now.Add(once.Keep)))
		if err != nil {
			return 0, false, fmt.Errorf("claim a once key: %w", err)
		}
		if n == 1 {
			return 0, false, nil
		}
		var digest string
		var earlier int64
		err = t.row(ctx, `SELECT digest, incident FROM once WHERE key = $1`, key(once.Key)).Scan(&digest, &earlier)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			continue // forgotten in this very moment
		case err != nil:
			return 0, false, fmt.Errorf("read a once key: %w", err)
		case digest != clean(once.Digest) || number != 0 && number != earlier:
			return 0, false, incidents.Errorf(incidents.Mismatch,
				"This was sent before with the same key and another content. Use a new key for a new request, or send the earlier one unchanged.")
		}
		return earlier, true, nil
	}
}

// remember notes the number of the incident that a claimed key has opened.
func (t *transaction) remember(ctx context.Context, once incidents.Once, number int64) error {
	if once.Key == "" {
		return nil
	}
	if _, err := t.exec(ctx, `UPDATE once SET incident = $2 WHERE key = $1`, key(once.Key), number); err != nil {
		return fmt.Errorf("remember what a once key has done: %w", err)
	}
	return nil
}

// Used reports whether a once key was used; see [incidents.Store].
func (s *Store) Used(ctx context.Context, name string) (bool, error) {
	used, err := scanOne[bool](s.row(ctx, `SELECT EXISTS (SELECT 1 FROM once WHERE key = $1 AND keep_until > $2)`,
		key(name), micros(s.clock.Now())))
	if err != nil {
		return false, fmt.Errorf("look a once key up: %w", err)
	}
	return used, nil
}

// Enqueue stores jobs once; see [incidents.Store].
func (s *Store) Enqueue(ctx context.Context, once incidents.Once, jobs ...incidents.Job) (bool, error) {
	first := false
	err := s.transact(ctx, func(t *transaction) error {
		if _, err := t.exec(ctx, `DELETE FROM once WHERE key = $1 AND keep_until <= $2`, key(once.Key), micros(t.now)); err != nil {
			return fmt.Errorf("free a once key: %w", err)
		}
		_, used, err := t.claim(ctx, once, 0)
		if first = err == nil && !used; first {
			t.jobs = append(t.jobs, jobs...)
		}
		return err
	})
	return first && err == nil, err
}
