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
