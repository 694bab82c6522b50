package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// Ingest merges one group's alerts under a lock of the group; see
// [incidents.Store]. It may call decide again when the transaction had to give
// way to another one.
func (s *Store) Ingest(ctx context.Context, group incidents.AlertGroup, fingerprints []string, decide func(incidents.GroupTx) error) error {
	return s.transact(ctx, func(t *transaction) error {
		fresh, err := t.insertGroup(ctx, group)
		if err != nil {
			return err
		}
		if fresh {
			fingerprints = nil // none can be known
		}
		locked, err := t.group(ctx, group.ID, t.dialect.lock)
		if err != nil {
			return err
		}
		known, err := t.latestAlerts(ctx, group.ID, fingerprints)
		if err != nil {
			return err
		}
		return decide(&groupTx{ctx: ctx, t: t, group: locked, known: known})
	})
}

// groupTx is [incidents.GroupTx] for as long as one call of Ingest.
type groupTx struct {
	ctx   context.Context //nolint:containedctx // the interface's methods take none, and it ends with the call
	t     *transaction
	group incidents.AlertGroup
	known map[string]incidents.Alert
}

func (g *groupTx) Group() incidents.AlertGroup        { return g.group }
func (g *groupTx) Known() map[string]incidents.Alert  { return g.known }
func (g *groupTx) OpenCount() (int, error)            { return g.t.openCount(g.ctx, g.group.ID) }
func (g *groupTx) OpenRoutes() ([]string, error)      { return g.t.openRoutes(g.ctx, g.group.ID) }
func (g *groupTx) NextNumber() (int64, error)         { return g.t.nextNumber(g.ctx) }
func (g *groupTx) Save(change incidents.Change) error { return g.t.save(g.ctx, change) }

func (g *groupTx) Ripe(route string, from, until time.Time) (int, time.Time, error) {
	return g.t.ripe(g.ctx, g.group.ID, route, from, until)
}

func (g *groupTx) SaveAlerts(alerts []incidents.Alert) error {
	return g.t.saveAlerts(g.ctx, g.group, alerts)
}

func (g *groupTx) Owe(effects []incidents.Effect, jobs []incidents.Job) error {
	g.t.jobs = append(g.t.jobs, jobs...)
	return g.t.owe(g.ctx, effects)
}

func (g *groupTx) Incident(number int64) (incidents.Incident, error) {
	return g.t.lockIncident(g.ctx, number)
}

// SaveGroup writes the group. When it changes hands, its alerts go with it.
func (g *groupTx) SaveGroup(group incidents.AlertGroup) error {
	if err := g.t.updateGroup(g.ctx, group); err != nil {
		return err
	}
	if group.Incident != g.group.Incident {
		if err := g.t.assignAlerts(g.ctx, group); err != nil {
			return err
		}
	}
	g.group = group
	return nil
}

// OpenIncident looks without a lock, locks what it found, and looks again until
// it finds the one it has locked: a SELECT … LIMIT 1 FOR UPDATE would find none
// when its one row was closed by whoever had it locked.
func (g *groupTx) OpenIncident(service string) (incidents.Incident, bool, error) {
	fits, arg := `via = $1`, string(incidents.FromAlert)
	if service != "" {
		fits, arg = `service = $1`, key(service)
	}
	var locked incidents.Incident
	for {
		number, err := scanOne[int64](g.t.row(g.ctx, `
			SELECT number FROM incidents WHERE is_open AND NOT private AND NOT drill AND `+fits+`
			ORDER BY number DESC LIMIT 1`, arg))
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return incidents.Incident{}, false, nil
		case err != nil:
			return incidents.Incident{}, false, fmt.Errorf("find an open incident: %w", err)
		case number == locked.Number:
			return locked, true, nil
		}
		if locked, err = g.t.lockIncident(g.ctx, number); err != nil {
			return incidents.Incident{}, false, err
		}
	}
}

// DeclaredSince counts after whoever counted before has committed what it made
// of that, so that the bound holds however many deliveries come at once.
func (g *groupTx) DeclaredSince(since time.Time) (int, error) {
	if err := g.passGate(); err != nil {
		return 0, err
	}
	n, err := scanOne[int](g.t.row(g.ctx, `SELECT COUNT(*) FROM incidents WHERE via = $1 AND declared_at >= $2`,
		incidents.FromAlert, micros(since)))
	if err != nil {
		return 0, fmt.Errorf("count declarations: %w", err)
	}
	return n, nil
}

// Storm gives the number of the storm that was opened last.
func (g *groupTx) Storm() (int64, error) {
	number, err := scanOne[int64](g.t.row(g.ctx, `SELECT incident FROM gates WHERE name = 'declare'`))
	if err != nil {
		return 0, fmt.Errorf("find the storm: %w", err)
	}
	return number, nil
}

// SaveStorm notes the storm that is opened.
func (g *groupTx) SaveStorm(number int64) error {
	if _, err := g.t.exec(g.ctx, `UPDATE gates SET incident = $1 WHERE name = 'declare'`, number); err != nil {
		return fmt.Errorf("note the storm: %w", err)
	}
	return nil
}

// BlindIncident finds the incident of a source whose heart is silent. Who looks
// passes the gate of declarations first, so that two hearts open one.
func (g *groupTx) BlindIncident(source string) (incidents.Incident, bool, error) {
	if err := g.passGate(); err != nil {
		return incidents.Incident{}, false, err
	}
	number, err := scanOne[int64](g.t.row(g.ctx, `
		SELECT COALESCE(MAX(i.number), 0) FROM alert_groups AS g JOIN incidents AS i ON i.number = g.incident
		WHERE g.heart <> '' AND g.source = $1 AND i.is_open`, source))
	if err != nil {
		return incidents.Incident{}, false, fmt.Errorf("find the incident of a silent heart: %w", err)
	}
	if number == 0 {
		return incidents.Incident{}, false, nil
	}
	inc, err := g.t.lockIncident(g.ctx, number)
	return inc, err == nil && inc.Status.Open(), err
}

// passGate waits for whoever is opening an incident for alerts.
func (g *groupTx) passGate() error {
	if _, err := scanOne[string](g.t.row(g.ctx, `SELECT name FROM gates WHERE name = 'declare'`+g.t.dialect.lock)); err != nil {
		return fmt.Errorf("pass the gate of declarations: %w", err)
	}
	return nil
}
