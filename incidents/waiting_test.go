package incidents

import (
	"fmt"
	"testing"
	"time"
)

func routed(r Route) Config {
	r.Name, r.Conditions = "configured", []Condition{{"critical", labelIn("severity", "critical")}}
	return Config{Announce: true, FlapWindow: 30 * time.Minute, Routes: []Route{r}}
}

// look lets time pass and looks at what waits.
func (s *stage) look(after time.Duration) int {
	s.t.Helper()
	s.clock.forward(after)
	if err := s.RecheckDue(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	return len(s.memory.incidents)
}

// TestDelay: an alert does nothing until it has fired for a while, and nothing at
// all when it is resolved before.
func TestDelay(t *testing.T) {
	t.Parallel()
	s := newStage(t, routed(Route{Action: RouteDeclare, Delay: 2 * time.Minute}))
	s.deliver("g", s.firing(critical+" i=1"))
	if n := s.look(time.Minute); n != 0 {
		t.Fatalf("got %d incidents after a minute, want none", n)
	}
	s.deliver("g", s.ended(critical+" i=1"))
	s.clock.forward(70 * time.Second)
	s.deliver("g", s.firing(critical+" i=1")) // a new life: its time begins anew
	if n := s.look(30 * time.Second); n != 0 {
		t.Fatalf("got %d incidents though no alert fired for two minutes, want none", n)
	}
	if n := s.look(90 * time.Second); n != 1 {
		t.Fatalf("got %d incidents after two minutes, want 1", n)
	}
	if inc := s.incident(1); inc.AlertsFiring() != 1 || inc.Title != "Burn on checkout" {
		t.Errorf("got %q with %d firing", inc.Title, inc.AlertsFiring())
	}
	events := len(s.memory.events[1])
	if s.look(time.Hour) != 1 || len(s.memory.events[1]) != events {
		t.Error("looking again did something")
	}
}

func TestDelayOfOneDoesNotHoldUpAnother(t *testing.T) {
	t.Parallel()
	s := newStage(t, routed(Route{Action: RouteDeclare, Delay: 2 * time.Minute}))
	s.deliver("g", s.firing(critical), s.firing(warning))
	if g := s.memory.groups[GroupID("default", "r", "g")]; g.Offer != Offered || len(s.memory.incidents) != 0 {
		t.Fatalf("got offer %q and %d incidents, want the warning offered at once", g.Offer, len(s.memory.incidents))
	}
	if n := s.look(2 * time.Minute); n != 1 {
		t.Errorf("got %d incidents, want the critical one opened after its delay", n)
	}
	if g := s.memory.groups[GroupID("default", "r", "g")]; g.Offer != Accepted || g.Incident != 1 {
		t.Errorf("got offer %q of incident %d, want it accepted by the first", g.Offer, g.Incident)
	}
}

// TestThreshold counts what fires, not what was delivered.
func TestThreshold(t *testing.T) {
	t.Parallel()
	s := newStage(t, routed(Route{Action: RouteDeclare, Threshold: 3}))
	s.deliver("g", s.firing(critical+" i=1"))
	s.deliver("g", s.firing(critical+" i=1"))
	s.deliver("g", s.firing(critical+" i=2"))
	s.deliver("g", s.ended(critical+" i=1"))
	s.deliver("g", s.firing(critical+" i=3"))
	if n := len(s.memory.incidents); n != 0 {
		t.Fatalf("got %d incidents of two alerts firing, want none", n)
	}
	s.deliver("g", s.firing(critical+" i=4"))
	if n := len(s.memory.incidents); n != 1 || s.incident(1).AlertsFiring() != 3 {
		t.Fatalf("got %d incidents, want one with three alerts", n)
	}
	if got, want := Timeline(s.memory.events[1])[1].Text, "3 alerts fired (Burn); 3 firing now"; got != want {
		t.Errorf("got entry %q, want %q", got, want)
	}
}

func TestThresholdWithin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		apart     time.Duration
		incidents int
	}{{4 * time.Minute, 1}, {5 * time.Minute, 1}, {5*time.Minute + time.Second, 0}, {6 * time.Minute, 0}} {
		s := newStage(t, routed(Route{Action: RouteDeclare, Threshold: 3, Within: 10 * time.Minute}))
		for i := range 3 {
			s.deliver("g", s.firing(fmt.Sprintf("%s i=%d", critical, i)))
			s.clock.forward(tt.apart)
		}
		if n := len(s.memory.incidents); n != tt.incidents {
			t.Errorf("three alerts %s apart: got %d incidents, want %d", tt.apart, n, tt.incidents)
		}
	}
}

