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
	title, summary, severity, service, firing_since, decided_by, detection, plan, truncated, heart, due_at`

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
		plan, truncated, heart, dueAt,
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
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
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
			due_at = $20
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
	var g incidents.AlertGroup
	var labels, decidedBy, plan, truncated, heart string
	var firingSince, dueAt int64
	err := h.row(ctx, `SELECT `+groupColumns+` FROM alert_groups WHERE id = $1`+lock, key(id)).Scan(
		&g.ID, &g.Source, &g.Receiver, &labels, &g.Incident, &g.Offer, &g.Version, &g.Round, &g.Firing,
		&g.Title, &g.Summary, &g.Severity, &g.Service, &firingSince, &decidedBy, &g.Detection,
		&plan, &truncated, &heart, &dueAt)
	if errors.Is(err, sql.ErrNoRows) {
		return g, incidents.Errorf(incidents.NotFound, "Houston does not know these alerts. `/incident declare` opens an incident without them.")
	}
	if err == nil {
		g.FiringSince = moment(firingSince)
		err = errors.Join(fromJSON(labels, &g.Labels), fromJSON(decidedBy, &g.DecidedBy),
			fromJSON(plan, &g.Plan), fromJSON(truncated, &g.Truncated))
		if dueAt > 0 {
			g.DueAt = moment(dueAt)
		}
		if heart != "" {
			err = errors.Join(err, fromJSON(heart, &g.Heart))
		}
	}
	if err != nil {
		return incidents.AlertGroup{}, fmt.Errorf("load an alert group: %w", err)
	}
	return g, nil
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
