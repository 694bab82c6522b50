package bot

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

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
		invited   bool
		inviteErr error
	)
	if reporter, ok := invitee(inc); ok {
		both.Go(func() { invited, inviteErr = r.run(ctx, key(incidents.MakeInvite, reporter)) })
	}
	carded, cardErr := r.run(ctx, key(incidents.MakeCard, ""))
	both.Wait()
	usable := r.now()
	if err := errors.Join(cardErr, inviteErr); err != nil {
		return err
	}
	if err := r.Run(ctx, key(incidents.MakePin, "")); err != nil {
		return err
	}
	if carded || invited {
		return r.tellUsable(ctx, inc, usable)
	}
	return nil
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
	}
	made, err := r.run(ctx, job.Effect)
	if err != nil || !made || (effect.Kind != incidents.MakeCard && effect.Kind != incidents.MakeInvite) {
		return err
	}
	usable := r.now()
	inc, err := r.store().Incident(ctx, effect.Incident)
	if err != nil {
		return fmt.Errorf("load %s to see whether its channel is usable: %w", incidents.Key(effect.Incident), err)
	}
	if reporter, ok := invitee(inc); effect.Kind == incidents.MakeInvite && (!ok || reporter != effect.Target) {
		return nil
	}
	return r.tellUsable(ctx, inc, usable)
}

// invitee is the reporter who has to be brought into the channel, if there is one.
func invitee(inc incidents.Incident) (string, bool) {
	return inc.Reporter.ID, inc.Reporter.ID != "" && inc.Reporter.Via == incidents.FromSlack
}

// tellUsable tells how long a channel took to become usable when the last of
// what makes it so, the card and the reporter's invitation, was made at a time.
// What a repair has made anew is not told of.
func (r *Runner) tellUsable(ctx context.Context, inc incidents.Incident, at time.Time) error {
	declared, ok := inc.Times[incidents.DeclaredAt]
	if !ok || r.config.Usable == nil {
		return nil
	}
	needed := []string{incidents.EffectKey(inc.Number, incidents.MakeCard, "")}
	if reporter, ok := invitee(inc); ok {
		needed = append(needed, incidents.EffectKey(inc.Number, incidents.MakeInvite, reporter))
	}
	for _, key := range needed {
		effect, err := r.store().Effect(ctx, key)
		if err != nil {
			return fmt.Errorf("load effect %s: %w", key, err)
		}
		if !effect.Made() || effect.Generation > 1 {
			return nil
		}
	}
	r.config.Usable(at.Sub(declared.At))
	return nil
}
