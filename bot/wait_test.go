package bot

import (
	"context"
	"testing"

	"github.com/houston-sre/houston/incidents"
)

// TestAnEffectThatKillsItsProcess is tried a few times at once and then as rarely
// as one that fails.
func TestAnEffectThatKillsItsProcess(t *testing.T) {
	t.Parallel()
	r, rows, out, clock := bench(t, owed())
	for range mostDeaths {
		if _, taken, err := rows.TakeEffect(t.Context(), announce, clock.Now(), lease); err != nil || !taken {
			t.Fatalf("TakeEffect = %v, %v", taken, err)
		}
		if e := rows.effects[announce]; e.Attempts != 0 {
			t.Fatalf("%d failed attempts, want none: nobody has answered", e.Attempts)
		}
		clock.move(lease)
	}
	run(t.Context(), t, r)
	e := rows.effects[announce]
	if out.calls != 0 || e.Attempts != 1 || e.Reason == "" || !e.NextAt.After(clock.Now()) || e.Died != 0 {
		t.Errorf("got %d calls and %+v, want a failed attempt that backs off", out.calls, e)
	}
	clock.move(e.NextAt.Sub(clock.Now()))
	run(t.Context(), t, r)
	if e := rows.effects[announce]; out.calls != 1 || !e.Made() || e.Attempts != 0 {
		t.Errorf("got %d calls and %+v, want it made", out.calls, e)
	}
}

// inChannel is a maker that needs the channel, which may come while it looks.
type inChannel struct {
	maker

	comes func()
}

func (m inChannel) Make(ctx context.Context, work Work) (Made, error) {
	if work.Incident.Channel == nil {
		m.comes()
		return Made{}, WaitForChannel()
	}
	return m.maker.Make(ctx, work)
}

// TestWaitingForTheChannel is long, since the channel's change ends it, unless
// that change was made meanwhile.
func TestWaitingForTheChannel(t *testing.T) {
	t.Parallel()
	for _, meanwhile := range []bool{false, true} {
		r, rows, out, clock := bench(t, owed())
		channel := rows.inc.Channel
		rows.inc.Channel = nil
		r.config.Makers[incidents.MakeAnnounce] = inChannel{maker{out}, func() {
			if meanwhile {
				rows.inc.Channel = channel
			}
		}}
		run(t.Context(), t, r)
		e := rows.effects[announce]
		if wait := e.NextAt.Sub(clock.Now()); meanwhile != (wait <= 0) || !meanwhile && wait != wokenWithin || e.Attempts != 0 || out.calls != 0 {
			t.Errorf("the channel came meanwhile: %t; waits %s, %+v", meanwhile, wait, e)
		}
		rows.inc.Channel = channel
		clock.move(max(0, e.NextAt.Sub(clock.Now())))
		run(t.Context(), t, r)
		if out.calls != 1 {
			t.Errorf("the channel came meanwhile: %t; %d calls, want one", meanwhile, out.calls)
		}
	}
}
