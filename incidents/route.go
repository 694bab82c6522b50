package incidents

import (
	"slices"
	"strings"
	"time"
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

// Condition is one matcher of a route.
type Condition struct {
	Text  string // for people, as written: severity=~"critical|page"
	Holds func(labels map[string]string) bool
}

// Route says what alerts with certain labels do. The first route that matches
// an alert wins.
type Route struct {
	Name       string      // tells it from others, for people: the matchers as written
	Conditions []Condition // all of them must hold; none match every alert
	Action     RouteAction
	// Severity and Service of an incident it opens; nil, or an empty answer:
	// from the usual labels.
	Severity func(Alert) Severity
	Service  func(Alert) string
	// JoinBy groups its alerts by these labels; empty: as [Config.JoinBy] says.
	JoinBy []string
	// Delay is how long an alert must have been firing before it does anything.
	Delay time.Duration
	// Threshold is how many alerts of a group must fire at once before they do
	// anything, and Within how long ago they began at most; 0: however long.
	Threshold int
	Within    time.Duration
	// Interval is the distance of a heartbeat's beats; 0: it is learned.
	Interval time.Duration
	Plan     Plan
}

// Plan is what a route wants of an incident that its alerts open. It is kept
// with the group: an offer that is accepted tomorrow becomes what was offered.
type Plan struct {
	Invite  []string `json:"invite,omitempty"`  // ids of users and user groups
	Page    []string `json:"page,omitempty"`    // whom to wake, in the pager's words
	Runbook string   `json:"runbook,omitempty"` // a link
	Private bool     `json:"private,omitempty"`
	// Resolve has the incident resolved when all its alerts are, unasked.
	Resolve bool `json:"resolve,omitempty"`
	// FlapWindow is how long after its end the incident still takes alerts; 0:
	// as [Config.FlapWindow] says.
	FlapWindow time.Duration `json:"flap_window,omitempty"`
	// Follows is the incident that the group's alerts had before; no route says it.
	Follows int64 `json:"follows,omitempty"`
}

// Matches reports whether all conditions hold for an alert's labels.
func (r Route) Matches(labels map[string]string) bool {
	return !slices.ContainsFunc(r.Conditions, func(c Condition) bool { return !c.Holds(labels) })
}

// DefaultRoutes are used after the configured ones: a dead man's switch is
// never an incident, severity none never asks anybody, a rule of Grafana's
// that finds no data is only offered, critical and page open an incident,
// everything else is offered. The label names are those of kube-prometheus, Sloth
// and Pyrra.
func DefaultRoutes() []Route {
	route := func(text string, holds func(map[string]string) bool, action RouteAction) Route {
		return Route{Name: text, Conditions: []Condition{{text, holds}}, Action: action}
	}
	return []Route{
		route(`alertname="Watchdog"`, labelIn("alertname", "Watchdog"), RouteHeartbeat),
		route(`alertname="InfoInhibitor"`, labelIn("alertname", "InfoInhibitor"), RouteIgnore),
		route(`severity="none"`, labelIn("severity", "none"), RouteIgnore),
		route(`alertname=~"DatasourceNoData|DatasourceError"`, labelIn("alertname", NoDataAlert, RuleErrorAlert), RouteOffer),
		route(`severity=~"critical|page"`, urgent, RouteDeclare),
		otherwise(),
	}
}

// otherwise is the route of what no other matches.
func otherwise() Route { return Route{Name: "everything else", Action: RouteOffer} }

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
		if r.Matches(labels) {
			return r
		}
	}
	return otherwise()
}

// severityOf maps what alert labels say to a severity: critical and page are
// sev2 (people raise to sev1), everything else sev3.
func severityOf(r Route, a Alert) Severity {
	if r.Severity != nil {
		if severity := r.Severity(a); severity != "" {
			return severity
		}
	}
	labels := a.Labels
	if s, err := ParseSeverity(labels["severity"]); err == nil {
		return s
	}
	if urgent(labels) {
		return Sev2
	}
	return Sev3
}

// serviceOf finds the service in the usual labels.
func serviceOf(r Route, a Alert) string {
	if r.Service != nil {
		if service := r.Service(a); service != "" {
			return service
		}
	}
	for _, label := range []string{"service", "sloth_service", "app", "job"} {
		if v := a.Labels[label]; v != "" {
			return v
		}
	}
	return ""
}
