package incidents

import "fmt"

// RouteTrial is how one route took an alert with certain labels.
type RouteTrial struct {
	Route Route
	// Failed lists the conditions that do not hold, as written; none: it matches.
	Failed []string
	Wins   bool
}

// RouteVerdict is what would be done with an alert, and why.
type RouteVerdict struct {
	Trials   []RouteTrial // the routes that were asked, up to the one that wins
	Route    Route        // the one that wins
	Severity Severity
	Service  string
}

// ExplainRoute tells what routes, followed by [DefaultRoutes], do with an alert.
func ExplainRoute(routes []Route, a Alert) RouteVerdict {
	verdict := RouteVerdict{Route: otherwise()}
	for _, r := range withDefaults(routes) {
		trial := RouteTrial{Route: r}
		for _, c := range r.Conditions {
			if !c.Holds(a.Labels) {
				trial.Failed = append(trial.Failed, c.Text)
			}
		}
		trial.Wins = len(trial.Failed) == 0
		verdict.Trials = append(verdict.Trials, trial)
		if trial.Wins {
			verdict.Route = r
			break
		}
	}
	verdict.Severity, verdict.Service = severityOf(verdict.Route, a), serviceOf(verdict.Route, a)
	return verdict
}

// withDefaults are routes as the Service tries them. Each has a name of its own, by
// which it is known what route an alert took.
func withDefaults(routes []Route) []Route {
	all := append(append([]Route{}, routes...), DefaultRoutes()...)
	taken := map[string]bool{}
	for i := range all {
		name := all[i].Name
		for n := 2; taken[all[i].Name]; n++ {
			all[i].Name = fmt.Sprintf("%s (%d)", name, n)
		}
		taken[all[i].Name] = true
	}
	return all
}
