package incidents

import (
	"testing"
	"time"
)

// lapse lets time pass and looks for alerts that are sent no more; it gives how many
// fire afterwards.
func (s *stage) lapse(after time.Duration) int {
	s.t.Helper()
	for ; after > 0; after -= pulseGap {
		s.clock.forward(min(after, pulseGap))
		if err := s.EndLapsed(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
	}
	return s.incident(1).AlertsFiring()
}

// posted is an alert as Prometheus posts it, with the end that it has ahead of it.
func (s *stage) posted(ahead time.Duration) Alert {
	a := s.firing(critical)
	a.StartsAt, a.Until = clockAt(13, 55), s.clock.at.Add(ahead)
	return a
}

// TestLapsed: what Prometheus posts itself is over when it is posted no more, once
// both the time it gave and the time it may be silent have passed.
func TestLapsed(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{StaleAfter: 4 * time.Minute, FlapWindow: time.Hour})
	s.deliver("g", s.posted(4*time.Minute))
	for i := range 10 { // each minute, for longer than it may be silent
		if n := s.lapse(time.Minute); n != 1 {
			t.Fatalf("got %d firing in minute %d though it is posted, want 1", n, i)
		}
		s.deliver("g", s.posted(4*time.Minute))
	}
	if n := s.lapse(3 * time.Minute); n != 1 {
		t.Fatalf("got %d firing three minutes after the last one, want 1", n)
	}
	if n := s.lapse(2 * time.Minute); n != 0 {
		t.Fatalf("got %d firing five minutes after the last one, want none", n)
	}
	entries := Timeline(s.memory.events[1])
	if got, want := entries[len(entries)-1].Text, "1 alert sent no more, presumed resolved (Burn); 0 firing now"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.deliver("g", s.posted(4*time.Minute)) // it was only unreachable: the same life
	if n := s.incident(1).AlertsFiring(); n != 1 {
		t.Errorf("got %d firing after it is posted again, want 1", n)
	}
	over := s.firing(critical)
	over.Firing, over.StartsAt, over.EndsAt = false, clockAt(13, 55), s.clock.at
	if s.deliver("g", over); s.incident(1).AlertsFiring() != 0 {
		t.Error("its own end did not end it")
	}
}

// TestLapsedOfBadClocks: a Prometheus whose clock is minutes behind gives an end that
// has nearly come; one whose clock is ahead a later one.
func TestLapsedOfBadClocks(t *testing.T) {
	t.Parallel()
	for ahead, firing := range map[time.Duration]int{time.Second: 1, 4 * time.Minute: 1, time.Hour: 1} {
		s := newStage(t, Config{StaleAfter: 4 * time.Minute})
		s.deliver("g", s.posted(ahead))
		s.lapse(time.Minute)
		s.deliver("g", s.posted(ahead))
		if n := s.lapse(150 * time.Second); n != firing {
			t.Errorf("%s ahead: got %d firing between two posts, want %d", ahead, n, firing)
		}
	}
}

// TestLapsedWhileNobodyListened: nothing could be heard while Houston was down.
func TestLapsedWhileNobodyListened(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{StaleAfter: 4 * time.Minute})
	s.deliver("g", s.posted(4*time.Minute))
	s.lapse(time.Minute)
	s.clock.forward(time.Hour)
	if n := s.lapse(3 * time.Minute); n != 1 {
		t.Fatalf("got %d firing three minutes after a start, want 1", n)
	}
	if n := s.lapse(2 * time.Minute); n != 0 {
		t.Errorf("got %d firing five minutes after a start, want none", n)
	}
}

// TestLapsedNever: with a stale_after of 0 only a sender ends its alerts.
func TestLapsedNever(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.deliver("g", s.posted(4*time.Minute))
	if n := s.lapse(time.Hour); n != 1 {
		t.Errorf("got %d firing, want 1", n)
	}
}

// TestPresumedWrongly: a sender that says at once that the alert fires is believed,
// and so is one that said so while the Alertmanager was being asked.
func TestPresumedWrongly(t *testing.T) {
	t.Parallel()
	s := newStage(t, silencing("default"))
	s.alarmed()
	row := s.memory.alerts[0]
	if err := s.Presume(t.Context(), row.Group, []string{row.Fingerprint}, row.ReceivedAt); err != nil || s.incident(1).AlertsFiring() != 1 {
		t.Fatalf("got %d firing, %v, want the delivery to count more than an older answer", s.incident(1).AlertsFiring(), err)
	}
	s.clock.forward(20 * time.Second)
	if err := s.Presume(t.Context(), row.Group, []string{row.Fingerprint}, s.clock.at); err != nil || s.incident(1).AlertsFiring() != 0 {
		t.Fatalf("got %d firing, %v, want it presumed resolved", s.incident(1).AlertsFiring(), err)
	}
	s.clock.forward(10 * time.Second)
	again := s.firing(critical)
	again.StartsAt = row.StartsAt
	if s.deliver("g", again); s.incident(1).AlertsFiring() != 1 {
		t.Error("an alert that fires all the same was taken for a late delivery")
	}
}

