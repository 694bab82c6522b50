package incidents

import (
	"strings"
)

// RouteAction is what a route does with alerts.
type RouteAction string

// The actions of routes.
const (
	RouteDeclare   RouteAction = "declare"   // opens an incident in triage
	RouteOffer     RouteAction = "offer"     // asks in the announce channel
	RouteAttach    RouteAction = "attach"    // only joins an open incident
	RouteHeartbeat RouteAction = "heartbeat" // a dead man's switch; never an incident by firing
	RouteIgnore    RouteAction = "ignore"
)

// Counts reports whether alerts of this action count as firing.
func (a RouteAction) Counts() bool {
	return a == RouteDeclare || a == RouteOffer || a == RouteAttach
}

// rank orders actions by how much they ask of people.
func (a RouteAction) rank() int {
	switch a {
	case RouteDeclare:
		return 3
	case RouteOffer:
		return 2
	case RouteAttach:
		return 1
	default:
		return 0
	}
}

// Route says what alerts with certain labels do. The first route that matches
// an alert wins.
type Route struct {
	Name     string // for people: the matchers as written
	Match    func(labels map[string]string) bool
	Action   RouteAction
	Severity Severity // of an incident it opens; empty: from the labels
	Service  string   // empty: from the labels
}

// DefaultRoutes are used after the configured ones: a dead man's switch is
// never an incident, severity none never asks anybody, a rule of Grafana's
// that finds no data is only offered, critical and page open an incident, everything else is offered. The label names are those of
// kube-prometheus, Sloth and Pyrra.
func DefaultRoutes() []Route {
	named := func(names ...string) func(map[string]string) bool { return labelIn("alertname", names...) }
	return []Route{
		{Name: `alertname="Watchdog"`, Match: named("Watchdog"), Action: RouteHeartbeat},
		{Name: `alertname="InfoInhibitor"`, Match: named("InfoInhibitor"), Action: RouteIgnore},
		{Name: `severity="none"`, Match: labelIn("severity", "none"), Action: RouteIgnore},
		{Name: `alertname=~"DatasourceNoData|DatasourceError"`, Match: named(NoDataAlert, RuleErrorAlert), Action: RouteOffer},
		{Name: `severity=~"critical|page"`, Match: urgent, Action: RouteDeclare},
		{Name: "everything else", Match: func(map[string]string) bool { return true }, Action: RouteOffer},
	}
}

func labelIn(label string, values ...string) func(map[string]string) bool {
	return func(labels map[string]string) bool {
		for _, v := range values {
			if strings.EqualFold(labels[label], v) {
				return true
			}
		}
		return false
	}
}

func urgent(labels map[string]string) bool {
	return labelIn("severity", "critical", "page")(labels) || labelIn("sloth_severity", "page")(labels)
}

// routeFor finds the first route that matches; without one alerts are offered.
func routeFor(routes []Route, labels map[string]string) Route {
	for _, r := range routes {
		if r.Match(labels) {
			return r
		}
	}
	return Route{Name: "everything else", Action: RouteOffer}
}

// severityOf maps what alert labels say to a severity: critical and page are
// sev2 (people raise to sev1), everything else sev3.
func severityOf(r Route, labels map[string]string) Severity {
	if r.Severity != "" {
		return r.Severity
	}
	if s, err := ParseSeverity(labels["severity"]); err == nil {
		return s
	}
	if urgent(labels) {
		return Sev2
	}
	return Sev3
}

// serviceOf finds the service in the usual labels.
func serviceOf(r Route, labels map[string]string) string {
	if r.Service != "" {
		return r.Service
	}
	for _, label := range []string{"service", "sloth_service", "app", "job"} {
		if v := labels[label]; v != "" {
			return v
		}
	}
	return ""
}
