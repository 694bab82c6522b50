package sqlstore_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

const lease = 10 * time.Second

// take leases an effect that must be owed.
func (s *testStore) take(t *testing.T, key string) incidents.Effect {
	t.Helper()
	effect, taken, err := s.TakeEffect(t.Context(), key, s.clock.Now(), lease)
	if err != nil || !taken {
		t.Fatalf("take %s: %t, %v", key, taken, err)
	}
	return effect
}

func (s *testStore) effect(t *testing.T, key string) incidents.Effect {
	t.Helper()
	effect, err := s.Effect(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return effect
}

// owe inserts or raises effects of incident 1.
func (s *testStore) owe(t *testing.T, effects ...incidents.Effect) {
	t.Helper()
	_, err := s.Update(t.Context(), 1, incidents.Once{}, func(inc incidents.Incident) (incidents.Change, error) {
		return incidents.Change{Incident: inc, Effects: effects}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTakeEffect(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "Down")
		want := store.effect(t, "INC-1/card")
		got := store.take(t, "INC-1/card")
		want.LeaseUntil, want.Fence = start.Add(lease), 1
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("taken effect (-want +got):\n%s", diff)
		}
		row, taken, err := store.TakeEffect(t.Context(), "INC-1/card", start, lease)
		if err != nil || taken {
			t.Errorf("taken a second time: %t, %v", taken, err)
		}
		if diff := cmp.Diff(want, row); diff != "" {
			t.Errorf("row of a leased effect (-want +got):\n%s", diff)
		}
		store.clock.move(lease)
		if again := store.take(t, "INC-1/card"); again.Fence != 2 || again.Attempts != 0 || again.Died != 1 {
			t.Errorf("after the lease ran out: fence %d, %d failed, %d died, want 2, none and one", again.Fence, again.Attempts, again.Died)
		}
		store.clock.move(lease)
		again := store.take(t, "INC-1/card")
		if again.Died != 2 {
			t.Errorf("%d died, want two", again.Died)
		}
		again.Attempts++ // one that could tell
		if err := store.SettleEffect(t.Context(), again); err != nil {
			t.Fatal(err)
		}
		if next := store.take(t, "INC-1/card"); next.Attempts != 1 || next.Died != 0 {
			t.Errorf("after an attempt that could tell: %d failed, %d died, want one and none", next.Attempts, next.Died)
		}
		if _, _, err := store.TakeEffect(t.Context(), "INC-9/card", start, lease); incidents.KindOf(err) != incidents.NotFound {
			t.Errorf("an unknown effect gave %v, want not found", err)
		}
	})
}

func TestOneTakesTheEffect(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "Down")
		var winners atomic.Int64
		twenty(func(int) {
			_, taken, err := store.TakeEffect(t.Context(), "INC-1/channel", start, lease)
			if err != nil {
				t.Error(err)
			}
			if taken {
				winners.Add(1)
			}
		})
		if got := winners.Load(); got != 1 {
			t.Errorf("%d workers hold the lease, want 1", got)
		}
	})
}

func TestFence(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "Down")
		slow := store.take(t, "INC-1/card")
		if err := store.BeginAttempt(t.Context(), slow, start); err != nil {
			t.Fatal(err)
		}
		if got := store.effect(t, "INC-1/card"); !got.StartedAt.Equal(start) {
			t.Errorf("the attempt began at %s, want %s", got.StartedAt, start)
		}
		store.clock.move(lease)
		store.take(t, "INC-1/card")
		if err := store.BeginAttempt(t.Context(), slow, start); !errors.Is(err, incidents.ErrStale) {
			t.Errorf("begin an attempt without the lease: %v", err)
		}
		if err := store.SettleEffect(t.Context(), slow); !errors.Is(err, incidents.ErrStale) {
			t.Errorf("settle without the lease: %v", err)
		}
		seq := store.lastSeq(t, 1)
		if _, err := store.service().CardMade(t.Context(), slow, incidents.Message{Channel: "C", TS: "1"}, 1); !errors.Is(err, incidents.ErrStale) {
			t.Errorf("record a card without the lease: %v", err)
		}
		if got := store.lastSeq(t, 1); got != seq {
			t.Errorf("a stale worker made events up to %d, want %d", got, seq)
		}
	})
}

