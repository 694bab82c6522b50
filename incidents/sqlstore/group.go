package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

const groupColumns = `id, source, receiver, labels, incident, offer, version, round, firing,
	title, summary, severity, service, firing_since, decided_by, detection, plan, truncated, heart, due_at, alertmanager, sent_by`

func groupRow(g incidents.AlertGroup) ([]any, error) {
	labels, err := asJSON(g.Labels)
	if err != nil {
		return nil, fmt.Errorf("encode labels: %w", err)
	}
	decidedBy, err := asJSON(g.DecidedBy)
	if err != nil {
		return nil, fmt.Errorf("encode a person: %w", err)
	}
	plan, err := asJSON(g.Plan)
	if err != nil {
		return nil, fmt.Errorf("encode a plan: %w", err)
	}
	truncated, err := asJSON(g.Truncated)
	if err != nil {
		return nil, fmt.Errorf("encode what was left out: %w", err)
	}
	heart := ""
	if g.Heart != nil {
		if heart, err = asJSON(g.Heart); err != nil {
			return nil, fmt.Errorf("encode a heart: %w", err)
		}
	}
	var dueAt int64
	if !g.DueAt.IsZero() {
		dueAt = micros(g.DueAt)
	}
	return []any{
		key(g.ID), g.Source, g.Receiver, labels, g.Incident, g.Offer, g.Version, g.Round, g.Firing,
		g.Title, g.Summary, g.Severity, g.Service, micros(g.FiringSince), decidedBy, g.Detection,
		plan, truncated, heart, dueAt, g.Alertmanager, g.SentBy,
	}, nil
}

// insertGroup makes the group's row unless there is one.
func (t *transaction) insertGroup(ctx context.Context, g incidents.AlertGroup) (fresh bool, err error) {
	row, err := groupRow(g)
	if err != nil {
		return false, err
	}
	n, err := t.affect(ctx, `
		INSERT INTO alert_groups (`+groupColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
		ON CONFLICT (id) DO NOTHING`, row...)
	if err != nil {
		return false, fmt.Errorf("insert an alert group: %w", err)
	}
	return n == 1, nil
}

func (t *transaction) updateGroup(ctx context.Context, g incidents.AlertGroup) error {
	row, err := groupRow(g)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
		UPDATE alert_groups SET source = $2, receiver = $3, labels = $4, incident = $5, offer = $6, version = $7,
			round = $8, firing = $9, title = $10, summary = $11, severity = $12, service = $13, firing_since = $14,
			decided_by = $15, detection = $16, plan = $17, truncated = $18, heart = $19,
			due_at = $20, alertmanager = $21, sent_by = $22
		WHERE id = $1`, row...)
	if err != nil {
		return fmt.Errorf("save an alert group: %w", err)
	}
	return nil
}

// Group loads one group of alerts.
func (s *Store) Group(ctx context.Context, id string) (incidents.AlertGroup, error) {
	return s.group(ctx, id, "")
}

func (h handle) group(ctx context.Context, id, lock string) (incidents.AlertGroup, error) {
	g, err := scanGroup(h.row(ctx, `SELECT `+groupColumns+` FROM alert_groups WHERE id = $1`+lock, key(id)))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return g, incidents.Errorf(incidents.NotFound, "Houston does not know these alerts. `/incident declare` opens an incident without them.")
	case err != nil:
		return incidents.AlertGroup{}, fmt.Errorf("load an alert group: %w", err)
	}
	return g, nil
}

func scanGroup(row scanner) (incidents.AlertGroup, error) {
	var g incidents.AlertGroup
	var labels, decidedBy, plan, truncated, heart string
	var firingSince, dueAt int64
	err := row.Scan(
		&g.ID, &g.Source, &g.Receiver, &labels, &g.Incident, &g.Offer, &g.Version, &g.Round, &g.Firing,
		&g.Title, &g.Summary, &g.Severity, &g.Service, &firingSince, &decidedBy, &g.Detection,
		&plan, &truncated, &heart, &dueAt, &g.Alertmanager, &g.SentBy)
	if err != nil {
		return g, err
	}
	g.FiringSince = moment(firingSince)
	if dueAt > 0 {
		g.DueAt = moment(dueAt)
	}
	if heart != "" {
		err = fromJSON(heart, &g.Heart)
	}
	return g, errors.Join(err, fromJSON(labels, &g.Labels), fromJSON(decidedBy, &g.DecidedBy),
		fromJSON(plan, &g.Plan), fromJSON(truncated, &g.Truncated))
}

// GroupsOf lists the groups of an incident, those with the most alerts firing
// first, and how many there are.
func (s *Store) GroupsOf(ctx context.Context, number int64, limit int) ([]incidents.AlertGroup, int, error) {
	rows, err := s.query(ctx, `
		SELECT `+groupColumns+` FROM alert_groups WHERE incident = $1 AND incident <> 0
		ORDER BY firing DESC, title, id LIMIT $2`, number, max(limit, 0))
	groups, err := collect(rows, err, scanGroup)
	if err != nil {
		return nil, 0, fmt.Errorf("list the alert groups of %s: %w", incidents.Key(number), err)
	}
	n, err := scanOne[int](s.row(ctx, `SELECT COUNT(*) FROM alert_groups WHERE incident = $1 AND incident <> 0`, number))
	if err != nil {
		return nil, 0, fmt.Errorf("count the alert groups of %s: %w", incidents.Key(number), err)
	}
	return groups, n, nil
}

// DueGroups gives the ids of the groups to be looked at now, the longest due first.
func (s *Store) DueGroups(ctx context.Context, now time.Time, limit int) ([]string, error) {
	rows, err := s.query(ctx, `SELECT id FROM alert_groups WHERE due_at > 0 AND due_at <= $1 ORDER BY due_at LIMIT $2`,
		micros(now), max(limit, 0))
	ids, err := collect(rows, err, scanOne[string])
	if err != nil {
		return nil, fmt.Errorf("find alert groups to look at: %w", err)
	}
	return ids, nil
}
