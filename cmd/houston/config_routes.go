package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/alertmanager/matcher/parse"
	"github.com/prometheus/alertmanager/pkg/labels"
)

// RouteConfig says what a group of alerts does; the first route whose matchers
// all match decides.
type RouteConfig struct {
	Name     string   `mapstructure:"name"`     // for people; empty: the matchers
	Matchers []string `mapstructure:"matchers"` // Alertmanager's syntax: severity=~"critical|page"
	Action   string   `mapstructure:"action"`   // declare, offer, attach, heartbeat or ignore
	// Severity of the incident: sev1 to sev4, or a template over the alert such as
	// {{ .Labels.severity }}; empty is the default. SeverityMap says what the
	// template's words mean.
	Severity    string            `mapstructure:"severity"`
	SeverityMap map[string]string `mapstructure:"severity_map"`
	Service     string            `mapstructure:"service"` // a name, or a template

	Invite     []string      `mapstructure:"invite"` // users and user groups, by id
	Page       []string      `mapstructure:"page"`
	Runbook    string        `mapstructure:"runbook"`
	Private    bool          `mapstructure:"private"`
	JoinBy     []string      `mapstructure:"join_by"`
	FlapWindow time.Duration `mapstructure:"flap_window"`
	Delay      time.Duration `mapstructure:"delay"`            // only if still firing after this
	Threshold  int           `mapstructure:"threshold"`        // only when so many of a group fire at once
	Within     time.Duration `mapstructure:"threshold_within"` // and began within this
	Resolve    bool          `mapstructure:"resolve"`          // all alerts resolved resolves the incident
	Interval   time.Duration `mapstructure:"interval"`         // of a heartbeat; 0: learned
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
	r.validateTexts(c, key)
	for i, id := range r.Invite {
		if !slackID.MatchString(id) {
			c.add(fmt.Sprintf("%s.invite[%d]", key, i),
				"%q is no Slack id; write a user's (U…) or a user group's (S…), from its profile in Slack", id)
		}
	}
	if r.Runbook != "" {
		c.url(key+".runbook", r.Runbook)
	}
	r.validatePrivate(c, key)
	for name, d := range map[string]time.Duration{
		"flap_window": r.FlapWindow, "delay": r.Delay, "threshold_within": r.Within, "interval": r.Interval,
	} {
		if d < 0 {
			c.add(key+"."+name, "%s is negative; write a duration such as 5m", d)
		}
	}
	if r.Threshold < 0 {
		c.add(key+".threshold", "%d is negative; write how many alerts must fire at once, such as 3", r.Threshold)
	}
	if r.Within > 0 && r.Threshold < 2 {
		c.add(key+".threshold_within", "says nothing without a threshold of 2 or more; write threshold, or remove it")
	}
}

func (r RouteConfig) validateTexts(c *complaints, key string) {
	if strings.Contains(r.Severity, "{{") {
		if _, err := routeTemplate(r.Severity); err != nil {
			c.add(key+".severity", `%w; write a template such as {{ .Labels.severity }}`, err)
		}
	} else if r.Severity != "" {
		c.severity(key+".severity", r.Severity)
	}
	for word, severity := range r.SeverityMap {
		c.severity(key+".severity_map."+word, severity)
	}
	if _, err := routeTemplate(r.Service); err != nil {
		c.add(key+".service", `%w; write a name, or a template such as {{ .Labels.service }}`, err)
	}
}

// validatePrivate: what is private is seen by nobody but those in its channel.
func (r RouteConfig) validatePrivate(c *complaints, key string) {
	switch {
	case !r.Private:
	case r.Action != "declare":
		c.add(key+".private", `a private route can only declare: an offer stands in the announce channel for all to read; write action: declare, or remove it`)
	case len(r.Invite) == 0:
		c.add(key+".private", "nobody would be in the channel; write under invite who is to see it")
	}
}
