package sqlstore

import (
	"context"
	"fmt"

	"github.com/houston-sre/houston/incidents"
)

// UpdatePair changes two incidents; see [incidents.Store]. Deliveries of alerts
// lock a group and then its incident: so do we, and the incidents in the order
// of their numbers, whichever is the first.
func (s *Store) UpdatePair(ctx context.Context, first, second int64, once incidents.Once, decide func(first, second incidents.Incident, log []incidents.Event) (incidents.Pair, error)) (incidents.Result, error) {
	var result incidents.Result
	err := s.transact(ctx, func(t *transaction) error {
		earlier, used, err := t.claim(ctx, once, first)
		if err != nil {
			return err
		}
		if used {
			return t.repeat(ctx, earlier, &result)
		}
		one, other, err := t.lockPair(ctx, first, second)
		if err != nil {
			return err
		}
		log, err := t.events(ctx, first)
		if err != nil {
			return err
		}
		pair, err := decide(one, other, log)
		if err != nil {
			return err
		}
		result = incidents.Result{Incident: pair.First.Incident}
		if err := t.save(ctx, pair.First); err != nil {
			return err
		}
		if err := t.save(ctx, pair.Second); err != nil {
			return err
		}
		if !pair.Regroup {
			return nil
		}
		return t.regroup(ctx, first, second)
	})
	if err != nil {
		return incidents.Result{}, err
	}
	return result, nil
}

func (t *transaction) lockPair(ctx context.Context, first, second int64) (one, other incidents.Incident, err error) {
	rows, err := t.query(ctx, `SELECT id FROM alert_groups WHERE incident = $1 ORDER BY id`+t.dialect.lock, first)
	if _, err = collect(rows, err, scanOne[string]); err != nil {
		return one, other, fmt.Errorf("lock the alert groups of %s: %w", incidents.Key(first), err)
	}
	if first > second {
		if other, err = t.lockIncident(ctx, second); err != nil {
			return one, other, err
		}
		one, err = t.lockIncident(ctx, first)
		return one, other, err
	}
	if one, err = t.lockIncident(ctx, first); err != nil {
		return one, other, err
	}
	other, err = t.lockIncident(ctx, second)
	return one, other, err
}

// regroup has the alert groups of one incident, and their alerts, belong to
// another one.
func (t *transaction) regroup(ctx context.Context, from, to int64) error {
	if _, err := t.exec(ctx, `UPDATE alert_groups SET incident = $2 WHERE incident = $1`, from, to); err != nil {
		return fmt.Errorf("move the alert groups of %s: %w", incidents.Key(from), err)
	}
	if _, err := t.exec(ctx, `UPDATE alerts SET incident = $2 WHERE incident = $1`, from, to); err != nil {
		return fmt.Errorf("move the alerts of %s: %w", incidents.Key(from), err)
	}
	return nil
}
