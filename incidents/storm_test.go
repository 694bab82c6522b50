package incidents

import (
	"fmt"
	"testing"
	"time"
)

// TestOfferedGroupJoinsTheStorm: an offer says so when its group joins the storm, and
// whoever clicks afterwards is led there; another incident would leave the storm
// counting alerts that are not in it any more.
func TestOfferedGroupJoinsTheStorm(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Announce: true, MaxDeclaredPerMinute: 1, FlapWindow: time.Minute})
	s.deliver("a", s.firing("alertname=A severity=critical"))
	s.deliver("b", s.firing("alertname=B severity=critical"))
	s.deliver("g", s.firing("alertname=C severity=warning"))
	g := s.deliver("g", s.firing("alertname=C severity=warning"), s.firing("alertname=C severity=critical"))
	if !s.incident(2).Storm || g.Incident != 2 || g.Offer != Accepted {
		t.Fatalf("got the group in %d with the offer %q, want it accepted in the storm", g.Incident, g.Offer)
	}
	if _, err := s.Do(t.Context(), 2, Resolve{Request: asker()}); err != nil {
		t.Fatal(err)
	}
	result, err := s.AcceptOffer(t.Context(), asker(), g.ID)
	if err != nil || !result.Repeated || result.Incident.Number != 2 || len(s.memory.incidents) != 2 {
		t.Errorf("got %s of %d, repeated %t, %v, want the storm", result.Incident.Key(), len(s.memory.incidents), result.Repeated, err)
	}
}

// TestStormsMerge: a storm that absorbs another counts the groups of both.
func TestStormsMerge(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{MaxDeclaredPerMinute: 1, FlapWindow: time.Minute})
	wave := func(wave string) {
		for i := range 3 {
			s.deliver(fmt.Sprint(wave, i), s.firing(fmt.Sprintf("alertname=%s%d severity=critical", wave, i)))
		}
	}
	wave("a")
	if _, err := s.Do(t.Context(), 2, Resolve{Request: asker()}); err != nil {
		t.Fatal(err)
	}
	s.clock.forward(time.Hour)
	wave("b")
	if one, other := s.incident(2), s.incident(4); !one.Storm || !other.Storm || one.AlertsFiring() != 2 || other.AlertsFiring() != 2 {
		t.Fatalf("got %+v and %+v, want two storms of two", one, other)
	}
	if _, err := s.Merge(t.Context(), Merge{Request: asker(), Number: 2, Into: 4}); err != nil {
		t.Fatal(err)
	}
	if n := s.incident(4).AlertsFiring(); n != 4 {
		t.Errorf("got %d firing in both storms, want 4", n)
	}
}