// TestFlapsWithTheSameStart: fired, resolved and fired again within a minute, all
// with one startsAt, looks like a late delivery. Where an Alertmanager can be asked it
// says which it is.
func TestFlapsWithTheSameStart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		asked  time.Duration // after the end
		firing int
	}{
		{"asked after the end", 11 * time.Second, 1},
		{"asked before the end was delivered", -time.Second, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, silencing("default"))
			s.alarmed()
			a := s.firing(critical)
			s.clock.forward(5 * time.Minute)
			end := a
			end.Firing, end.EndsAt = false, s.clock.at
			s.deliver("g", end)
			ended := s.clock.at
			s.clock.forward(10 * time.Second)
			s.deliver("g", a)
			if len(s.memory.leftOut) != 1 || s.incident(1).AlertsFiring() != 0 {
				t.Fatalf("got %d questions and %d firing, want one question", len(s.memory.leftOut), s.incident(1).AlertsFiring())
			}
			a.Fingerprint = FingerprintOf(a.Labels)
			asked := AskedOf{Firing: []Alert{a}, Known: map[string]bool{a.Fingerprint: true}, At: ended.Add(tt.asked)}
			if err := s.Reconcile(t.Context(), s.memory.leftOut[0], asked); err != nil {
				t.Fatal(err)
			}
			if n := s.incident(1).AlertsFiring(); n != tt.firing {
				t.Errorf("got %d firing, want %d", n, tt.firing)
			}
		})
	}
}

// TestLeftOutWhereJoined: the end of an alert that was left out is seen at once,
// wherever join_by has put it, unless its Alertmanager has forgotten it by a restart.
func TestLeftOutWhereJoined(t *testing.T) {
	t.Parallel()
	config := silencing("default")
	config.JoinBy = []string{"service"}
	s := newStage(t, config)
	a, b := s.firing("alertname=A severity=critical service=a"), s.firing("alertname=B severity=critical service=b")
	other := s.firing("alertname=C severity=critical service=b")
	for _, alert := range []*Alert{&a, &b, &other} {
		alert.Fingerprint = FingerprintOf(alert.Labels)
	}
	s.deliver("g", a)
	s.deliver("g", a, b)
	s.deliver("h", other)
	s.clock.forward(time.Minute)
	deliver := func() LeftOut {
		err := s.Ingest(t.Context(), Delivery{Source: "default", Receiver: "r", GroupKey: "g", Alerts: []Alert{a}, Truncated: 1, Alertmanager: true})
		if err != nil || len(s.memory.leftOut) == 0 {
			t.Fatalf("got %v and no question", err)
		}
		return s.memory.leftOut[len(s.memory.leftOut)-1]
	}
	asked := AskedOf{Firing: []Alert{a}, Known: map[string]bool{a.Fingerprint: true}, At: s.clock.at, Since: s.clock.at.Add(-time.Second)}
	if err := s.Reconcile(t.Context(), deliver(), asked); err != nil || s.incident(2).AlertsFiring() != 2 || len(s.memory.leftOut) == 0 {
		t.Errorf("got %d firing and %d questions, %v, want nothing ended by a restart and asked again", s.incident(2).AlertsFiring(), len(s.memory.leftOut), err)
	}
	asked.Since = time.Time{}
	if err := s.Reconcile(t.Context(), deliver(), asked); err != nil {
		t.Fatal(err)
	}
	if n, m := s.incident(1).AlertsFiring(), s.incident(2).AlertsFiring(); n != 1 || m != 1 {
		t.Errorf("got %d and %d firing, want one and one: the other group's alert is no part of it", n, m)
	}
	if len(s.memory.leftOut) != 0 {
		t.Error("the question is not settled")
	}
}

// TestStrays: an alert that belongs to another group from now on does not fire on
// for ever where it was.
func TestStrays(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	a := s.firing(critical)
	s.deliver("g", a, s.firing(critical+" i=2"))
	s.config.JoinBy = []string{"service"} // another configuration
	s.clock.forward(5 * time.Minute)
	s.deliver("g", a)
	if n, m := s.incident(1).AlertsFiring(), s.incident(2).AlertsFiring(); n != 1 || m != 1 {
		t.Errorf("got %d and %d firing, want the one that was not told yet, and the one that moved", n, m)
	}
	s.config.JoinBy = nil
	a.Labels = labels(critical + " i=3")
	a.Fingerprint = FingerprintOf(labels(critical)) // a sender whose alerts keep their identity
	s.deliver("g", a)
	if n, m := s.incident(1).AlertsFiring(), s.incident(2).AlertsFiring(); n != 2 || m != 0 {
		t.Errorf("got %d and %d firing, want it back in the first one", n, m)
	}
}

// TestJoinByMissingLabels: alerts that have none of the labels do not meet, and an
// empty label is none.
func TestJoinByMissingLabels(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{JoinBy: []string{"service"}})
	s.deliver("g", s.firing("alertname=A severity=critical"))
	s.deliver("h", s.firing("alertname=B severity=critical service="))
	s.deliver("h", s.firing("alertname=C severity=critical"))
	if len(s.memory.incidents) != 2 || s.incident(2).AlertsFiring() != 2 {
		t.Errorf("got %d incidents, the second with %d alerts, want one for each group of the sender", len(s.memory.incidents), s.incident(2).AlertsFiring())
	}
}
