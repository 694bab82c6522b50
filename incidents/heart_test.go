package incidents

import (
	"strings"
	"testing"
	"time"
)

// beats sends a heart's alert from a peer at distances, and looks at what is due
// every ten seconds in between.
func (s *stage) beats(peer string, distances ...time.Duration) {
	s.t.Helper()
	for _, d := range distances {
		s.listens(d)
		s.beat(peer, true)
	}
}

func (s *stage) beat(peer string, firing bool) {
	s.t.Helper()
	a := Alert{Firing: firing, StartsAt: clockAt(0, 0), Labels: labels("alertname=Watchdog severity=none")}
	if !firing {
		a.EndsAt = s.clock.at
	}
	err := s.Ingest(s.t.Context(), Delivery{Source: "berlin", Receiver: "r", GroupKey: "w", Peer: peer, Alerts: []Alert{a}})
	if err != nil {
		s.t.Fatal(err)
	}
}

// listens lets time pass as a running Houston does.
func (s *stage) listens(d time.Duration) {
	s.t.Helper()
	for ; d > 0; d -= 10 * time.Second {
		s.look(min(d, 10*time.Second))
	}
}

func newHeart(t *testing.T, interval time.Duration) *stage {
	t.Helper()
	s := newStage(t, Config{FlapWindow: time.Hour, Routes: []Route{{
		Name: "dog", Conditions: []Condition{{"dog", labelIn("alertname", "Watchdog")}}, Action: RouteHeartbeat, Interval: interval,
	}}})
	s.look(0)
	return s
}

// TestHeartIsLearned: three beats arm it, two and a half intervals of silence are
// news, once, and the next beat is too.
func TestHeartIsLearned(t *testing.T) {
	t.Parallel()
	s := newHeart(t, 0)
	s.beats("am", 0, time.Minute)
	if s.listens(time.Hour); len(s.memory.incidents) != 0 {
		t.Fatal("a heart of two beats was missed")
	}
	s.beats("am", time.Minute, time.Minute, time.Minute)
	if s.listens(2 * time.Minute); len(s.memory.incidents) != 0 {
		t.Fatal("missed after two intervals")
	}
	s.listens(40 * time.Second)
	inc := s.incident(1)
	if inc.Title != "Monitoring is blind: Watchdog of berlin is silent" || inc.Severity != Sev2 || inc.Status != Triage || inc.AlertsFiring() != 1 {
		t.Fatalf("got %+v", inc)
	}
	if s.listens(time.Hour); len(s.memory.incidents) != 1 || len(s.memory.events[1]) != 2 {
		t.Errorf("got %d incidents and events %v, want the silence told once", len(s.memory.incidents), s.newest(1, 0))
	}
	if _, err := s.ChannelMade(t.Context(), s.memory.effects["INC-1/channel"], Channel{ID: "C1"}); err != nil {
		t.Fatal(err)
	}
	posts := len(s.owed(MakePost))
	s.beat("am", true)
	inc = s.incident(1)
	if inc.AlertsFiring() != 0 || !inc.Status.Open() || inc.Clear == nil || len(s.owed(MakePost)) != posts+1 {
		t.Errorf("got %d firing, %s, asked %v, want it told and people asked", inc.AlertsFiring(), inc.Status, inc.Clear)
	}
	timeline := Timeline(s.memory.events[1])
	if got := timeline[len(timeline)-1].Text; !strings.HasPrefix(got, "Monitoring sees again: Watchdog of berlin beats again after 1h") {
		t.Errorf("got %q", got)
	}
	if s.listens(3 * time.Minute); len(s.memory.events[1]) < 5 {
		t.Error("its next silence is not told in the open incident")
	}
}

func TestHeartOfAPair(t *testing.T) {
	t.Parallel()
	s := newHeart(t, 0)
	for range 4 { // both deliver everything
		s.beats("am-1", 285*time.Second)
		s.beats("am-2", 15*time.Second)
	}
	if s.listens(10 * time.Minute); len(s.memory.incidents) != 0 {
		t.Error("the distance between two peers was taken for the interval")
	}
	if s.listens(3 * time.Minute); len(s.memory.incidents) != 1 {
		t.Error("not missed after 13 minutes of silence of a beat every 5")
	}
}

func TestHeartWithAnInterval(t *testing.T) {
	t.Parallel()
	s := newHeart(t, 10*time.Minute)
	s.beats("am", 0, time.Second, time.Second)
	if s.listens(24 * time.Minute); len(s.memory.incidents) != 0 {
		t.Error("missed before its time")
	}
	if s.listens(2 * time.Minute); len(s.memory.incidents) != 1 {
		t.Error("not missed after 25 minutes")
	}
}

