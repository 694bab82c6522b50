package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// How long things take at most. A lease covers one call with room to record its
// outcome; an earlier call can not be in flight any more once settle has passed
// since it began.
const (
	lease   = 10 * time.Second
	callFor = 9 * time.Second
	settle  = 10 * time.Second
	// editEvery is the distance between two edits of one message.
	editEvery = 3 * time.Second
	// waitFor is when an effect that waits for another is looked at again.
	waitFor = time.Second
	// wokenWithin is when one is that is woken by what it waits for, should that
	// have been missed.
	wokenWithin = 30 * time.Second
	// mostDeaths is how many attempts in a row may end with their process before
	// that counts as one that failed: it may be what the process dies of.
	mostDeaths = 5
	maxBackoff = 60 * time.Second
)

// Runner makes effects once, seen from outside: it takes an effect's row by a
// lease, looks whether the result is recorded, after an outcome nobody knows
// waits until the earlier call can no longer be in flight and looks for its
// effect, and only then tries (again).
type Runner struct {
	config Config
}

// Config of a Runner; all but Usable and Mend is required.
type Config struct {
	Service *incidents.Service
	Clock   incidents.Clock
	Makers  map[incidents.EffectKind]Maker
	Log     *slog.Logger
	// Usable is told how long an incident took from its declaration to a channel
	// with the card in it and the reporter invited.
	Usable func(time.Duration)
	// Mend is asked about a failure for good whether what it failed of is mended
	// now, so that another try has a use.
	Mend func(ctx context.Context, work Work, failure *Failure) bool
}

// NewRunner makes a Runner.
func NewRunner(config Config) *Runner { return &Runner{config: config} }

func (r *Runner) store() incidents.Store { return r.config.Service.Store() }

func (r *Runner) now() time.Time { return incidents.Micros(r.config.Clock.Now()) }

// Run makes one effect if it is owed, due and nobody else is at it. A failure is
// recorded on the effect and is no error: errors are those of our own store.
func (r *Runner) Run(ctx context.Context, key string) error {
	_, err := r.run(ctx, key)
	return err
}

// run is Run that tells whether the effect was made now, not before.
func (r *Runner) run(ctx context.Context, key string) (bool, error) {
	effect, taken, err := r.store().TakeEffect(ctx, key, r.now(), lease)
	switch {
	case incidents.KindOf(err) == incidents.NotFound:
		return false, nil
	case err != nil:
		return false, fmt.Errorf("take effect %s: %w", key, err)
	case !taken:
		return false, nil
	}
	work := Work{Effect: effect}
	if effect.Incident != 0 {
		if work.Incident, err = r.store().Incident(ctx, effect.Incident); err != nil {
			return false, fmt.Errorf("load %s for effect %s: %w", incidents.Key(effect.Incident), key, err)
		}
	}
	maker, ok := r.config.Makers[effect.Kind]
	if !ok {
		return false, r.fail(ctx, work, &Failure{Reason: fmt.Sprintf("this version of Houston does not make a %s", effect.Kind), Terminal: true})
	}
	if effect.Died >= mostDeaths {
		return false, r.fail(ctx, work, &Failure{Reason: "Houston stopped in the middle of it again and again", Unknown: !effect.StartedAt.IsZero()})
	}
	call, cancel := context.WithTimeout(ctx, callFor)
	defer cancel()
	made, err := r.advance(call, maker, &work)
	switch {
	case errors.Is(err, incidents.ErrStale):
		return false, nil // another worker has it
	case err != nil:
		return false, r.fail(ctx, work, r.mended(call, work, asFailure(err)))
	}
	if err := r.record(ctx, work, made); err != nil {
		if errors.Is(err, incidents.ErrStale) {
			return false, nil // whoever holds the lease now will find it
		}
		return false, err
	}
	return !work.Effect.Made(), nil
}

// mended makes a passing failure of one for good that is mended now.
func (r *Runner) mended(ctx context.Context, work Work, failure *Failure) *Failure {
	if !failure.Terminal || r.config.Mend == nil || !r.config.Mend(ctx, work, failure) {
		return failure
	}
	passing := *failure
	passing.Terminal = false
	return &passing
}

// advance does the one step the effect needs.
func (r *Runner) advance(ctx context.Context, maker Maker, work *Work) (Made, error) {
	if work.Effect.Made() {
		return r.refresh(ctx, maker, work)
	}
	looker, ok := maker.(Looker)
	if !ok {
		made, err := maker.Make(ctx, *work)
		return made, repeatable(maker, err)
	}
	if started := work.Effect.StartedAt; !started.IsZero() {
		if rest := started.Add(settle).Sub(r.now()); rest > 0 {
			return Made{}, &Failure{Reason: "waiting for an earlier call to land", Waiting: true, After: rest, Unknown: true}
		}
		made, found, err := looker.Look(ctx, *work)
		if err != nil {
			failure := asFailure(err)
			failure.Unknown = true // whatever the look failed of, the earlier call stays open
			return Made{}, failure
		}
		if found {
			r.config.Log.InfoContext(ctx, "found the effect of an earlier call", "effect", work.Effect.Key, "id", made.ID)
			return made, nil
		}
	}
	work.Effect.StartedAt = r.now()
	if err := r.store().BeginAttempt(ctx, work.Effect, work.Effect.StartedAt); err != nil {
		return Made{}, err
	}
	return maker.Make(ctx, *work)
}

