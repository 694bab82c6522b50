package incidents

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// firing and ended make alerts of the group that deliver sends.
func (s *stage) firing(labelPairs string) Alert {
	return Alert{Firing: true, StartsAt: s.clock.at.Add(-time.Minute), Labels: labels(labelPairs)}
}

func (s *stage) ended(labelPairs string) Alert {
	return Alert{StartsAt: s.clock.at.Add(-time.Hour), EndsAt: s.clock.at, Labels: labels(labelPairs)}
}

// deliver sends alerts of a group and gives the group's row.
func (s *stage) deliver(group string, alerts ...Alert) AlertGroup {
	s.t.Helper()
	err := s.Ingest(s.t.Context(), Delivery{Source: "default", Receiver: "r", GroupKey: group, Alerts: alerts, Alertmanager: true})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.memory.groups[GroupID("default", "r", group)]
}

const critical = "alertname=Burn severity=critical service=checkout"

func TestAlertsOpenOneIncident(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	g := s.deliver("g", s.firing(critical+" i=1"), s.firing(critical+" i=2"))
	inc := s.incident(1)
	got := fmt.Sprintf("%s %s %s %s %s %d", inc.Title, inc.Status, inc.Severity, inc.Detection, inc.Service, inc.AlertsFiring())
	if want := "Burn on checkout triage sev2 alert checkout 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := (Instant{clockAt(13, 59), ToSecond, FromAlert}); inc.Times[Detected] != want {
		t.Errorf("got detected %v, want %v", inc.Times[Detected], want)
	}
	if g.Incident != 1 || g.Firing != 2 {
		t.Errorf("got group of incident %d with %d firing, want 1 and 2", g.Incident, g.Firing)
	}
	count := len(s.memory.events[1])
	s.deliver("g", s.firing(critical+" i=1"), s.firing(critical+" i=2")) // a repeat
	if len(s.memory.events[1]) != count {
		t.Error("a repeat made an event")
	}
	s.clock.forward(5 * time.Minute)
	s.deliver("g", s.firing(critical+" i=1"), s.firing(critical+" i=2"), s.firing(critical+" i=3")) // it grows
	s.deliver("g", s.ended(critical+" i=1"))
	if got := s.incident(1).AlertsFiring(); got != 2 {
		t.Errorf("got %d firing, want 2", got)
	}
	s.deliver("g", s.ended(critical+" i=2"), s.ended(critical+" i=3"))
	if inc := s.incident(1); inc.AlertsFiring() != 0 || inc.Status != Triage {
		t.Errorf("got %d firing and %s: all resolved is not fixed", inc.AlertsFiring(), inc.Status)
	}
	if len(s.memory.incidents) != 1 {
		t.Errorf("got %d incidents, want 1", len(s.memory.incidents))
	}
}

func TestWhatOpensNoIncident(t *testing.T) {
	t.Parallel()
	for name, alert := range map[string]func(*stage) Alert{
		"watchdog":                func(s *stage) Alert { return s.firing("alertname=Watchdog severity=none") },
		"ignored":                 func(s *stage) Alert { return s.firing("alertname=InfoInhibitor severity=none") },
		"resolved and never seen": func(s *stage) Alert { return s.ended(critical) },
		"offer":                   func(s *stage) Alert { return s.firing("alertname=A severity=warning") },
	} {
		s := newStage(t, Config{Announce: true})
		g := s.deliver("g", alert(s))
		if len(s.memory.incidents) != 0 {
			t.Errorf("%s: got an incident, want none", name)
		}
		if (g.Offer == Offered) != (name == "offer") || (len(s.memory.jobs) == 1) != (name == "offer") {
			t.Errorf("%s: got offer %q and %d jobs", name, g.Offer, len(s.memory.jobs))
		}
		if len(s.memory.alerts) != 1 || s.memory.bodies != 1 {
			t.Errorf("%s: got %d alerts and %d bodies kept, want 1 and 1", name, len(s.memory.alerts), s.memory.bodies)
		}
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	for _, d := range []Delivery{
		{Source: "a", Receiver: "r", GroupKey: "k"},
		{Source: "b", Receiver: "r", GroupKey: "k"},
		{Source: "a", Receiver: "r2", GroupKey: "k"},
		{Source: "a", Receiver: "r", GroupKey: "k2"},
		{Source: "a", Receiver: "r", GroupKey: "k"},
	} {
		d.Alerts = []Alert{s.firing(critical)}
		if err := s.Ingest(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(s.memory.incidents); got != 4 {
		t.Errorf("got %d incidents, want one for each source, receiver and key", got)
	}
	s = newStage(t, Config{JoinBy: []string{"service"}})
	s.deliver("k1", s.firing("alertname=A severity=critical service=a"), s.firing("alertname=A severity=critical service=b"))
	s.deliver("k2", s.firing("alertname=B severity=critical service=b"))
	if got := len(s.memory.incidents); got != 2 || s.incident(1).AlertsFiring()+s.incident(2).AlertsFiring() != 3 {
		t.Errorf("got %d incidents, want one for each service", got)
	}
}

func TestFlapWindow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		after     time.Duration
		incidents int
	}{
		{"within the window", 29 * time.Minute, 1},
		{"after the window", 31 * time.Minute, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{FlapWindow: 30 * time.Minute})
			s.deliver("g", s.firing(critical))
			s.deliver("g", s.ended(critical))
			if _, err := s.Do(t.Context(), 1, Resolve{Request: Request{Actor: ada()}}); err != nil {
				t.Fatal(err)
			}
			s.clock.forward(tt.after)
			g := s.deliver("g", s.firing(critical))
			if got := len(s.memory.incidents); got != tt.incidents || g.Incident != int64(tt.incidents) {
				t.Fatalf("got %d incidents and the group in %d, want %d", got, g.Incident, tt.incidents)
			}
			if inc := s.incident(g.Incident); inc.AlertsFiring() != 1 || inc.Follows != int64(tt.incidents-1) {
				t.Errorf("got %d firing, following %d, want 1 and %d", inc.AlertsFiring(), inc.Follows, tt.incidents-1)
			}
			if got := len(s.incident(1).Links); got != tt.incidents-1 {
				t.Errorf("the earlier one has %d links, want %d", got, tt.incidents-1)
			}
		})
	}
}

