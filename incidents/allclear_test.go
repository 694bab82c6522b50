package incidents

import (
	"slices"
	"testing"
	"time"
)

// alarmed opens incident 1 by an alert, in a channel.
func (s *stage) alarmed() {
	s.t.Helper()
	s.deliver("g", s.firing(critical))
	if _, err := s.ChannelMade(s.t.Context(), s.memory.effects["INC-1/channel"], Channel{ID: "C1"}); err != nil {
		s.t.Fatal(err)
	}
}

// TestAllClear: the question is asked once, kept current, and asked anew only
// after an answer or a long time.
func TestAllClear(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{FlapWindow: 30 * time.Minute})
	s.alarmed()
	s.deliver("g", s.ended(critical))
	if got := s.owed(MakeClear); !slices.Equal(got, []string{"1"}) || s.incident(1).Status != Triage {
		t.Fatalf("got questions %v in status %s, want the first asked", got, s.incident(1).Status)
	}
	s.clock.forward(10 * time.Minute)
	s.deliver("g", s.firing(critical))
	if e := s.memory.effects["INC-1/clear/1"]; e.Wanted != s.incident(1).Seq {
		t.Error("the question is not brought up to date when it fires again")
	}
	s.deliver("g", s.ended(critical))
	if got := s.owed(MakeClear); len(got) != 1 {
		t.Errorf("got questions %v of alerts that flap, want one", got)
	}
	if _, err := s.Do(t.Context(), 1, GoOn{asker()}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), 1, GoOn{asker()}); KindOf(err) != Conflict {
		t.Errorf("got %v for the second answer, want a conflict", err)
	}
	s.clock.forward(10 * time.Minute)
	s.deliver("g", s.firing(critical))
	if _, err := s.Do(t.Context(), 1, GoOn{asker()}); KindOf(err) != Conflict {
		t.Errorf("got %v while alerts fire, want a conflict", err)
	}
	s.deliver("g", s.ended(critical))
	if got := s.owed(MakeClear); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("got questions %v after an answer, want a second", got)
	}
}

func TestAllClearOfAllGroups(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{JoinBy: []string{"service"}, FlapWindow: time.Hour})
	s.deliver("a", s.firing(critical+" i=1"))
	s.deliver("b", s.firing(critical+" i=2"))
	s.deliver("a", s.ended(critical+" i=1"))
	if s.incident(1).Clear != nil {
		t.Error("asked while an alert fires")
	}
}

// TestTruncated: what the sender left out is not known to be resolved.
func TestTruncated(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{FlapWindow: time.Hour})
	send := func(truncated int, alerts ...Alert) {
		t.Helper()
		d := Delivery{Source: "default", Receiver: "r", GroupKey: "g", Alerts: alerts, Truncated: truncated}
		if err := s.Ingest(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	send(6, s.firing(critical))
	send(6, s.ended(critical))
	inc := s.incident(1)
	if inc.AlertsFiring() != 0 || inc.Quiet() || inc.Clear != nil {
		t.Fatalf("got quiet %v, asked %v, want neither while 6 alerts are unknown", inc.Quiet(), inc.Clear)
	}
	timeline := Timeline(s.memory.events[1])
	if got, want := timeline[len(timeline)-1].Text, "0 alerts fired, 1 alert resolved (Burn); 0 firing now, and 6 more that the sender left out"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	send(0, s.ended(critical))
	if inc := s.incident(1); !inc.Quiet() || inc.Clear == nil {
		t.Error("not asked when the sender tells all")
	}
}

// TestResolvesByItself, and is taken up again when its alerts come back at once.
func TestResolvesByItself(t *testing.T) {
	t.Parallel()
	s := newStage(t, routed(Route{Action: RouteDeclare, Plan: Plan{Resolve: true}}))
	s.alarmed()
	s.deliver("g", s.ended(critical))
	if inc := s.incident(1); inc.Status != Resolved || inc.Clear != nil {
		t.Fatalf("got %s, want it resolved unasked", inc.Status)
	}
	s.clock.forward(5 * time.Minute)
	s.deliver("g", s.firing(critical))
	if inc := s.incident(1); inc.Status != Investigating || inc.AlertsFiring() != 1 {
		t.Errorf("got %s with %d firing, want it taken up again", inc.Status, inc.AlertsFiring())
	}
}

// TestFiresAgainAfterPeopleResolved: people are told, and decide.
func TestFiresAgainAfterPeopleResolved(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{FlapWindow: 30 * time.Minute})
	s.alarmed()
	s.deliver("g", s.ended(critical))
	if _, err := s.Do(t.Context(), 1, Resolve{Request: asker()}); err != nil {
		t.Fatal(err)
	}
	posts := len(s.owed(MakePost))
	s.clock.forward(5 * time.Minute)
	s.deliver("g", s.firing(critical))
	if inc := s.incident(1); inc.Status != Resolved || len(s.owed(MakePost)) != posts+1 {
		t.Errorf("got %s and %d messages more, want it left resolved and one message", inc.Status, len(s.owed(MakePost))-posts)
	}
}
