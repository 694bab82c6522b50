package incidents

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTroubleIsToldOnce: the log hears of trouble that lasts or is final, and
// of its end, not of every try.
func TestTroubleIsToldOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		attempts []int64 // that fail, by number
		final    bool
		made     int64 // number of the attempt that succeeds, 0: none
		events   []string
	}{
		{name: "first try", made: 1},
		{name: "second try", attempts: []int64{1}, made: 2},
		{name: "failing", attempts: []int64{1, 2, 3, 4}, events: []string{"effect_failed"}},
		{name: "mended", attempts: []int64{1, 2}, made: 3, events: []string{"effect_failed", "effect_mended"}},
		{name: "final at once", attempts: []int64{1}, final: true, events: []string{"effect_failed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{})
			s.declared()
			count := len(s.memory.events[1])
			e := Effect{Key: "INC-1/announce", Kind: MakeAnnounce, Incident: 1, Wanted: 1}
			for _, n := range tt.attempts {
				e.Attempts, e.Failed, e.Reason = n, tt.final, "ratelimited"
				if err := s.EffectFailing(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			}
			if tt.made > 0 {
				e.Attempts = tt.made
				if err := s.EffectMade(t.Context(), e, "1.2", "C0", 1); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(tt.events, s.newest(1, count)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			want := len(tt.attempts) + 1 // and the channel's
			if tt.made > 0 {
				want++
			}
			if len(s.memory.settled) != want {
				t.Errorf("got %d settled, want %d", len(s.memory.settled), want)
			}
			last := s.memory.settled[len(s.memory.settled)-1]
			if tt.made > 0 && (last.State() != Done || last.Reason != "" || last.Attempts != 0 || last.Place != "C0") {
				t.Errorf("got %+v, want it done and its trouble forgotten", last)
			}
		})
	}
}

func TestReporterIsToldWhenThereIsNoChannel(t *testing.T) {
	t.Parallel()
	for via, want := range map[Source][]string{FromSlack: {"U1"}, FromAPI: nil} {
		s := newStage(t, Config{})
		actor := ada()
		actor.Via = via
		if _, err := s.Declare(t.Context(), Declare{Request: Request{Actor: actor}, Title: "A"}); err != nil {
			t.Fatal(err)
		}
		e := s.memory.effects["INC-1/channel"]
		e.Failed, e.Reason = true, "restricted_action"
		if err := s.EffectFailing(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if got := s.owed(MakeTell); !cmp.Equal(got, want) {
			t.Errorf("from %s: got messages to %v, want %v", via, got, want)
		}
	}
}

func TestRenew(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	e := s.memory.effects["INC-1/pin"]
	e.Failed, e.ID, e.Attempts = true, "x", 7
	s.memory.effects[e.Key] = e
	if err := s.Renew(t.Context(), 1, 2, []Effect{e}); err != nil {
		t.Fatal(err)
	}
	want := Effect{Key: "INC-1/pin", Kind: MakePin, Incident: 1, Generation: 2, Wanted: 1}
	if diff := cmp.Diff(want, s.memory.effects["INC-1/pin"]); diff != "" {
		t.Errorf("effect (-want +got):\n%s", diff)
	}
	if got, want := len(s.memory.jobs), 1; got != want {
		t.Errorf("got %d jobs, want the effect's own", got)
	}
}

func TestEffectState(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		effect Effect
		want   EffectState
	}{
		{"new", Effect{Wanted: 1}, Owed},
		{"made", Effect{ID: "x", Wanted: 1, Shown: 1}, Done},
		{"outdated", Effect{ID: "x", Wanted: 2, Shown: 1}, Owed},
		{"ahead", Effect{ID: "x", Wanted: 1, Shown: 2}, Done},
		{"failed", Effect{ID: "x", Wanted: 2, Shown: 1, Failed: true}, Failed},
	} {
		if got := tt.effect.State(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	if got, want := (Effect{Key: "INC-1/card", Generation: 2}).Marker(), "INC-1/card#2"; got != want {
		t.Errorf("got marker %q, want %q", got, want)
	}
}

// TestCardMade: what was shown counts, so that a change made meanwhile is
// still owed.
func TestCardMade(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	e := s.memory.effects["INC-1/card"]
	e.Wanted = 5
	inc, err := s.CardMade(t.Context(), e, Message{Channel: "C1", TS: "1.2"}, 4)
	if err != nil {
		t.Fatal(err)
	}
	if inc.Card == nil || *inc.Card != (Message{"C1", "1.2"}) {
		t.Errorf("got card %v, want C1 1.2", inc.Card)
	}
	settled := s.memory.settled[len(s.memory.settled)-1]
	if settled.ID != "1.2" || settled.Place != "C1" || settled.Shown != 4 || settled.State() != Owed {
		t.Errorf("got %+v, want it made, and owed up to version 5", settled)
	}
}
