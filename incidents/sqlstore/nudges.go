package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// holdPerson is how long an open question to a person keeps others back.
const holdPerson = 4 * time.Hour

// plan replaces the nudges of an incident.
func (t *transaction) plan(ctx context.Context, number int64, nudges []incidents.Nudge) error {
	if _, err := t.exec(ctx, `DELETE FROM nudges WHERE incident = $1`, number); err != nil {
		return fmt.Errorf("drop the nudges of %s: %w", incidents.Key(number), err)
	}
	rows := make([][]any, 0, len(nudges))
	for _, n := range nudges {
		rows = append(rows, []any{number, n.Kind, key(n.Target), key(n.Direct), micros(n.DueAt), micros(n.OpenSince)})
	}
	err := t.execRows(ctx, `INSERT INTO nudges (incident, kind, target, direct, due_at, open_since)`, rows, "")
	if err != nil {
		return fmt.Errorf("plan the nudges of %s: %w", incidents.Key(number), err)
	}
	return nil
}

// DueNudges lists nudges whose time has come; see [incidents.Store].
func (s *Store) DueNudges(ctx context.Context, now time.Time, limit int) ([]incidents.Nudge, error) {
	rows, err := s.query(ctx, `
		SELECT incident, kind, target, direct, due_at, open_since FROM nudges n
		WHERE due_at <= $1 AND NOT EXISTS (
			SELECT 1 FROM nudges o
			WHERE o.direct = n.direct AND o.direct <> '' AND o.open_since > $2
				AND (o.incident <> n.incident OR o.kind <> n.kind OR o.target <> n.target)
		)
		ORDER BY due_at, incident, kind, target LIMIT $3`, micros(now), micros(now.Add(-holdPerson)), max(limit, 0))
	due, err := collect(rows, err, scanNudge)
	if err != nil {
		return nil, fmt.Errorf("list due nudges: %w", err)
	}
	asked := map[any]bool{}
	var list []incidents.Nudge
	for _, n := range due {
		var whom any = n.Direct
		if n.Direct == "" {
			whom = n.Incident
		}
		if !asked[whom] {
			asked[whom] = true
			list = append(list, n)
		}
	}
	return list, nil
}

func scanNudge(row scanner) (incidents.Nudge, error) {
	var n incidents.Nudge
	var dueAt, openSince int64
	err := row.Scan(&n.Incident, &n.Kind, &n.Target, &n.Direct, &dueAt, &openSince)
	n.DueAt, n.OpenSince = moment(dueAt), moment(openSince)
	return n, err
}