func TestSettle(t *testing.T) {
	at := start.Add(5 * time.Second)
	tests := []struct {
		name   string
		change func(e *incidents.Effect)
		raise  int64
		state  incidents.EffectState
		jobs   []string
	}{
		{name: "made", change: func(e *incidents.Effect) { e.ID, e.Place, e.Shown, e.ShownAt = "1.2", "C1", 1, start }, state: incidents.Done},
		{
			name: "made, but more is wanted by now", raise: 7, state: incidents.Owed,
			change: func(e *incidents.Effect) { e.ID, e.Shown = "1.2", 1 },
			jobs:   []string{`run_effect {"effect":"INC-1/card","version":-1}`},
		},
		{
			name: "failing", state: incidents.Owed,
			change: func(e *incidents.Effect) { e.Reason, e.NextAt, e.StartedAt = "Slack is slow", at, start },
			jobs:   []string{`run_effect {"effect":"INC-1/card","version":-1} at 09:00:05`},
		},
		{name: "failed", change: func(e *incidents.Effect) { e.Failed, e.Reason = true, "is_archived" }, state: incidents.Failed},
	}
	forEach(t, func(store *testStore) {
		t := store.t
		for i, tt := range tests {
			store.declare(t, tt.name)
			key := fmt.Sprintf("INC-%d/card", i+1)
			e := store.take(t, key)
			if tt.raise > 0 {
				_, err := store.Update(t.Context(), int64(i+1), incidents.Once{}, func(inc incidents.Incident) (incidents.Change, error) {
					return incidents.Change{Incident: inc, Effects: []incidents.Effect{{Key: key, Kind: incidents.MakeCard, Incident: inc.Number, Generation: 1, Wanted: tt.raise}}}, nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			store.jobs(t)
			tt.change(&e)
			if err := store.SettleEffect(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			got := store.effect(t, key)
			e.LeaseUntil, e.Wanted = time.Time{}, max(e.Wanted, tt.raise)
			if diff := cmp.Diff(e, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
			if got.State() != tt.state {
				t.Errorf("%s: it is %s, want %s", tt.name, got.State(), tt.state)
			}
			if n := store.count(t, fmt.Sprintf("effects WHERE key = '%s' AND state = '%s'", key, tt.state)); n != 1 {
				t.Errorf("%s: the row's own state is not %s", tt.name, tt.state)
			}
			var want []string
			for _, job := range tt.jobs {
				want = append(want, "run_effect {\"effect\":\""+key+job[len(`run_effect {"effect":"INC-1/card`):])
			}
			if diff := cmp.Diff(want, store.jobs(t)); diff != "" {
				t.Errorf("%s: jobs (-want +got):\n%s", tt.name, diff)
			}
		}
	})
}

func TestEffectsMerge(t *testing.T) {
	card := incidents.Effect{Key: "INC-1/card", Kind: incidents.MakeCard, Incident: 1, Generation: 1, Wanted: 3}
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "Down")
		made := store.take(t, card.Key)
		made.ID, made.Place, made.Shown, made.ShownAt = "1.2", "C1", 1, start
		if err := store.SettleEffect(t.Context(), made); err != nil {
			t.Fatal(err)
		}
		want := store.effect(t, card.Key)

		store.owe(t, card)
		want.Wanted = 3
		if diff := cmp.Diff(want, store.effect(t, card.Key)); diff != "" {
			t.Errorf("raised (-want +got):\n%s", diff)
		}
		lower, higher := card, card
		lower.Wanted, lower.Target, higher.Wanted = 2, "x", 5
		store.owe(t, lower)
		if diff := cmp.Diff(want, store.effect(t, card.Key)); diff != "" {
			t.Errorf("after a lower one (-want +got):\n%s", diff)
		}
		store.owe(t, lower, higher, card) // the same key three times in one change
		want.Wanted = 5
		if diff := cmp.Diff(want, store.effect(t, card.Key)); diff != "" {
			t.Errorf("after three at once (-want +got):\n%s", diff)
		}

		holder := store.take(t, card.Key)
		anew := card
		anew.Generation = 2
		store.owe(t, anew)
		want = anew
		want.Wanted, want.Fence = 5, holder.Fence+1
		if diff := cmp.Diff(want, store.effect(t, card.Key)); diff != "" {
			t.Errorf("anew (-want +got):\n%s", diff)
		}
		if err := store.SettleEffect(t.Context(), holder); !errors.Is(err, incidents.ErrStale) {
			t.Errorf("the holder of the earlier generation settled: %v", err)
		}
		store.owe(t, anew)
		if diff := cmp.Diff(want, store.effect(t, card.Key)); diff != "" {
			t.Errorf("anew twice (-want +got):\n%s", diff)
		}
	})
}

func TestSweep(t *testing.T) {
	const distance = 3 * time.Second
	sweep := func(t *testing.T, store *testStore, want ...string) {
		t.Helper()
		n, err := store.SweepEffects(t.Context(), store.clock.Now(), distance, 100)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, key := range want {
			lines = append(lines, fmt.Sprintf(`run_effect {"effect":"%s","version":%d}`, key, store.clock.Now().UnixMicro()))
		}
		got := store.jobs(t)
		if n != len(got) {
			t.Errorf("swept %d, enqueued %d", n, len(got))
		}
		if diff := cmp.Diff(lines, got); diff != "" {
			t.Errorf("%s after the start (-want +got):\n%s", store.clock.Now().Sub(start), diff)
		}
	}
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "Down")
		done := store.take(t, "INC-1/invite/U1")
		done.ID, done.Shown = "U1", 1
		if err := store.SettleEffect(t.Context(), done); err != nil {
			t.Fatal(err)
		}
		failed := store.take(t, "INC-1/pin")
		failed.Failed = true
		if err := store.SettleEffect(t.Context(), failed); err != nil {
			t.Fatal(err)
		}
		store.take(t, "INC-1/channel") // and its worker dies
		store.jobs(t)

		sweep(t, store) // the declaration's own job is new
		store.clock.move(distance)
		sweep(t, store, "INC-1/card")
		sweep(t, store)
		store.clock.move(lease)
		late := store.take(t, "INC-1/card")
		late.NextAt = store.clock.Now().Add(time.Minute)
		if err := store.SettleEffect(t.Context(), late); err != nil {
			t.Fatal(err)
		}
		store.jobs(t)
		sweep(t, store, "INC-1/channel")
		store.clock.move(time.Minute)
		sweep(t, store, "INC-1/channel") // the card is due, but its job is new
		store.clock.move(distance)
		n, err := store.SweepEffects(t.Context(), store.clock.Now(), distance, 1)
		if err != nil || n != 1 {
			t.Errorf("swept %d at a limit of 1, %v", n, err)
		}
	})
}

