package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

const alertColumns = `id, group_id, fingerprint, firing, starts_at, ends_at, received_at, labels, annotations, url, action,
	seen_at, route, until_at, sender, fired_at`

func scanAlert(row scanner) (incidents.Alert, error) {
	var a incidents.Alert
	var startsAt, endsAt, receivedAt, seenAt, untilAt, firedAt int64
	var labels, annotations string
	err := row.Scan(&a.ID, &a.Group, &a.Fingerprint, &a.Firing, &startsAt, &endsAt, &receivedAt,
		&labels, &annotations, &a.URL, &a.Action, &seenAt, &a.Route, &untilAt, &a.Sender, &firedAt)
	if err != nil {
		return a, err
	}
	a.StartsAt, a.EndsAt, a.ReceivedAt, a.SeenAt = moment(startsAt), moment(endsAt), moment(receivedAt), moment(seenAt)
	a.FiredAt = moment(firedAt)
	if untilAt > 0 {
		a.Until = moment(untilAt)
	}
	return a, errors.Join(fromJSON(labels, &a.Labels), fromJSON(annotations, &a.Annotations))
}

// latestAlerts gives for each fingerprint the row of the latest life: the open
// one if there is one, since no row is inserted beside an open one.
func (t *transaction) latestAlerts(ctx context.Context, group string, fingerprints []string) (map[string]incidents.Alert, error) {
	known := make(map[string]incidents.Alert, len(fingerprints))
	for rest := fingerprints; len(rest) > 0; {
		n := batch(len(rest))
		asked := make(map[string]string, n)
		args := []any{key(group)}
		for _, fp := range rest[:n] {
			asked[key(fp)] = fp
			args = append(args, key(fp))
		}
		// Neither an IN list nor a join: with the statistics of a table that has
		// just grown from nothing, PostgreSQL compares each of the group's alerts
		// with each fingerprint. This leaves it no choice but the index.
		rows, err := t.query(ctx, `
			SELECT `+alertColumns+` FROM alerts WHERE id IN (
				SELECT (SELECT MAX(a.id) FROM alerts AS a WHERE a.group_id = `+t.dialect.mark(1)+` AND a.fingerprint = v.column1)
				FROM (`+t.values(2, n, "TEXT")+`) AS v
			)`, args...)
		alerts, err := collect(rows, err, scanAlert)
		if err != nil {
			return nil, fmt.Errorf("load known alerts: %w", err)
		}
		for _, a := range alerts {
			a.Fingerprint = asked[a.Fingerprint]
			known[a.Fingerprint] = a
		}
		rest = rest[n:]
	}
	return known, nil
}

func (t *transaction) openCount(ctx context.Context, group string) (int, error) {
	n, err := scanOne[int](t.row(ctx, `SELECT COUNT(*) FROM alerts WHERE group_id = $1 AND firing AND counts`, key(group)))
	if err != nil {
		return 0, fmt.Errorf("count open alerts: %w", err)
	}
	return n, nil
}

// saveAlerts replaces the rows that have an ID and inserts the others. A new
// alert belongs to the incident that its group has, unless it was never seen
// firing.
func (t *transaction) saveAlerts(ctx context.Context, group incidents.AlertGroup, alerts []incidents.Alert) error {
	var fresh, changed [][]any
	for _, a := range alerts {
		labels, err := asJSON(a.Labels)
		if err != nil {
			return fmt.Errorf("encode labels: %w", err)
		}
		annotations, err := asJSON(a.Annotations)
		if err != nil {
			return fmt.Errorf("encode annotations: %w", err)
		}
		counts := a.Action.Counts()
		row := []any{
			a.ID, a.Firing, counts, a.Name(), micros(a.StartsAt), micros(a.EndsAt), micros(a.ReceivedAt),
			labels, annotations, a.URL, a.Action, micros(a.SeenAt), a.Route, untilOf(a), a.Sender, micros(a.FiredAt),
		}
		if a.ID != 0 {
			changed = append(changed, row)
			continue
		}
		var incident int64
		if counts && a.Firing {
			incident = group.Incident
		}
		fresh = append(fresh, append([]any{key(group.ID), incident, key(a.Fingerprint)}, row[1:]...))
	}
	// A life that has ended is closed before the next one of its alert begins.
	if err := t.updateAlerts(ctx, changed); err != nil {
		return err
	}
	return t.insertAlerts(ctx, fresh)
}

// untilOf is an alert's Until as it is stored: 0 for none.
func untilOf(a incidents.Alert) int64 {
	if a.Until.IsZero() {
		return 0
	}
	return micros(a.Until)
}

// insertAlerts takes an open row over rather than fail: there is one open row
// for each fingerprint.
func (t *transaction) insertAlerts(ctx context.Context, rows [][]any) error {
	err := t.execRows(ctx, `
		INSERT INTO alerts (group_id, incident, fingerprint, firing, counts, name, starts_at, ends_at, received_at,
			labels, annotations, url, action, seen_at, route, until_at, sender, fired_at)`, rows, `
		ON CONFLICT (group_id, fingerprint) WHERE firing DO UPDATE SET
			counts = excluded.counts, name = excluded.name, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
			received_at = excluded.received_at, labels = excluded.labels, annotations = excluded.annotations,
			url = excluded.url, action = excluded.action, route = excluded.route,
			until_at = excluded.until_at, sender = excluded.sender, fired_at = excluded.fired_at`)
	if err != nil {
		return fmt.Errorf("insert alerts: %w", err)
	}
	return nil
}

