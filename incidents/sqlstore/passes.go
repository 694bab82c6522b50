package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// SavePass keeps a new pass and forgets those that have run out.
func (s *Store) SavePass(ctx context.Context, p incidents.Pass) error {
	return s.transact(ctx, func(t *transaction) error {
		if _, err := t.exec(ctx, `DELETE FROM passes WHERE expires_at <= $1`, micros(t.now)); err != nil {
			return fmt.Errorf("forget old passes: %w", err)
		}
		_, err := t.exec(ctx, `INSERT INTO passes (hash, kind, person, made_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
			p.Hash, p.Kind, key(p.Person), micros(p.MadeAt), micros(p.Expires))
		if err != nil {
			return fmt.Errorf("save a pass: %w", err)
		}
		return nil
	})
}

// Pass finds a pass that is good at a time: NotFound when there is none.
func (s *Store) Pass(ctx context.Context, kind incidents.PassKind, hash string, now time.Time) (incidents.Pass, error) {
	return scanPass(s.row(ctx, `SELECT hash, kind, person, made_at, expires_at FROM passes
		WHERE hash = $1 AND kind = $2 AND expires_at > $3`, hash, kind, micros(now)))
}

// TakePass is Pass for one that is good for one use: of all who ask, one gets it.
func (s *Store) TakePass(ctx context.Context, kind incidents.PassKind, hash string, now time.Time) (incidents.Pass, error) {
	return scanPass(s.writer().row(ctx, `DELETE FROM passes
		WHERE hash = $1 AND kind = $2 AND expires_at > $3
		RETURNING hash, kind, person, made_at, expires_at`, hash, kind, micros(now)))
}

// DropPass takes one pass back.
func (s *Store) DropPass(ctx context.Context, hash string) error {
	if _, err := s.writer().exec(ctx, `DELETE FROM passes WHERE hash = $1`, hash); err != nil {
		return fmt.Errorf("drop a pass: %w", err)
	}
	return nil
}

// DropPasses takes all passes of a person back, or those of one kind.
func (s *Store) DropPasses(ctx context.Context, person string, kind incidents.PassKind) error {
	_, err := s.writer().exec(ctx, `DELETE FROM passes WHERE person = $1 AND ($2 = '' OR kind = $2)`, key(person), kind)
	if err != nil {
		return fmt.Errorf("drop the passes of %s: %w", person, err)
	}
	return nil
}

func scanPass(row scanner) (incidents.Pass, error) {
	var p incidents.Pass
	var madeAt, expires int64
	err := row.Scan(&p.Hash, &p.Kind, &p.Person, &madeAt, &expires)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return p, incidents.Errorf(incidents.NotFound, "This way in is not open any more.")
	case err != nil:
		return p, fmt.Errorf("load a pass: %w", err)
	}
	p.MadeAt, p.Expires = moment(madeAt), moment(expires)
	return p, nil
}
