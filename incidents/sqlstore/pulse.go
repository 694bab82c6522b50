package sqlstore

import (
	"context"
	"fmt"
	"time"
)

// pulseEvery is the distance of two writes of the pulse.
const pulseEvery = 5 * time.Second

// Pulse notes that a replica is alive; see [incidents.Store].
func (s *Store) Pulse(ctx context.Context, now time.Time, gap time.Duration) (time.Time, error) {
	var aliveAt, since int64
	const read = `SELECT alive_at, since FROM pulse WHERE name = 'houston'`
	if err := s.row(ctx, read).Scan(&aliveAt, &since); err != nil {
		return time.Time{}, fmt.Errorf("read the pulse: %w", err)
	}
	if now.Sub(moment(aliveAt)) < pulseEvery {
		return moment(since), nil
	}
	err := s.transact(ctx, func(t *transaction) error {
		if err := t.row(ctx, read+t.dialect.lock).Scan(&aliveAt, &since); err != nil {
			return err
		}
		if now.Sub(moment(aliveAt)) > gap {
			since = micros(now)
		}
		_, err := t.exec(ctx, `UPDATE pulse SET alive_at = $1, since = $2 WHERE name = 'houston' AND alive_at < $1`, micros(now), since)
		return err
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("note the pulse: %w", err)
	}
	return moment(since), nil
}