// refresh edits what was made. An edit with an unknown outcome is tried again
// soon, and once more when the lost one can no longer land on top of that.
func (r *Runner) refresh(ctx context.Context, maker Maker, work *Work) (Made, error) {
	if repeater, ok := maker.(Repeater); ok {
		made, err := repeater.Again(ctx, *work)
		return made, repeatable(maker, err)
	}
	refresher, ok := maker.(Refresher)
	if !ok {
		return Made{ID: work.Effect.ID, Place: work.Effect.Place, Shown: work.Effect.Wanted}, nil
	}
	lost := work.Effect.StartedAt
	if rest := work.Effect.ShownAt.Add(editEvery).Sub(r.now()); rest > 0 {
		return Made{}, &Failure{Reason: "edited a moment ago", Waiting: true, After: rest, Unknown: !lost.IsZero()}
	}
	began := r.now()
	made, err := refresher.Refresh(ctx, *work)
	switch {
	case err != nil && asFailure(err).Unknown:
		work.Effect.StartedAt = began
		return made, err
	case err != nil && !lost.IsZero():
		failure := *asFailure(err)
		failure.Unknown = !failure.Terminal // the lost edit is still lost
		return made, &failure
	case err == nil && lost.Add(settle).After(began):
		work.Effect.ShownAt, work.Effect.Reason = r.now(), ""
		rest := max(lost.Add(settle).Sub(r.now()), editEvery)
		return Made{}, &Failure{Reason: "waiting for an earlier edit to land", Waiting: true, After: rest, Unknown: true}
	default:
		return made, err
	}
}

// record tells the Service what was made.
func (r *Runner) record(ctx context.Context, work Work, made Made) error {
	service, effect := r.config.Service, work.Effect
	var err error
	switch {
	case effect.Kind == incidents.MakeChannel:
		_, err = service.ChannelMade(ctx, effect, incidents.Channel{ID: made.ID, Name: made.Name})
	case effect.Kind == incidents.MakeCard && !effect.Made():
		_, err = service.CardMade(ctx, effect, incidents.Message{Channel: made.Place, TS: made.ID}, made.Shown)
	case effect.Kind == incidents.MakePage:
		err = service.PageMade(ctx, effect, made.ID, made.Page, max(made.Shown, 1))
	case effect.Kind == incidents.MakePrivateChannel:
		err = service.PrivateChannelMade(ctx, effect, incidents.Channel{ID: made.ID, Name: made.Name})
	case effect.Kind == incidents.MakeName:
		err = service.ChannelNamed(ctx, effect, made.ID, made.Name, made.Shown)
	case effect.Kind == incidents.MakeFetch:
		err = service.FileFetched(ctx, effect, made.ID)
	case effect.Kind == incidents.MakeArchive:
		err = service.ChannelPutAway(ctx, effect, made.Place)
	default:
		err = service.EffectMade(ctx, effect, made.ID, made.Place, max(made.Shown, 1))
	}
	if err != nil {
		return fmt.Errorf("record effect %s: %w", effect.Key, err)
	}
	return nil
}

// fail records a failure and when to try again.
func (r *Runner) fail(ctx context.Context, work Work, failure *Failure) error {
	effect := work.Effect
	if !failure.Unknown {
		effect.StartedAt = time.Time{}
	}
	if !failure.Waiting && failure.After == 0 {
		effect.Attempts++
	}
	effect.NextAt = r.now().Add(delay(effect, failure))
	if !failure.Waiting && failure.After == 0 {
		effect.Reason, effect.Failed = failure.Reason, failure.Terminal
		r.config.Log.WarnContext(ctx, "effect not made", "effect", effect.Key, "reason", failure.Reason,
			"error", failure.Err, "attempts", effect.Attempts, "terminal", failure.Terminal)
	}
	var err error
	if failure.Waiting || failure.After > 0 {
		err = r.store().SettleEffect(ctx, effect)
		if err == nil && failure.Woken {
			err = r.missed(ctx, work, effect)
		}
	} else {
		err = r.config.Service.EffectFailing(ctx, effect)
	}
	if err != nil && !errors.Is(err, incidents.ErrStale) {
		return fmt.Errorf("record failure of effect %s: %w", effect.Key, err)
	}
	return nil
}

// missed has an effect looked at again at once whose channel came while it was
// being found missing: its change woke those that waited already.
func (r *Runner) missed(ctx context.Context, work Work, effect incidents.Effect) error {
	inc, err := r.store().Incident(ctx, effect.Incident)
	if err != nil || inc.Channel == nil || work.Incident.Channel != nil {
		return err
	}
	effect.NextAt = time.Time{}
	return r.store().SettleEffect(ctx, effect)
}

// delay says how long to wait before the next try.
func delay(effect incidents.Effect, failure *Failure) time.Duration {
	switch {
	case failure.After > 0:
		return failure.After
	case failure.Woken:
		return wokenWithin
	case failure.Waiting:
		return waitFor
	case failure.Unknown && !effect.Made():
		return settle
	default:
		backoff := time.Second << min(max(effect.Attempts-1, 0), 10)
		return min(backoff, maxBackoff)
	}
}

// repeatable reads the failure of a maker that needs no look. When it makes
// something that is not kept current (a pin, an invitation), making it twice at
// the same moment does nothing, so nobody has to wait for the earlier call to
// land. What is kept current waits: an old version that lands late would stay.
func repeatable(maker Maker, err error) error {
	if _, current := maker.(Refresher); current || err == nil {
		return err
	}
	failure := *asFailure(err)
	failure.Unknown = false
	return &failure
}

// asFailure reads an error as a failure; what no maker explained is unknown.
func asFailure(err error) *Failure {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	return &Failure{Reason: "no answer", Unknown: true, Err: err}
}
