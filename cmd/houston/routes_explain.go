package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/spf13/cobra"

	"github.com/houston-sre/houston/incidents"
)

// newRoutes is "houston routes", what alerts would do.
func (c *cli) newRoutes() *cobra.Command {
	cmd := &cobra.Command{Use: "routes", Short: "Say what alerts would do", Args: cobra.NoArgs}
	var asJSON bool
	var annotations []string
	test := &cobra.Command{
		Use:   "test LABEL=VALUE …",
		Short: "Say which route takes an alert with these labels, and why",
		Long: "Say which of the configured routes, and the built-in ones after them, takes an alert with these labels,\n" +
			"why the ones before it do not, and what it does. It ends with status 1 when a label is not written as name=value.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return c.explainRoute(args, annotations, asJSON)
		},
	}
	test.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	test.Flags().StringArrayVar(&annotations, "annotation", nil, "an annotation of the alert, `NAME=VALUE`; may be repeated")
	cmd.AddCommand(test)
	return cmd
}

// explainRoute prints which route takes an alert of some labels, and why.
func (c *cli) explainRoute(labels, annotations []string, asJSON bool) error {
	config, err := c.config()
	if err != nil {
		return err
	}
	var a incidents.Alert
	if a.Labels, err = readLabels(labels); err != nil {
		return err
	}
	if a.Annotations, err = readLabels(annotations); err != nil {
		return err
	}
	explained, err := config.Alerts.explain(a)
	if err != nil {
		return err
	}
	if asJSON {
		encoder := json.NewEncoder(c.stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(explained)
	} else {
		_, err = io.WriteString(c.stdout, explained.text())
	}
	if err != nil {
		return fmt.Errorf("print the route: %w", err)
	}
	return nil
}

// readLabels reads name=value, with or without quotes around the value.
func readLabels(words []string) (map[string]string, error) {
	labels := map[string]string{}
	for _, word := range words {
		name, value, found := strings.Cut(word, "=")
		name = strings.TrimSpace(name)
		if !found || !model.UTF8Validation.IsValidLabelName(name) {
			return nil, fmt.Errorf("%q is no label; write it as name=value, such as severity=page", word)
		}
		value = strings.TrimSpace(value)
		if n := len(value); n > 1 && value[0] == '"' && value[n-1] == '"' {
			value = value[1 : n-1]
		}
		labels[name] = value
	}
	return labels, nil
}

// explained is a verdict about an alert, to print.
type explained struct {
	Labels map[string]string `json:"labels"`
	Tried  []explainedTrial  `json:"tried"`
	Route  string            `json:"route"`
	Action string            `json:"action"`
	Does   string            `json:"does"`

	Severity   string   `json:"severity,omitempty"`
	Service    string   `json:"service,omitempty"`
	JoinBy     []string `json:"join_by,omitempty"`
	Invite     []string `json:"invite,omitempty"`
	Page       []string `json:"page,omitempty"`
	Runbook    string   `json:"runbook,omitempty"`
	Private    bool     `json:"private,omitempty"`
	Resolve    bool     `json:"resolve,omitempty"`
	Delay      string   `json:"delay,omitempty"`
	Threshold  int      `json:"threshold,omitempty"`
	Within     string   `json:"threshold_within,omitempty"`
	FlapWindow string   `json:"flap_window,omitempty"`
	Interval   string   `json:"interval,omitempty"`
}

type explainedTrial struct {
	Route  string   `json:"route"`
	Action string   `json:"action"`
	Wins   bool     `json:"wins"`
	Failed []string `json:"failed,omitempty"` // the matchers that do not hold
}

func (a AlertsConfig) explain(alert incidents.Alert) (explained, error) {
	routes, err := a.routes()
	if err != nil {
		return explained{}, err
	}
	v := incidents.ExplainRoute(routes, alert)
	e := explained{
		Labels: alert.Labels, Route: v.Route.Name, Action: string(v.Route.Action), Does: does(v.Route.Action),
		Interval: span(v.Route.Interval),
	}
	for _, t := range v.Trials {
		e.Tried = append(e.Tried, explainedTrial{Route: t.Route.Name, Action: string(t.Route.Action), Wins: t.Wins, Failed: t.Failed})
	}
	if !v.Route.Action.Counts() {
		return e, nil
	}
	plan := v.Route.Plan
	e.Severity, e.Service = string(v.Severity), v.Service
	e.Invite, e.Page, e.Runbook, e.Private, e.Resolve = plan.Invite, plan.Page, plan.Runbook, plan.Private, plan.Resolve
	e.Delay, e.Threshold, e.Within = span(v.Route.Delay), v.Route.Threshold, span(v.Route.Within)
	e.JoinBy, e.FlapWindow = a.JoinBy, span(a.FlapWindow)
	if len(v.Route.JoinBy) > 0 {
		e.JoinBy = v.Route.JoinBy
	}
	if plan.FlapWindow > 0 {
		e.FlapWindow = span(plan.FlapWindow)
	}
	return e, nil
}

// does says in words what an action is.
func does(action incidents.RouteAction) string {
	switch action {
	case incidents.RouteDeclare:
		return "opens an incident in triage"
	case incidents.RouteOffer:
		return "asks in the announce channel whether it is an incident"
	case incidents.RouteAttach:
		return "joins an open incident of its service, and opens none"
	case incidents.RouteHeartbeat:
		return "is a dead man's switch: its silence opens an incident"
	case incidents.RouteIgnore:
		return "is kept and told to nobody"
	default:
		return string(action)
	}
}

// span writes a duration as people do: 30m, not 30m0s. None is empty.
func span(d time.Duration) string {
	if d == 0 {
		return ""
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func (e explained) text() string {
	var b strings.Builder
	for i, t := range e.Tried {
		why := "matches"
		if !t.Wins {
			parts := make([]string, len(t.Failed))
			for j, failed := range t.Failed {
				parts[j] = failed + " does not hold" + e.value(failed)
			}
			why = strings.Join(parts, "; ")
		}
		fmt.Fprintf(&b, "%d. %s → %s: %s\n", i+1, t.Route, t.Action, why)
	}
	fmt.Fprintf(&b, "\nThe alert %s.\n", e.Does)
	for _, line := range [][2]string{
		{"severity", e.Severity},
		{"service", e.Service},
		{"joined by", strings.Join(e.JoinBy, ", ")},
		{"only if still firing after", e.Delay},
		{"only from so many alerts on", e.thresholdText()},
		{"invites", strings.Join(e.Invite, ", ")},
		{"pages", strings.Join(e.Page, ", ")},
		{"runbook", e.Runbook},
		{"private", yes(e.Private)},
		{"resolves by itself", yes(e.Resolve)},
		{"takes later alerts for", e.FlapWindow},
		{"a beat every", e.Interval},
	} {
		if line[1] != "" {
			fmt.Fprintf(&b, "  %s: %s\n", line[0], line[1])
		}
	}
	return b.String()
}

// value tells what the label of a matcher is instead.
func (e explained) value(matcher string) string {
	for _, name := range slices.Sorted(maps.Keys(e.Labels)) {
		if rest, ok := strings.CutPrefix(matcher, name); ok && strings.ContainsAny(rest[:1], "=!") {
			return fmt.Sprintf(" (it is %q)", e.Labels[name])
		}
	}
	return " (there is no such label)"
}

func (e explained) thresholdText() string {
	switch {
	case e.Threshold < 2:
		return ""
	case e.Within == "":
		return strconv.Itoa(e.Threshold)
	default:
		return fmt.Sprintf("%d within %s", e.Threshold, e.Within)
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
