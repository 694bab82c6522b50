package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

const effectColumns = `key, kind, incident, group_id, target, generation, wanted, shown, external_id, place,
	shown_at, started_at, lease_until, fence, attempts, next_at, failed, reason, died`

func scanEffect(row scanner) (incidents.Effect, error) {
	var e incidents.Effect
	var shownAt, startedAt, leaseUntil, nextAt int64
	err := row.Scan(&e.Key, &e.Kind, &e.Incident, &e.Group, &e.Target, &e.Generation, &e.Wanted, &e.Shown, &e.ID, &e.Place,
		&shownAt, &startedAt, &leaseUntil, &e.Fence, &e.Attempts, &nextAt, &e.Failed, &e.Reason, &e.Died)
	e.ShownAt, e.StartedAt, e.LeaseUntil, e.NextAt = moment(shownAt), moment(startedAt), moment(leaseUntil), moment(nextAt)
	return e, err
}

// owe inserts effects and raises those that exist, as [incidents.Change] says.
// The jobs that work on them go with the same change.
func (t *transaction) owe(ctx context.Context, effects []incidents.Effect) error {
	effects = distinct(effects)
	rows := make([][]any, 0, len(effects))
	for _, e := range effects {
		rows = append(rows, []any{
			key(e.Key), e.Kind, e.Incident, key(e.Group), e.Target, e.Generation, e.Wanted, e.Shown, e.ID, e.Place,
			micros(e.ShownAt), micros(e.StartedAt), micros(e.LeaseUntil), e.Fence, e.Attempts, micros(e.NextAt), e.Failed, e.Reason, e.Died,
			micros(later(t.now, e.NextAt)),
		})
	}
	err := t.execRows(ctx, `INSERT INTO effects (`+effectColumns+`, job_at)`, rows, `
		ON CONFLICT (key) DO UPDATE SET
			wanted = CASE WHEN excluded.wanted > effects.wanted THEN excluded.wanted ELSE effects.wanted END,
			job_at = excluded.job_at`)
	if err != nil {
		return fmt.Errorf("owe effects: %w", err)
	}
	for _, e := range effects {
		if e.Generation > 1 {
			if err := t.renew(ctx, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// renew starts a row anew whose generation is lower. Fence rises, so that who
// holds the lease of the earlier generation has lost it.
func (t *transaction) renew(ctx context.Context, e incidents.Effect) error {
	_, err := t.exec(ctx, `
		UPDATE effects SET generation = $2, shown = $3, external_id = $4, place = $5, shown_at = $6, started_at = $7,
			lease_until = $8, fence = fence + 1, attempts = $9, next_at = $10, failed = $11, reason = $12, died = 0
		WHERE key = $1 AND generation < $2`,
		key(e.Key), e.Generation, e.Shown, e.ID, e.Place, micros(e.ShownAt), micros(e.StartedAt),
		micros(e.LeaseUntil), e.Attempts, micros(e.NextAt), e.Failed, e.Reason)
	if err != nil {
		return fmt.Errorf("renew effect %s: %w", e.Key, err)
	}
	return nil
}

// distinct merges effects of the same key as the database would one after the
// other: a statement may meet a row only once.
func distinct(effects []incidents.Effect) []incidents.Effect {
	at := map[string]int{}
	var list []incidents.Effect
	for _, e := range effects {
		i, found := at[e.Key]
		if !found {
			at[e.Key] = len(list)
			list = append(list, e)
			continue
		}
		wanted := max(e.Wanted, list[i].Wanted)
		if e.Generation > list[i].Generation {
			list[i] = e
		}
		list[i].Wanted = wanted
	}
	return list
}

// settle writes a leased effect back, frees the lease, and has it run again when
// it is still owed.
func (t *transaction) settle(ctx context.Context, e incidents.Effect) error {
	var state incidents.EffectState
	err := t.row(ctx, `
		UPDATE effects SET
			wanted = CASE WHEN $3 > wanted THEN $3 ELSE wanted END,
			shown = $4, external_id = $5, place = $6, shown_at = $7, started_at = $8, lease_until = $9,
			attempts = $10, next_at = $11, failed = $12, reason = $13, job_at = $14, died = 0
		WHERE key = $1 AND fence = $2
		RETURNING state`,
		key(e.Key), e.Fence, e.Wanted, e.Shown, e.ID, e.Place, micros(e.ShownAt), micros(e.StartedAt), micros(time.Time{}),
		e.Attempts, micros(e.NextAt), e.Failed, e.Reason, micros(later(t.now, e.NextAt))).Scan(&state)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return incidents.ErrStale
	case err != nil:
		return fmt.Errorf("settle effect %s: %w", e.Key, err)
	case state != incidents.Owed:
		return nil
	}
	// The fence tells this repeat from all others and, negative, from the
	// versions that events ask for: no queue takes it for a duplicate of the job
	// that is just running.
	var job incidents.Job = incidents.RunEffect{Effect: e.Key, Version: -e.Fence}
	if !e.NextAt.IsZero() {
		job = incidents.Scheduled{Job: job, At: e.NextAt}
	}
	t.jobs = append(t.jobs, job)
	return nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Effects lists the effects of an incident by their keys.
func (s *Store) Effects(ctx context.Context, number int64) ([]incidents.Effect, error) {
	rows, err := s.query(ctx, `SELECT `+effectColumns+` FROM effects WHERE incident = $1 ORDER BY key`, number)
	effects, err := collect(rows, err, scanEffect)
	if err != nil {
		return nil, fmt.Errorf("list effects of %s: %w", incidents.Key(number), err)
	}
	return effects, nil
}

// UndoneEffects lists the effects of some incidents that are not done, by the
// incidents' numbers.
func (s *Store) UndoneEffects(ctx context.Context, numbers []int64) (map[int64][]incidents.Effect, error) {
	undone := map[int64][]incidents.Effect{}
	for rest := numbers; len(rest) > 0; {
		n := batch(len(rest))
		args := make([]any, 0, n)
		for _, number := range rest[:n] {
			args = append(args, number)
		}
		rows, err := s.query(ctx, `
			SELECT `+effectColumns+` FROM effects
			WHERE incident IN (SELECT v.column1 FROM (`+s.values(1, n, "BIGINT")+`) AS v) AND state <> 'done' ORDER BY key`, args...)
		effects, err := collect(rows, err, scanEffect)
		if err != nil {
			return nil, fmt.Errorf("list effects that are not done: %w", err)
		}
		for _, e := range effects {
			undone[e.Incident] = append(undone[e.Incident], e)
		}
		rest = rest[n:]
	}
	return undone, nil
}

// Effect loads one effect.
func (s *Store) Effect(ctx context.Context, name string) (incidents.Effect, error) {
	return s.effect(ctx, name)
}

func (h handle) effect(ctx context.Context, name string) (incidents.Effect, error) {
	effect, err := scanEffect(h.row(ctx, `SELECT `+effectColumns+` FROM effects WHERE key = $1`, key(name)))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return incidents.Effect{}, incidents.Errorf(incidents.NotFound, "There is no effect %s.", name)
	case err != nil:
		return incidents.Effect{}, fmt.Errorf("load effect %s: %w", name, err)
	}
	return effect, nil
}

// OwedEffects counts what is still to be made outside, by kind.
func (s *Store) OwedEffects(ctx context.Context) (map[incidents.EffectKind]int, error) {
	type row struct {
		kind incidents.EffectKind
		n    int
	}
	rows, err := s.query(ctx, `SELECT kind, COUNT(*) FROM effects WHERE state = 'owed' GROUP BY kind`)
	counted, err := collect(rows, err, func(r scanner) (row, error) {
		var c row
		return c, r.Scan(&c.kind, &c.n)
	})
	if err != nil {
		return nil, fmt.Errorf("count owed effects: %w", err)
	}
	counts := map[incidents.EffectKind]int{}
	for _, c := range counted {
		counts[c.kind] = c.n
	}
	return counts, nil
}

// Claimed reports whether an effect of another key has this outside id.
func (s *Store) Claimed(ctx context.Context, kind incidents.EffectKind, id, exceptKey string) (bool, error) {
	claimed, err := scanOne[bool](s.row(ctx, `
		SELECT EXISTS (SELECT 1 FROM effects WHERE kind = $1 AND external_id = $2 AND external_id <> '' AND key <> $3)`,
		kind, id, key(exceptKey)))
	if err != nil {
		return false, fmt.Errorf("ask who has %s %s: %w", kind, id, err)
	}
	return claimed, nil
}