// TestHeartReportedResolved: an alert that always fires and is resolved has no
// Prometheus any more.
func TestHeartReportedResolved(t *testing.T) {
	t.Parallel()
	s := newHeart(t, 0)
	s.beat("am", false)
	if len(s.memory.incidents) != 0 {
		t.Fatal("a heart that was never known to beat was missed")
	}
	s.clock.forward(2 * time.Minute)
	a := Alert{Firing: true, StartsAt: s.clock.at, Labels: labels("alertname=Watchdog severity=none")}
	if err := s.Ingest(t.Context(), Delivery{Source: "berlin", Receiver: "r", GroupKey: "w", Alerts: []Alert{a}}); err != nil {
		t.Fatal(err)
	}
	s.clock.forward(time.Minute)
	a.Firing, a.EndsAt = false, s.clock.at
	for range 2 { // both of a pair tell it
		if err := s.Ingest(t.Context(), Delivery{Source: "berlin", Receiver: "r", GroupKey: "w", Alerts: []Alert{a}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.memory.incidents) != 1 || len(s.memory.events[1]) != 2 {
		t.Errorf("got %d incidents, want one at once", len(s.memory.incidents))
	}
}

// TestHeartWhileNobodyListened: our own downtime is not its silence.
func TestHeartWhileNobodyListened(t *testing.T) {
	t.Parallel()
	s := newHeart(t, 0)
	s.beats("am", 0, time.Minute, time.Minute, time.Minute)
	s.clock.forward(time.Hour) // nobody is alive
	if s.listens(50 * time.Second); len(s.memory.incidents) != 0 {
		t.Fatal("missed within an interval after our own start")
	}
	if s.listens(20 * time.Second); len(s.memory.incidents) != 1 {
		t.Error("not missed once somebody has listened for an interval")
	}
}

// TestHeartsOfOneName: two senders that nothing tells apart, such as a pair of
// Prometheus that post themselves, beat at uneven distances; that is their rhythm.
func TestHeartsOfOneName(t *testing.T) {
	t.Parallel()
	s := newHeart(t, 0)
	for range 6 {
		s.beats("", 50*time.Second, 10*time.Second)
	}
	if s.listens(100 * time.Second); len(s.memory.incidents) != 0 {
		t.Error("missed in a hundred seconds though each beats every minute")
	}
	if s.listens(time.Minute); len(s.memory.incidents) != 1 {
		t.Error("not missed after more than two and a half minutes")
	}
}

// TestHeartKeepsItsName: a changed route at the Alertmanager gives the group another
// key; that is no other heart.
func TestHeartKeepsItsName(t *testing.T) {
	t.Parallel()
	s := newHeart(t, 0)
	s.beats("am", 0, time.Minute, time.Minute, time.Minute)
	for range 6 {
		s.listens(time.Minute)
		a := Alert{Firing: true, StartsAt: clockAt(0, 0), Labels: labels("alertname=Watchdog severity=none")}
		if err := s.Ingest(t.Context(), Delivery{Source: "berlin", Receiver: "r", GroupKey: "anew", Peer: "am", Alerts: []Alert{a}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.memory.incidents) != 0 {
		t.Error("a heart that beats was missed under its old key")
	}
}

// TestLateBeat: a beat that the report of its end has overtaken brings nothing back.
func TestLateBeat(t *testing.T) {
	t.Parallel()
	s := newHeart(t, 0)
	s.beats("am-1", 0, time.Minute, time.Minute, time.Minute)
	s.beat("am-1", false)
	n := len(s.memory.events[1])
	s.clock.forward(15 * time.Second)
	s.beat("am-2", true)
	s.beat("am-2", false)
	if len(s.memory.events[1]) != n || s.incident(1).AlertsFiring() != 1 {
		t.Errorf("got %v after the end, want it silent", s.newest(1, n))
	}
	s.clock.forward(5 * time.Minute)
	s.beat("am-1", true)
	if s.incident(1).AlertsFiring() != 0 {
		t.Error("a beat long after the end did not bring it back")
	}
}

// TestTwoHearts: two that fall silent are one blindness of their source; people are
// asked whether it is over when both beat.
func TestTwoHearts(t *testing.T) {
	t.Parallel()
	s := newHeart(t, 0)
	beat := func(instance string) {
		a := Alert{Firing: true, StartsAt: clockAt(0, 0), Labels: labels("alertname=Watchdog prometheus=" + instance)}
		if err := s.Ingest(t.Context(), Delivery{Source: "berlin", Receiver: "r", GroupKey: "w", Peer: "am", Alerts: []Alert{a}}); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		s.listens(time.Minute)
		beat("a")
		beat("b")
	}
	if s.listens(10 * time.Minute); len(s.memory.incidents) != 1 || s.incident(1).AlertsFiring() != 2 {
		t.Fatalf("got %d incidents, %d silent in the first", len(s.memory.incidents), s.incident(1).AlertsFiring())
	}
	if beat("a"); s.incident(1).AlertsFiring() != 1 || s.incident(1).Clear != nil {
		t.Errorf("got %d silent, asked %v, want one and nobody asked", s.incident(1).AlertsFiring(), s.incident(1).Clear)
	}
	if beat("b"); s.incident(1).AlertsFiring() != 0 || s.incident(1).Clear == nil {
		t.Errorf("got %d silent, asked %v, want none and people asked", s.incident(1).AlertsFiring(), s.incident(1).Clear)
	}
}
