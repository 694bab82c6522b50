package main

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/houston-sre/houston/incidents"
)

// routes turns the configured routes into what the domain asks.
func (a AlertsConfig) routes() ([]incidents.Route, error) {
	routes := make([]incidents.Route, 0, len(a.Routes))
	for i, r := range a.Routes {
		route, err := r.route()
		if err != nil {
			return nil, fmt.Errorf("read alerts.routes[%d]: %w", i, err)
		}
		routes = append(routes, route)
	}
	return routes, nil
}

func (r RouteConfig) route() (incidents.Route, error) {
	matchers, err := r.matchers()
	if err != nil {
		return incidents.Route{}, err
	}
	severity, err := routeTemplate(r.Severity)
	if err != nil {
		return incidents.Route{}, err
	}
	service, err := routeTemplate(r.Service)
	if err != nil {
		return incidents.Route{}, err
	}
	route := incidents.Route{
		Name: r.Name, Action: incidents.RouteAction(r.Action),
		Severity: func(a incidents.Alert) incidents.Severity { return r.severity(severity(a)) }, Service: service,
		JoinBy: r.JoinBy, Delay: r.Delay, Threshold: r.Threshold, Within: r.Within, Interval: r.Interval,
		Plan: incidents.Plan{
			Invite: r.Invite, Page: r.Page, Runbook: r.Runbook, Private: r.Private, Resolve: r.Resolve, FlapWindow: r.FlapWindow,
		},
	}
	texts := make([]string, 0, len(matchers))
	for _, m := range matchers {
		texts = append(texts, m.String())
		route.Conditions = append(route.Conditions, incidents.Condition{
			Text: m.String(), Holds: func(labels map[string]string) bool { return m.Matches(labels[m.Name]) },
		})
	}
	if route.Name == "" {
		route.Name = strings.Join(texts, ", ")
	}
	if route.Name == "" {
		route.Name = "every alert"
	}
	return route, nil
}

// severity reads what a route's severity came to: by its map, or as a severity's
// own name. Anything else leaves it to the labels.
func (r RouteConfig) severity(word string) incidents.Severity {
	if mapped, ok := r.SeverityMap[strings.ToLower(word)]; ok { // viper reads keys in lower case
		word = mapped
	}
	severity, err := incidents.ParseSeverity(word)
	if err != nil {
		return ""
	}
	return severity
}

// routeTemplate reads a text over an alert's labels and annotations. A label
// that is missing is empty, and so is what can not be filled in.
func routeTemplate(text string) (func(incidents.Alert) string, error) {
	if !strings.Contains(text, "{{") {
		return func(incidents.Alert) string { return text }, nil
	}
	t, err := template.New("route").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("template %q: %w", text, err)
	}
	return func(a incidents.Alert) string {
		var filled strings.Builder
		err := t.Execute(&filled, struct{ Labels, Annotations map[string]string }{a.Labels, a.Annotations})
		if err != nil {
			return ""
		}
		return strings.TrimSpace(filled.String())
	}, nil
}
