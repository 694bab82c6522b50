package incidents

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

// withDefaults are routes as the Service tries them.
func withDefaults(routes []Route) []Route {
	return append(append([]Route{}, routes...), DefaultRoutes()...)
}
