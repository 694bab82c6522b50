package sqlstore

import (
	"context"
	"fmt"

	"github.com/houston-sre/houston/incidents"
)

// OweEffect stores an effect of its own; see [incidents.Store].
func (s *Store) OweEffect(ctx context.Context, effect incidents.Effect) error {
	err := s.transact(ctx, func(t *transaction) error {
		t.jobs = append(t.jobs, incidents.RunEffect{Effect: effect.Key, Version: max(effect.Wanted, 1)})
		return t.owe(ctx, []incidents.Effect{effect})
	})
	if err != nil {
		return fmt.Errorf("owe %s: %w", effect.Key, err)
	}
	return nil
}

// MadeAs lists the effects with an outside id; see [incidents.Store].
func (s *Store) MadeAs(ctx context.Context, kind incidents.EffectKind, id string) ([]incidents.Effect, error) {
	rows, err := s.query(ctx, `SELECT `+effectColumns+` FROM effects WHERE kind = $1 AND external_id = $2 AND external_id <> '' ORDER BY key`, kind, id)
	effects, err := collect(rows, err, scanEffect)
	if err != nil {
		return nil, fmt.Errorf("list what was made as %s: %w", id, err)
	}
	return effects, nil
}