// TestPlan: what the route wants of an incident, also after an offer.
func TestPlan(t *testing.T) {
	t.Parallel()
	s := newStage(t, routed(Route{Action: RouteOffer, Plan: Plan{Invite: []string{"U7", "S1"}, Runbook: "https://r.example"}}))
	g := s.deliver("g", s.firing(critical))
	if _, err := s.AcceptOffer(t.Context(), asker(), g.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChannelMade(t.Context(), s.memory.effects["INC-1/channel"], Channel{ID: "C1"}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.owed(MakeInvite), s.incident(1).Runbook); got != "[S1 U1 U7]https://r.example" {
		t.Errorf("got %s invited and linked", got)
	}
}

func TestPrivateStaysApart(t *testing.T) {
	t.Parallel()
	s := newStage(t, routed(Route{Action: RouteDeclare, Plan: Plan{Private: true, Invite: []string{"U7"}}}))
	s.deliver("g", s.firing(critical+" i=1"), s.firing("alertname=Other severity=page"))
	if len(s.memory.incidents) != 2 || s.incident(1).Private == s.incident(2).Private {
		t.Fatalf("got %d incidents, want a private one and another", len(s.memory.incidents))
	}
	for n := range int64(2) {
		if inc := s.incident(n + 1); inc.AlertsFiring() != 1 {
			t.Errorf("%s has %d alerts, want its own one", inc.Key(), inc.AlertsFiring())
		}
	}
}

func TestRoutesOwnGroups(t *testing.T) {
	t.Parallel()
	s := newStage(t, routed(Route{Action: RouteDeclare, JoinBy: []string{"cluster"}}))
	s.deliver("k1", s.firing("alertname=A severity=critical cluster=x"), s.firing("alertname=P severity=page"))
	s.deliver("k2", s.firing("alertname=B severity=critical cluster=x"))
	if n := len(s.memory.incidents); n != 2 {
		t.Errorf("got %d incidents, want one of the cluster and one of the group", n)
	}
}

// TestLabelsChange: the same alert comes to ask for more, or for nothing.
func TestLabelsChange(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Announce: true})
	a := s.firing("alertname=A severity=none")
	a.Fingerprint = "f"
	s.deliver("g", a)
	a.Labels = labels("alertname=A severity=critical")
	g := s.deliver("g", a)
	if g.Incident != 1 || s.incident(1).AlertsFiring() != 1 || len(s.memory.alerts) != 1 {
		t.Fatalf("got incident %d and %d rows, want one alert that opened one", g.Incident, len(s.memory.alerts))
	}
	a.Labels = labels("alertname=A severity=none")
	if s.deliver("g", a); s.incident(1).AlertsFiring() != 0 {
		t.Errorf("got %d firing of an alert that is ignored now, want none", s.incident(1).AlertsFiring())
	}
}

func TestExplainRoute(t *testing.T) {
	t.Parallel()
	config := routed(Route{Action: RouteDeclare, Severity: func(Alert) Severity { return Sev1 }})
	v := ExplainRoute(config.Routes, Alert{Labels: labels("severity=page service=offers")})
	var tried []string
	for _, trial := range v.Trials {
		tried = append(tried, fmt.Sprint(trial.Route.Name, trial.Failed))
	}
	want := `[configured[critical] alertname="Watchdog"[alertname="Watchdog"] ` +
		`alertname="InfoInhibitor"[alertname="InfoInhibitor"] severity="none"[severity="none"] ` +
		`alertname=~"DatasourceNoData|DatasourceError"[alertname=~"DatasourceNoData|DatasourceError"] severity=~"critical|page"[]]`
	if got := fmt.Sprint(tried); got != want || !v.Trials[5].Wins || v.Severity != Sev2 || v.Service != "offers" {
		t.Errorf("got %s %s %s, want %s", got, v.Severity, v.Service, want)
	}
}
