package incidents

import (
	"strings"
	"testing"
)

func labels(pairs string) map[string]string {
	m := map[string]string{}
	for pair := range strings.FieldsSeq(pairs) {
		name, value, _ := strings.Cut(pair, "=")
		m[name] = value
	}
	return m
}

func TestDefaultRoutes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, labels string
		action       RouteAction
		severity     Severity
		service      string
	}{
		{"kube-prometheus critical", "alertname=KubeAPIDown severity=critical job=apiserver", RouteDeclare, Sev2, "apiserver"},
		{"kube-prometheus warning", "alertname=KubePodNotReady severity=warning namespace=shop", RouteOffer, Sev3, ""},
		{"kube-prometheus info", "alertname=CPUThrottlingHigh severity=info", RouteOffer, Sev3, ""},
		{"kube-prometheus watchdog", "alertname=Watchdog severity=none", RouteHeartbeat, Sev3, ""},
		{"a watchdog that is critical is one all the same", "alertname=Watchdog severity=critical", RouteHeartbeat, Sev2, ""},
		{"kube-prometheus inhibitor", "alertname=InfoInhibitor severity=none", RouteIgnore, Sev3, ""},
		{"severity none", "alertname=Anything severity=none", RouteIgnore, Sev3, ""},
		{"Sloth page", "alertname=HighErrorRate sloth_severity=page sloth_service=checkout", RouteDeclare, Sev2, "checkout"},
		{"Sloth ticket", "alertname=HighErrorRate sloth_severity=ticket sloth_service=checkout", RouteOffer, Sev3, "checkout"},
		{"Pyrra fast", "alertname=ErrorBudgetBurn slo=checkout severity=critical short=5m long=1h", RouteDeclare, Sev2, ""},
		{"Pyrra slow", "alertname=ErrorBudgetBurn slo=checkout severity=warning short=2h long=1d", RouteOffer, Sev3, ""},
		{"page in capitals", "alertname=A severity=PAGE", RouteDeclare, Sev2, ""},
		{"severity in our words", "alertname=A severity=sev1 service=a app=b", RouteOffer, Sev1, "a"},
		{"no labels", "", RouteOffer, Sev3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := labels(tt.labels)
			r := routeFor(DefaultRoutes(), l)
			if r.Action != tt.action {
				t.Errorf("got %s by %s, want %s", r.Action, r.Name, tt.action)
			}
			if got := severityOf(r, Alert{Labels: l}); got != tt.severity {
				t.Errorf("got severity %s, want %s", got, tt.severity)
			}
			if got := serviceOf(r, Alert{Labels: l}); got != tt.service {
				t.Errorf("got service %q, want %q", got, tt.service)
			}
		})
	}
}

func TestConfiguredRoutesComeFirst(t *testing.T) {
	t.Parallel()
	s := NewService(Config{Routes: []Route{{
		Name: "team", Conditions: []Condition{{"team", labelIn("team", "pay")}}, Action: RouteAttach,
		Severity: func(Alert) Severity { return Sev1 }, Service: func(Alert) string { return "payments" },
	}}})
	l := labels("alertname=A severity=critical team=pay service=other")
	r := routeFor(s.config.Routes, l)
	if r.Action != RouteAttach || severityOf(r, Alert{Labels: l}) != Sev1 || serviceOf(r, Alert{Labels: l}) != "payments" {
		t.Errorf("got %s %s %s, want the route's own attach, sev1 and payments", r.Action, severityOf(r, Alert{Labels: l}), serviceOf(r, Alert{Labels: l}))
	}
	if got := routeFor(s.config.Routes, labels("severity=critical")).Action; got != RouteDeclare {
		t.Errorf("got %s for others, want declare", got)
	}
}

// TestRoutesOfOneName: what a route is called decides nothing, also where a default one
// has the same name.
func TestRoutesOfOneName(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Routes: []Route{
		{Name: "lending", Conditions: []Condition{{"a", labelIn("team", "a")}}, Action: RouteIgnore},
		{Name: "lending", Conditions: []Condition{{"b", labelIn("team", "b")}}, Action: RouteDeclare},
		{Name: `severity=~"critical|page"`, Conditions: []Condition{{"c", labelIn("severity", "critical", "page")}}, Action: RouteIgnore},
	}})
	s.deliver("a", s.firing("alertname=A team=a"))
	s.deliver("b", s.firing("alertname=B team=b"))
	s.deliver("c", s.firing("alertname=C severity=critical"))
	s.deliver("d", s.firing("alertname=D sloth_severity=page"))
	if len(s.memory.incidents) != 2 || s.incident(1).Title != "B" || s.incident(2).Title != "D" {
		t.Errorf("got %d incidents, want those of B and D", len(s.memory.incidents))
	}
}

// TestWhoAlertsAreOf: an incident is reported by whoever sent its alerts.
func TestWhoAlertsAreOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		delivery Delivery
		want     string
	}{
		{Delivery{SentBy: "Grafana"}, "Grafana"},
		{Delivery{Alertmanager: true}, "Alertmanager"},
		{Delivery{}, "Monitoring"},
	} {
		s := newStage(t, Config{})
		tt.delivery.Alerts = []Alert{s.firing(critical)}
		if err := s.Ingest(t.Context(), tt.delivery); err != nil {
			t.Fatal(err)
		}
		if got := s.incident(1).Reporter.Name; got != tt.want {
			t.Errorf("reported by %q, want %q", got, tt.want)
		}
	}
}
