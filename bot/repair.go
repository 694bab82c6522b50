package bot

import (
	"context"
	"fmt"

	"github.com/houston-sre/houston/incidents"
)

// Repair looks at everything that was made for an incident and has made anew
// what had failed and what is gone. When the channel itself is gone only that is
// made anew here: whatever stands in it follows once it is open.
func (r *Runner) Repair(ctx context.Context, number int64) error {
	inc, err := r.store().Incident(ctx, number)
	if err != nil {
		return fmt.Errorf("load %s to repair it: %w", incidents.Key(number), err)
	}
	effects, err := r.store().Effects(ctx, number)
	if err != nil {
		return fmt.Errorf("load effects of %s: %w", incidents.Key(number), err)
	}
	generation := int64(1)
	var missing []incidents.Effect
	for _, effect := range effects {
		generation = max(generation, effect.Generation+1)
		gone, err := r.gone(ctx, Work{Effect: effect, Incident: inc})
		if err != nil {
			return err
		}
		if gone && effect.Kind == incidents.MakeChannel {
			missing = []incidents.Effect{effect}
			generation = highest(effects) + 1
			break
		}
		if gone {
			missing = append(missing, effect)
		}
	}
	return r.config.Service.Renew(ctx, number, generation, missing)
}

// gone reports whether an effect has to be made anew. Messages about a single
// event are not: a chat's past is not to be told again.
func (r *Runner) gone(ctx context.Context, work Work) (bool, error) {
	switch {
	case work.Effect.Failed:
		return !putAway(work), nil
	case work.Effect.State() == incidents.Owed:
		return false, nil // being made
	case putAway(work):
		return false, nil
	}
	checker, ok := r.config.Makers[work.Effect.Kind].(Checker)
	if !ok {
		return false, nil
	}
	call, cancel := context.WithTimeout(ctx, callFor)
	defer cancel()
	there, err := checker.Check(call, work)
	if err != nil {
		return false, &incidents.Error{
			Kind: incidents.Unavailable, After: asFailure(err).After,
			Message: fmt.Sprintf("check %s: %v", work.Effect.Key, err),
		}
	}
	return !there, nil
}

// putAway reports whether an effect is the channel of an incident that is over,
// which is in the archive, or stands in it: there it stays as it is.
func putAway(work Work) bool {
	channel := work.Incident.Channel
	if channel == nil || !channel.Archived || work.Incident.Status.Open() {
		return false
	}
	return work.Effect.ID == channel.ID || work.Effect.Place == channel.ID
}

func highest(effects []incidents.Effect) int64 {
	var highest int64
	for _, e := range effects {
		highest = max(highest, e.Generation)
	}
	return highest
}
