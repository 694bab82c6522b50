package sqlstore

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// Notices lists the incidents on the status page; see [incidents.Store].
func (s *Store) Notices(ctx context.Context, since time.Time, limit int) ([]incidents.Incident, error) {
	rows, err := s.query(ctx, `
		SELECT state FROM incidents
		WHERE published_until >= $1 AND NOT private AND NOT drill
		ORDER BY published_until DESC, number DESC LIMIT $2`, micros(since), limit)
	list, err := collect(rows, err, scanIncident)
	if err != nil {
		return nil, fmt.Errorf("list notices: %w", err)
	}
	return list, nil
}

// publishedUntil is what the column of this name says of a notice.
func publishedUntil(notice *incidents.Notice) *int64 {
	if notice == nil {
		return nil
	}
	until := int64(math.MaxInt64)
	if notice.Status() == incidents.NoticeResolved {
		until = micros(notice.Updates[len(notice.Updates)-1].At)
	}
	return &until
}
