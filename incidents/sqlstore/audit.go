package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/houston-sre/houston/incidents"
)

// Audit lists events across incidents, the latest recorded first.
func (s *Store) Audit(ctx context.Context, query incidents.AuditQuery) ([]incidents.AuditLine, error) {
	var f filter
	f.visible(query.Visible)
	if query.Type != "" {
		f.add(`e.type = ?`, query.Type)
	}
	if query.Person != "" {
		// The actor is JSON with the id first, as [incidents.Person] writes it.
		id, err := asJSON(query.Person)
		if err != nil {
			return nil, fmt.Errorf("encode a person: %w", err)
		}
		f.add(`substr(e.actor, 1, length(?)) = ?`, `{"id":`+id+`,`, `{"id":`+id+`,`)
	}
	if before := query.Before; !before.RecordedAt.IsZero() {
		at := micros(before.RecordedAt)
		f.add(`(e.recorded_at, e.incident, e.seq) < (?, ?, ?)`, at, before.Incident, before.Seq)
	}
	limit := query.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	rows, err := s.query(ctx, `
		SELECT e.incident, e.seq, e.at, e.precision, e.recorded_at, e.type, e.actor, e.data, i.title
		FROM events e JOIN incidents i ON i.number = e.incident`+f.where()+
		fmt.Sprintf(` ORDER BY e.recorded_at DESC, e.incident DESC, e.seq DESC LIMIT %d`, limit), f.args...)
	list, err := collect(rows, err, scanAuditLine)
	if err != nil {
		return nil, fmt.Errorf("list events: %w", err)
	}
	return list, s.hide(ctx, list)
}

// place names an event.
type place struct{ incident, seq int64 }

// hide marks the lines whose words nobody is to read any more.
func (s *Store) hide(ctx context.Context, lines []incidents.AuditLine) error {
	var numbers []int64
	for _, l := range lines {
		numbers = append(numbers, l.Incident)
	}
	slices.Sort(numbers)
	if numbers = slices.Compact(numbers); len(numbers) == 0 {
		return nil
	}
	var f filter
	f.add(`type IN (?, ?)`, incidents.Redacted{}.Type(), incidents.Amended{}.Type())
	inNumbers(&f, `incident`, numbers)
	rows, err := s.query(ctx, `SELECT incident, data FROM events`+f.where(), f.args...)
	hidden, err := collect(rows, err, func(row scanner) (place, error) {
		var number int64
		var raw string
		if err := row.Scan(&number, &raw); err != nil {
			return place{}, err
		}
		var data struct {
			Seq             int64
			Hidden, Deleted bool
		}
		if err := fromJSON(raw, &data); err != nil || !data.Hidden && !data.Deleted {
			return place{}, err
		}
		return place{number, data.Seq}, nil
	})
	if err != nil {
		return fmt.Errorf("list what was redacted: %w", err)
	}
	for i := range lines {
		lines[i].Hidden = slices.Contains(hidden, place{lines[i].Incident, lines[i].Seq})
	}
	return nil
}

func scanAuditLine(row scanner) (incidents.AuditLine, error) {
	var line incidents.AuditLine
	event, err := scanEvent(withTitle{row, &line.Title})
	line.Event = event
	return line, err
}

// withTitle scans one column more than its caller knows of.
type withTitle struct {
	scanner

	title *string
}

func (w withTitle) Scan(dest ...any) error { return w.scanner.Scan(append(dest, w.title)...) }

// Versions gives the Seq of the last event of each of these incidents.
func (s *Store) Versions(ctx context.Context, numbers []int64) (map[int64]int64, error) {
	if len(numbers) == 0 {
		return map[int64]int64{}, nil
	}
	var f filter
	inNumbers(&f, `number`, numbers)
	rows, err := s.query(ctx, `SELECT number, seq FROM incidents`+f.where(), f.args...)
	pairs, err := collect(rows, err, func(row scanner) (pair [2]int64, err error) {
		err = row.Scan(&pair[0], &pair[1])
		return pair, err
	})
	if err != nil {
		return nil, fmt.Errorf("load versions: %w", err)
	}
	versions := make(map[int64]int64, len(pairs))
	for _, p := range pairs {
		versions[p[0]] = p[1]
	}
	return versions, nil
}

func inNumbers(f *filter, column string, numbers []int64) {
	marks, args := make([]byte, 0, 3*len(numbers)), make([]any, 0, len(numbers))
	for i, n := range numbers {
		if i > 0 {
			marks = append(marks, ", "...)
		}
		marks, args = append(marks, '?'), append(args, n)
	}
	f.add(column+` IN (`+string(marks)+`)`, args...)
}
