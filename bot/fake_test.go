package bot

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// clock is moved by the test.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// rows keeps one incident and its effects as a store does, without a database:
// the conformance of the real ones is tested where they are.
type rows struct {
	incidents.Store

	mu      sync.Mutex
	inc     incidents.Incident
	effects map[string]incidents.Effect
	jobs    []incidents.Job
}

func (r *rows) Incident(context.Context, int64) (incidents.Incident, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.inc.Clone(), nil
}

func (r *rows) Effect(_ context.Context, key string) (incidents.Effect, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.effects[key]
	if !ok {
		return e, incidents.Errorf(incidents.NotFound, "no effect %s", key)
	}
	return e, nil
}

func (r *rows) Effects(context.Context, int64) ([]incidents.Effect, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []incidents.Effect
	for _, e := range r.effects {
		all = append(all, e)
	}
	return all, nil
}

func (r *rows) TakeEffect(_ context.Context, key string, now time.Time, lease time.Duration) (incidents.Effect, bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.effects[key]
	if !ok {
		return e, false, incidents.Errorf(incidents.NotFound, "no effect %s", key)
	}
	if e.State() != incidents.Owed || e.LeaseUntil.After(now) || e.NextAt.After(now) {
		return e, false, nil
	}
	if !e.LeaseUntil.IsZero() {
		e.Died++
	}
	e.LeaseUntil, e.Fence = now.Add(lease), e.Fence+1
	r.effects[key] = e
	return e, true, nil
}

func (r *rows) BeginAttempt(_ context.Context, effect incidents.Effect, now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.effects[effect.Key]
	if e.Fence != effect.Fence {
		return incidents.ErrStale
	}
	e.StartedAt = now
	r.effects[effect.Key] = e
	return nil
}

func (r *rows) SettleEffect(_ context.Context, effect incidents.Effect) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.settle(effect)
}

func (r *rows) settle(effect incidents.Effect) error {
	e := r.effects[effect.Key]
	if e.Fence != effect.Fence {
		return incidents.ErrStale
	}
	effect.Died = 0
	effect.LeaseUntil, effect.Wanted = time.Time{}, max(effect.Wanted, e.Wanted)
	r.effects[effect.Key] = effect
	return nil
}

func (r *rows) Update(_ context.Context, _ int64, _ incidents.Once, decide func(incidents.Incident) (incidents.Change, error)) (incidents.Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change, err := decide(r.inc.Clone())
	if err != nil {
		return incidents.Result{}, err
	}
	for _, e := range change.Settles {
		if err := r.settle(e); err != nil {
			return incidents.Result{}, err
		}
	}
	for _, e := range change.Effects {
		old, ok := r.effects[e.Key]
		if ok && old.Generation >= e.Generation {
			old.Wanted = max(old.Wanted, e.Wanted)
			e = old
		}
		r.effects[e.Key] = e
	}
	r.inc, r.jobs = change.Incident, append(r.jobs, change.Jobs...)
	return incidents.Result{Incident: r.inc}, nil
}

// outside is a chat that can lose answers.
type outside struct {
	mu    sync.Mutex
	made  []string // markers, in order
	calls int
	// next says what happens to the next calls: nil answers well.
	next []func(apply func()) error
}

func (o *outside) do(apply func()) error {
	o.calls++
	if len(o.next) == 0 {
		apply()
		return nil
	}
	step := o.next[0]
	o.next = o.next[1:]
	return step(apply)
}

func (o *outside) Make(_ context.Context, work Work) (Made, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.do(func() { o.made = append(o.made, work.Effect.Marker()) })
	return Made{ID: "made", Place: "C1", Name: "inc-1", Shown: max(work.Incident.Seq, 1)}, err
}

func (o *outside) Look(_ context.Context, work Work) (Made, bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, marker := range o.made {
		if marker == work.Effect.Marker() {
			return Made{ID: "found", Place: "C1", Name: "inc-1", Shown: 1}, true, nil
		}
	}
	return Made{}, false, nil
}

func (o *outside) Refresh(ctx context.Context, work Work) (Made, error) { return o.Make(ctx, work) }

func lost(apply func()) error {
	apply()
	return &Failure{Reason: "connection lost", Unknown: true}
}

func neverArrived(func()) error { return &Failure{Reason: "connection lost", Unknown: true} }

func refused(f Failure) func(func()) error { return func(func()) error { return &f } }

// bench is a Runner on rows with one maker for everything.
func bench(t *testing.T, effects ...incidents.Effect) (*Runner, *rows, *outside, *clock) {
	t.Helper()
	c := &clock{now: time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)}
	r := &rows{effects: map[string]incidents.Effect{}, inc: incidents.Incident{
		Number: 1, Seq: 3, Title: "Checkout", Severity: incidents.Sev2, Status: incidents.Investigating,
		Channel: &incidents.Channel{ID: "C1", Name: "inc-1"}, Reporter: incidents.Actor{Person: incidents.Person{ID: "U1", Name: "reporter"}, Via: incidents.FromSlack},
	}}
	for _, e := range effects {
		e.Incident, e.Generation = 1, max(e.Generation, 1)
		r.effects[e.Key] = e
	}
	o := &outside{}
	makers := map[incidents.EffectKind]Maker{
		incidents.MakeAnnounce: o, incidents.MakeCard: o, incidents.MakeChannel: o, incidents.MakePin: o, incidents.MakeInvite: o,
	}
	service := incidents.NewService(incidents.Config{Store: r, Clock: c})
	return NewRunner(Config{Service: service, Clock: c, Makers: makers, Log: slog.New(slog.DiscardHandler)}), r, o, c
}