// TestAlertsThatNeverStopped: what fires when an incident ends, and goes on, is no
// news of it. New alerts are: after the flap window they open another one, linked,
// with all that fires; unless people said that these are no incident.
func TestAlertsThatNeverStopped(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		end       Command
		after     time.Duration
		incidents int
	}{
		{"resolved, within the window", Resolve{Request: Request{Actor: ada()}}, 59 * time.Second, 1},
		{"resolved, at the end of the window", Resolve{Request: Request{Actor: ada()}}, time.Minute, 2},
		{"declined", Decline{Request: Request{Actor: ada()}}, 5 * time.Hour, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{FlapWindow: time.Minute})
			s.deliver("g", s.firing(critical+" i=1"), s.firing(critical+" i=0"))
			if _, err := s.Do(t.Context(), 1, tt.end); err != nil {
				t.Fatal(err)
			}
			s.clock.forward(tt.after)
			s.deliver("g", s.ended(critical+" i=0"), s.firing(critical+" i=1"))
			if n := s.incident(1).AlertsFiring(); n != 1 || len(s.memory.incidents) != 1 {
				t.Fatalf("got %d firing in the first of %d, want one in one", n, len(s.memory.incidents))
			}
			s.deliver("g", s.firing(critical+" i=1"), s.firing(critical+" i=2"))
			if len(s.memory.incidents) != tt.incidents {
				t.Fatalf("got %d incidents, want %d", len(s.memory.incidents), tt.incidents)
			}
			last := int64(tt.incidents)
			if n := s.incident(last).AlertsFiring(); n != 2 || s.incident(last).Follows != last-1 {
				t.Errorf("got %d firing, following %d, want both that fire", n, s.incident(last).Follows)
			}
			if n := s.incident(1).AlertsFiring(); last > 1 && n != 0 {
				t.Errorf("the earlier one counts %d that fire elsewhere", n)
			}
		})
	}
}

// TestStorm: beyond the bound one incident takes all that comes, counts it, and
// is followed by another only when it is over.
func TestStorm(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{MaxDeclaredPerMinute: 2, FlapWindow: time.Minute})
	group := func(i int) AlertGroup {
		return s.deliver(fmt.Sprint("g", i), s.firing(fmt.Sprintf("alertname=A%d severity=critical", i)))
	}
	for i := range 5 {
		s.clock.forward(5 * time.Second)
		group(i)
	}
	storm := s.incident(3)
	if len(s.memory.incidents) != 3 || !storm.Storm || storm.AlertsFiring() != 3 || len(storm.Firing) != 1 {
		t.Fatalf("got %d incidents, the third %+v, want a storm of three alerts", len(s.memory.incidents), storm)
	}
	s.deliver("g2", s.firing("alertname=A2 severity=critical"), s.firing("alertname=B2 severity=critical"))
	s.deliver("g3", s.ended("alertname=A3 severity=critical"))
	if got := s.incident(3).AlertsFiring(); got != 3 {
		t.Errorf("got %d firing after one more and one less, want 3", got)
	}
	s.clock.forward(2 * time.Minute)
	if g := group(6); g.Incident != 4 || s.incident(4).Storm {
		t.Errorf("got a group in %d two minutes later, want an incident of its own", g.Incident)
	}
	s.deliver("g2", s.ended("alertname=A2 severity=critical"), s.ended("alertname=B2 severity=critical"))
	s.deliver("g4", s.ended("alertname=A4 severity=critical"))
	if inc := s.incident(3); inc.AlertsFiring() != 0 || inc.Clear == nil {
		t.Errorf("got %d firing, asked %v, want the storm over", inc.AlertsFiring(), inc.Clear)
	}
	if _, err := s.Do(t.Context(), 3, Resolve{Request: asker()}); err != nil {
		t.Fatal(err)
	}
	s.clock.forward(2 * time.Minute)
	for i := range 3 {
		group(10 + i)
	}
	if len(s.memory.incidents) != 7 || !s.incident(7).Storm {
		t.Errorf("got %d incidents, want a second storm after two more", len(s.memory.incidents))
	}
}

