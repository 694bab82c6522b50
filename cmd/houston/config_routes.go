package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/alertmanager/matcher/parse"
	"github.com/prometheus/alertmanager/pkg/labels"
)

// RouteConfig says what a group of alerts does; the first route whose matchers
// all match decides.
type RouteConfig struct {
	Matchers []string `mapstructure:"matchers"` // Alertmanager's syntax: severity=~"critical|page"
	Action   string   `mapstructure:"action"`   // declare, offer, attach, heartbeat or ignore
	Severity string   `mapstructure:"severity"` // sev1 to sev4 of the incident; empty is the default
	Service  string   `mapstructure:"service"`

	Invite     []string `mapstructure:"invite"`
	Page       []string `mapstructure:"page"`
	Runbook    string   `mapstructure:"runbook"`
	Private    bool     `mapstructure:"private"`
	JoinBy     []string `mapstructure:"join_by"`
	FlapWindow string   `mapstructure:"flap_window"`
	Delay      string   `mapstructure:"delay"`
	Threshold  int      `mapstructure:"threshold"`
}

// matchers reads the route's matchers with Alertmanager's own parser, so that
// a matcher can be copied from one file to the other.
// https://prometheus.io/docs/alerting/latest/configuration/#matcher
func (r RouteConfig) matchers() (labels.Matchers, error) {
	var all labels.Matchers
	var failures []error
	for _, text := range r.Matchers {
		parsed, err := parse.Matchers(text)
		if err != nil {
			failures = append(failures, fmt.Errorf("matcher %q: %w", text, err))
		}
		all = append(all, parsed...)
	}
	return all, errors.Join(failures...)
}

func (r RouteConfig) validate(c *complaints, key string) {
	if _, err := r.matchers(); err != nil {
		c.add(key+".matchers", `%w; write it as in Alertmanager, such as severity=~"critical|page"`, err)
	}
	actions := []string{"declare", "offer", "attach", "heartbeat", "ignore"}
	if !slices.Contains(actions, r.Action) {
		c.add(key+".action", "%q is no action; write one of %s", r.Action, strings.Join(actions, ", "))
	}
	if r.Severity != "" {
		c.severity(key+".severity", r.Severity)
	}
	for _, later := range []struct {
		key string
		set bool
	}{
		{"invite", len(r.Invite) > 0},
		{"page", len(r.Page) > 0},
		{"runbook", r.Runbook != ""},
		{"private", r.Private},
		{"join_by", len(r.JoinBy) > 0},
		{"flap_window", r.FlapWindow != ""},
		{"delay", r.Delay != ""},
		{"threshold", r.Threshold != 0},
	} {
		c.later(key+"."+later.key, later.set)
	}
}
