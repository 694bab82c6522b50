package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// SenderAlerts lists the open alerts that came from one group of a sender's and
// belong to others of Houston's.
func (s *Store) SenderAlerts(ctx context.Context, sender string, limit int) ([]incidents.Alert, error) {
	rows, err := s.query(ctx, `
		SELECT `+alertColumns+` FROM alerts WHERE sender = $1 AND sender <> '' AND firing ORDER BY id LIMIT $2`,
		sender, max(limit, 0))
	alerts, err := collect(rows, err, scanAlert)
	if err != nil {
		return nil, fmt.Errorf("list the open alerts of a sender's group: %w", err)
	}
	return alerts, nil
}

// OpenOf gives the open alerts of a sender's group; see [incidents.Store].
func (s *Store) OpenOf(ctx context.Context, sender string, own bool) ([]incidents.GroupAlerts, error) {
	ask, args := `SELECT group_id, fingerprint FROM alerts WHERE sender = $1 AND sender <> '' AND firing`, []any{incidents.Shortened(sender)}
	if own {
		ask, args = ask+` UNION ALL SELECT group_id, fingerprint FROM alerts WHERE group_id = $2 AND firing`, append(args, key(sender))
	}
	open, err := s.byGroup(ctx, ask+` ORDER BY group_id, fingerprint`, args...)
	if err != nil {
		return nil, fmt.Errorf("list where alerts of a sender's group are open: %w", err)
	}
	return open, nil
}

// Lapsed gives the open alerts whose time has passed; see [incidents.Store]. One
// that was last heard of before a gap in listening has all of its time from the
// gap's end.
func (s *Store) Lapsed(ctx context.Context, now, since time.Time, limit int) ([]incidents.GroupAlerts, error) {
	lapsed, err := s.byGroup(ctx, `
		SELECT group_id, fingerprint FROM alerts
		WHERE firing AND until_at > 0 AND until_at <= $1 AND (received_at >= $2 OR until_at - received_at <= $3)
		ORDER BY group_id, fingerprint LIMIT $4`, micros(now), micros(since), now.Sub(since).Microseconds(), max(limit, 0))
	if err != nil {
		return nil, fmt.Errorf("list alerts that are sent no more: %w", err)
	}
	return lapsed, nil
}

// byGroup collects pairs of a group and a fingerprint, in the order of the groups.
func (s *Store) byGroup(ctx context.Context, ask string, args ...any) ([]incidents.GroupAlerts, error) {
	rows, err := s.query(ctx, ask, args...)
	pairs, err := collect(rows, err, func(row scanner) (pair [2]string, err error) {
		err = row.Scan(&pair[0], &pair[1])
		return pair, err
	})
	if err != nil {
		return nil, err
	}
	var groups []incidents.GroupAlerts
	for _, pair := range pairs {
		if n := len(groups); n == 0 || groups[n-1].Group != pair[0] {
			groups = append(groups, incidents.GroupAlerts{Group: pair[0]})
		}
		last := &groups[len(groups)-1]
		last.Fingerprints = append(last.Fingerprints, pair[1])
	}
	return groups, nil
}