func TestPrivateJoinsNoStorm(t *testing.T) {
	t.Parallel()
	config := routed(Route{Action: RouteDeclare, Plan: Plan{Private: true, Invite: []string{"U7"}}})
	config.MaxDeclaredPerMinute = 1
	s := newStage(t, config)
	for i := range 2 {
		s.deliver(fmt.Sprint("g", i), s.firing(critical))
	}
	if len(s.memory.incidents) != 2 || s.incident(2).Storm {
		t.Errorf("got %d incidents, want two private ones", len(s.memory.incidents))
	}
}

func TestAttach(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Routes: []Route{{Conditions: []Condition{{"warning", labelIn("severity", "warning")}}, Action: RouteAttach}}})
	warning := "alertname=Slow severity=warning service=checkout"
	if g := s.deliver("w", s.firing(warning+" i=1")); g.Incident != 0 || len(s.memory.incidents) != 0 {
		t.Error("an alert that may only attach opened something")
	}
	s.deliver("g", s.firing(critical))
	if g := s.deliver("w", s.firing(warning+" i=2")); g.Incident != 1 || s.incident(1).AlertsFiring() != 3 {
		t.Errorf("got the group in %d and %d firing, want 1 and 3", g.Incident, s.incident(1).AlertsFiring())
	}
	if g := s.deliver("x", s.firing("alertname=Slow severity=warning service=other")); g.Incident != 0 {
		t.Error("an alert of another service was attached")
	}
}

func TestTheStrongestActionWins(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Announce: true})
	s.deliver("g", s.firing("alertname=A severity=warning"), s.firing("alertname=B severity=critical"), s.firing("alertname=Watchdog"))
	if got := len(s.memory.incidents); got != 1 || s.incident(1).AlertsFiring() != 2 {
		t.Errorf("got %d incidents, want one with two alerts: a heartbeat does not count", got)
	}
}

// TestTitles: a group is called what people would call it.
func TestTitles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		alerts []string
		want   string
	}{
		{"one", []string{"alertname=Burn"}, "Burn"},
		{"service", []string{"alertname=Burn service=checkout"}, "Burn on checkout"},
		{"service in the name", []string{"alertname=CheckoutDown service=checkout"}, "CheckoutDown"},
		{"two services", []string{"alertname=Burn service=a", "alertname=Burn service=b"}, "Burn"},
		{"the commonest first", []string{"alertname=A i=1", "alertname=B i=1", "alertname=B i=2"}, "B, A"},
		{"many", []string{"alertname=A", "alertname=B", "alertname=C", "alertname=D", "alertname=E"}, "A, B, C and 2 more"},
		{"no name", []string{"job=node instance=x"}, "node"},
		{"a pseudo alert of Grafana", []string{"alertname=DatasourceNoData rulename=Queue"}, "Queue (DatasourceNoData)"},
		{"long", []string{"alertname=" + strings.Repeat("x", 300)}, strings.Repeat("x", 59) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{})
			var alerts []Alert
			for _, pairs := range tt.alerts {
				alerts = append(alerts, s.firing(pairs))
			}
			if got := s.deliver("g", alerts...).Title; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestImplausibleStarts: 1970 and the future say nothing about when it began.
func TestImplausibleStarts(t *testing.T) {
	t.Parallel()
	for name, starts := range map[string]time.Time{
		"1970": time.Unix(0, 0), "future": clockAt(15, 0), "unknown": {},
	} {
		s := newStage(t, Config{})
		a := s.firing(critical)
		a.StartsAt = starts
		s.deliver("g", a)
		if got := s.incident(1).Times[Detected].At; !got.Equal(clockAt(14, 0)) {
			t.Errorf("%s: got detected %s, want the time it arrived", name, got)
		}
	}
}

func TestIngestFails(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	want := errors.New("disk full")
	s.store = failingStore{s.memory, want}
	err := s.Ingest(t.Context(), Delivery{GroupKey: "g", Alerts: []Alert{s.firing(critical)}})
	if !errors.Is(err, want) || len(s.memory.alerts) != 0 {
		t.Errorf("got %v and %d alerts, want the error and nothing stored", err, len(s.memory.alerts))
	}
}

type failingStore struct {
	*memory

	err error
}

func (f failingStore) KeepBody(context.Context, string, time.Time, []byte) error { return f.err }

func TestFingerprints(t *testing.T) {
	t.Parallel()
	a, b := FingerprintOf(labels("a=1 b=2")), FingerprintOf(labels("b=2 a=1"))
	if a != b || len(a) != 16 {
		t.Errorf("got %q and %q, want one of 16 characters", a, b)
	}
	if diff := cmp.Diff(FingerprintOf(map[string]string{"a": `1","b`}), FingerprintOf(map[string]string{"a": "1", "b": ""})); diff == "" {
		t.Error("two label sets have one fingerprint")
	}
}