func TestSweepersShare(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		for range 10 {
			store.declare(t, "Down")
		}
		store.jobs(t)
		store.clock.move(time.Minute)
		var swept atomic.Int64
		twenty(func(int) {
			n, err := store.SweepEffects(t.Context(), store.clock.Now(), time.Second, 100)
			if err != nil {
				t.Error(err)
			}
			swept.Add(int64(n))
		})
		if got := swept.Load(); got != 40 {
			t.Errorf("%d jobs for 40 effects", got)
		}
	})
}

func TestClaimed(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "Down")
		e := store.take(t, "INC-1/channel")
		if _, err := store.service().ChannelMade(t.Context(), e, incidents.Channel{ID: "C1", Name: "inc-1-down"}); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			kind   incidents.EffectKind
			id     string
			except string
			want   bool
		}{
			{incidents.MakeChannel, "C1", "INC-2/channel", true},
			{incidents.MakeChannel, "C1", "INC-1/channel", false},
			{incidents.MakeChannel, "C2", "INC-2/channel", false},
			{incidents.MakeCard, "C1", "INC-2/card", false},
			{incidents.MakeCard, "", "INC-2/card", false}, // not made is not claimed
		} {
			got, err := store.Claimed(t.Context(), tt.kind, tt.id, tt.except)
			if err != nil || got != tt.want {
				t.Errorf("%s %q claimed by another than %s: %t, %v, want %t", tt.kind, tt.id, tt.except, got, err, tt.want)
			}
		}
		inc, err := store.IncidentByChannel(t.Context(), "C1")
		if err != nil || inc.Number != 1 {
			t.Errorf("the incident of C1 is %s, %v", inc.Key(), err)
		}
		if _, err := store.IncidentByChannel(t.Context(), "C2"); incidents.KindOf(err) != incidents.NotFound {
			t.Errorf("a strange channel gave %v, want not found", err)
		}
	})
}
