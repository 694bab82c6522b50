package bot

import (
	"context"
	"fmt"
	"sync"

	"github.com/houston-sre/houston/incidents"
)

// OpenChannel walks the critical path of an incident: its channel, then the card
// beside the reporter's invitation, then the pin. Two round trips to a usable
// channel, three to a pinned card; all else is jobs of its own.
func (r *Runner) OpenChannel(ctx context.Context, number int64) error {
	key := func(kind incidents.EffectKind, target string) string {
		return incidents.EffectKey(number, kind, target)
	}
	if err := r.Run(ctx, key(incidents.MakeChannel, "")); err != nil {
		return err
	}
	inc, err := r.store().Incident(ctx, number)
	if err != nil {
		return fmt.Errorf("load %s to open its channel: %w", incidents.Key(number), err)
	}
	if inc.Channel == nil {
		return nil // the channel is owed and will be tried again
	}
	var (
		both      sync.WaitGroup
		inviteErr error
	)
	if inc.Reporter.ID != "" && inc.Reporter.Via == incidents.FromSlack {
		both.Go(func() { inviteErr = r.Run(ctx, key(incidents.MakeInvite, inc.Reporter.ID)) })
	}
	cardErr := r.Run(ctx, key(incidents.MakeCard, ""))
	both.Wait()
	switch {
	case cardErr != nil:
		return cardErr
	case inviteErr != nil:
		return inviteErr
	}
	if declared, ok := inc.Times[incidents.DeclaredAt]; ok && inc.Card == nil && r.config.Usable != nil {
		r.config.Usable(r.now().Sub(declared.At))
	}
	return r.Run(ctx, key(incidents.MakePin, ""))
}

// RunEffect makes one effect, a channel with all that makes it usable.
func (r *Runner) RunEffect(ctx context.Context, job incidents.RunEffect) error {
	effect, err := r.store().Effect(ctx, job.Effect)
	switch {
	case incidents.KindOf(err) == incidents.NotFound:
		return nil
	case err != nil:
		return fmt.Errorf("load effect %s: %w", job.Effect, err)
	case effect.Kind == incidents.MakeChannel:
		return r.OpenChannel(ctx, effect.Incident)
	default:
		return r.Run(ctx, job.Effect)
	}
}