func (t *transaction) updateAlerts(ctx context.Context, rows [][]any) error {
	for len(rows) > 0 {
		n := batch(len(rows))
		// Both databases name the columns of VALUES column1, column2 …
		_, err := t.exec(ctx, `
			UPDATE alerts SET firing = v.column2, counts = v.column3, name = v.column4, starts_at = v.column5,
				ends_at = v.column6, received_at = v.column7, labels = v.column8, annotations = v.column9,
				url = v.column10, action = v.column11, seen_at = v.column12, route = v.column13,
				until_at = v.column14, sender = v.column15, fired_at = v.column16
			FROM (`+t.values(1, n, "BIGINT", "BOOLEAN", "BOOLEAN", "TEXT", "BIGINT", "BIGINT", "BIGINT", "TEXT", "TEXT", "TEXT", "TEXT", "BIGINT", "TEXT", "BIGINT", "TEXT", "BIGINT")+`) AS v
			WHERE alerts.id = v.column1`, flat(rows[:n])...)
		if err != nil {
			return fmt.Errorf("update alerts: %w", err)
		}
		rows = rows[n:]
	}
	return nil
}

// assignAlerts gives to a group's incident the alerts that fire and, of those
// that belong to none, what came since the group began to fire.
func (t *transaction) assignAlerts(ctx context.Context, group incidents.AlertGroup) error {
	_, err := t.exec(ctx, `
		UPDATE alerts SET incident = $2
		WHERE group_id = $1 AND counts AND incident <> $2 AND (firing OR incident = 0 AND received_at >= $3)`,
		key(group.ID), group.Incident, micros(group.FiringSince))
	if err != nil {
		return fmt.Errorf("assign alerts to %s: %w", incidents.Key(group.Incident), err)
	}
	return nil
}

// Alerts lists the alerts of an incident: firing first, then by name.
func (s *Store) Alerts(ctx context.Context, number int64, limit int) ([]incidents.Alert, error) {
	rows, err := s.query(ctx, `
		SELECT `+alertColumns+` FROM alerts WHERE incident = $1 AND incident <> 0
		ORDER BY firing DESC, name, id LIMIT $2`, number, max(limit, 0))
	alerts, err := collect(rows, err, scanAlert)
	if err != nil {
		return nil, fmt.Errorf("list alerts of %s: %w", incidents.Key(number), err)
	}
	return alerts, nil
}

// GroupAlerts lists a group's open alerts by name.
func (s *Store) GroupAlerts(ctx context.Context, id string, limit int) ([]incidents.Alert, error) {
	rows, err := s.query(ctx, `
		SELECT `+alertColumns+` FROM alerts WHERE group_id = $1 AND firing
		ORDER BY name, id LIMIT $2`, key(id), max(limit, 0))
	alerts, err := collect(rows, err, scanAlert)
	if err != nil {
		return nil, fmt.Errorf("list alerts of a group: %w", err)
	}
	return alerts, nil
}

// ripe counts the open alerts of a route that were first heard of in a time, and
// gives when the first later one was; the zero time for none.
func (t *transaction) ripe(ctx context.Context, group, route string, from, until time.Time) (int, time.Time, error) {
	var n int
	var next int64
	err := t.row(ctx, `
		SELECT COALESCE(SUM(CASE WHEN seen_at <= $4 THEN 1 ELSE 0 END), 0),
			COALESCE(MIN(CASE WHEN seen_at > $4 THEN seen_at END), 0)
		FROM alerts WHERE group_id = $1 AND firing AND route = $2 AND seen_at >= $3`,
		key(group), route, micros(from), micros(until)).Scan(&n, &next)
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("count the alerts that have fired long enough: %w", err)
	}
	if next == 0 {
		return n, time.Time{}, nil
	}
	return n, moment(next), nil
}

func (t *transaction) openRoutes(ctx context.Context, group string) ([]string, error) {
	rows, err := t.query(ctx, `SELECT DISTINCT route FROM alerts WHERE group_id = $1 AND firing AND counts ORDER BY route`, key(group))
	names, err := collect(rows, err, scanOne[string])
	if err != nil {
		return nil, fmt.Errorf("list the routes of open alerts: %w", err)
	}
	return names, nil
}

// WatchedAlerts lists the open alerts that count of a source and come from an
// Alertmanager.
func (s *Store) WatchedAlerts(ctx context.Context, source string, limit int) ([]incidents.WatchedAlert, error) {
	rows, err := s.query(ctx, `
		SELECT a.group_id, a.fingerprint, a.name, g.incident FROM alerts AS a JOIN alert_groups AS g ON g.id = a.group_id
		WHERE a.firing AND a.counts AND g.source = $1 AND g.alertmanager ORDER BY a.id LIMIT $2`, source, max(limit, 0))
	alerts, err := collect(rows, err, func(row scanner) (a incidents.WatchedAlert, err error) {
		err = row.Scan(&a.Group, &a.Fingerprint, &a.Name, &a.Incident)
		return a, err
	})
	if err != nil {
		return nil, fmt.Errorf("list the open alerts of a source: %w", err)
	}
	return alerts, nil
}

// Sources lists the sources that have open alerts that count and come from an
// Alertmanager.
func (s *Store) Sources(ctx context.Context) ([]string, error) {
	rows, err := s.query(ctx, `SELECT DISTINCT source FROM alert_groups WHERE firing > 0 AND alertmanager ORDER BY source`)
	sources, err := collect(rows, err, scanOne[string])
	if err != nil {
		return nil, fmt.Errorf("list the sources of open alerts: %w", err)
	}
	return sources, nil
}
