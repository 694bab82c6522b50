package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// TakeEffect leases an owed effect; see [incidents.Store].
func (s *Store) TakeEffect(ctx context.Context, name string, now time.Time, lease time.Duration) (incidents.Effect, bool, error) {
	write := s.writer()
	effect, err := scanEffect(write.row(ctx, `
		UPDATE effects SET lease_until = $2, fence = fence + 1, died = died + CASE WHEN lease_until > $4 THEN 1 ELSE 0 END
		WHERE key = $1 AND state = 'owed' AND lease_until <= $3 AND next_at <= $3
		RETURNING `+effectColumns, key(name), micros(now.Add(lease)), micros(now), micros(time.Time{})))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		effect, err = write.effect(ctx, name)
		return effect, false, err
	case err != nil:
		return incidents.Effect{}, false, fmt.Errorf("take effect %s: %w", name, err)
	}
	return effect, true, nil
}

// BeginAttempt notes that a call is about to be made; see [incidents.Store].
func (s *Store) BeginAttempt(ctx context.Context, effect incidents.Effect, now time.Time) error {
	n, err := s.writer().affect(ctx, `UPDATE effects SET started_at = $3 WHERE key = $1 AND fence = $2`,
		key(effect.Key), effect.Fence, micros(now))
	if err != nil {
		return fmt.Errorf("begin an attempt at %s: %w", effect.Key, err)
	}
	if n == 0 {
		return incidents.ErrStale
	}
	return nil
}

// wakeEffects has the effects of an incident looked at that merely wait: they have
// neither failed nor is an earlier attempt still open. What waits for its day, as
// the archive does, is left alone.
func (t *transaction) wakeEffects(ctx context.Context, inc incidents.Incident) error {
	rows, err := t.query(ctx, `
		UPDATE effects SET next_at = $3, job_at = $2
		WHERE incident = $1 AND state = 'owed' AND next_at > $2 AND reason = '' AND started_at = $3 AND kind <> $4
		RETURNING key`, inc.Number, micros(t.now), micros(time.Time{}), incidents.MakeArchive)
	woken, err := collect(rows, err, scanOne[string])
	if err != nil {
		return fmt.Errorf("wake the effects of %s: %w", inc.Key(), err)
	}
	for _, name := range woken {
		t.jobs = append(t.jobs, incidents.RunEffect{Effect: name, Version: inc.Seq})
	}
	return nil
}

// SettleEffect writes a leased effect back; see [incidents.Store].
func (s *Store) SettleEffect(ctx context.Context, effect incidents.Effect) error {
	return s.transact(ctx, func(t *transaction) error { return t.settle(ctx, effect) })
}

// SweepEffects finds again what a crash left behind; see [incidents.Store].
func (s *Store) SweepEffects(ctx context.Context, now time.Time, distance time.Duration, limit int) (int, error) {
	var found []string
	err := s.transact(ctx, func(t *transaction) error {
		// Another replica that sweeps at this moment takes other rows.
		rows, err := t.query(ctx, `
			SELECT key FROM effects
			WHERE state = 'owed' AND lease_until <= $1 AND next_at <= $1 AND job_at <= $2
			ORDER BY job_at LIMIT $3`+t.dialect.lockFree, micros(now), micros(now.Add(-distance)), max(limit, 0))
		found, err = collect(rows, err, scanOne[string])
		if err != nil {
			return fmt.Errorf("find effects that nobody works on: %w", err)
		}
		for _, name := range found {
			if _, err := t.exec(ctx, `UPDATE effects SET job_at = $2 WHERE key = $1`, name, micros(now)); err != nil {
				return fmt.Errorf("note a job for effect %s: %w", name, err)
			}
			t.jobs = append(t.jobs, incidents.RunEffect{Effect: name, Version: micros(now)})
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return len(found), nil
}
