package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/bot/pager"
	"github.com/houston-sre/houston/incidents"
)

// followPagesEvery is how often a pager that tells nothing by itself is asked.
const followPagesEvery = 10 * time.Second

// PagerDutyConfig is a PagerDuty account: RoutingKey is the Events API v2 key of
// the target "default", Targets those of others by the names people page.
type PagerDutyConfig struct {
	URL        string            `mapstructure:"url"`
	RoutingKey Secret            `mapstructure:"routing_key"`
	Targets    map[string]Secret `mapstructure:"targets"`
}

// OpsgenieConfig is an API integration of Jira Service Management or Opsgenie.
// Teams are who can be paged beside "default".
type OpsgenieConfig struct {
	URL    string   `mapstructure:"url"`
	APIKey Secret   `mapstructure:"api_key"`
	Teams  []string `mapstructure:"teams"`
}

// GoAlertConfig is a GoAlert: Token is the integration key of the target
// "default", Targets those of others.
type GoAlertConfig struct {
	URL     string            `mapstructure:"url"`
	Token   Secret            `mapstructure:"token"`
	Targets map[string]Secret `mapstructure:"targets"`
}

func defaultPager() PagerConfig {
	return PagerConfig{
		Provider: "none", PagerDuty: PagerDutyConfig{URL: "https://events.pagerduty.com"},
		Opsgenie: OpsgenieConfig{URL: "https://api.atlassian.com/jsm/ops/integration"},
	}
}

// keysOf gives keys by target in lower case, that of "default" among them.
func keysOf(standard Secret, others map[string]Secret) map[string]string {
	keys := map[string]string{}
	if standard != "" {
		keys["default"] = string(standard)
	}
	for name, key := range others {
		keys[strings.ToLower(name)] = string(key)
	}
	return keys
}

// targets lists whom the configured pager can wake.
func (p PagerConfig) targets() []string {
	switch p.Provider {
	case "pagerduty":
		return slices.Sorted(maps.Keys(keysOf(p.PagerDuty.RoutingKey, p.PagerDuty.Targets)))
	case "opsgenie":
		targets := []string{"default"}
		for _, team := range p.Opsgenie.Teams {
			targets = append(targets, strings.ToLower(team))
		}
		return targets
	case "goalert":
		return slices.Sorted(maps.Keys(keysOf(p.GoAlert.Token, p.GoAlert.Targets)))
	default:
		return nil
	}
}

func (p PagerConfig) validate(all *complaints) {
	all.choice("pager.provider", p.Provider, choices{built: []string{"none", "pagerduty", "opsgenie", "goalert"}})
	missing := ""
	switch p.Provider {
	case "pagerduty":
		all.url("pager.pagerduty.url", p.PagerDuty.URL)
		missing = "pager.pagerduty.routing_key"
	case "opsgenie":
		all.url("pager.opsgenie.url", p.Opsgenie.URL)
		if p.Opsgenie.APIKey == "" {
			all.add("pager.opsgenie.api_key", "is empty; write the key of an API integration")
		}
	case "goalert":
		all.url("pager.goalert.url", p.GoAlert.URL)
		missing = "pager.goalert.token"
	}
	if missing != "" && len(p.targets()) == 0 {
		all.add("pager", "%q has nobody to wake; write %s", p.Provider, missing)
	}
}

// knows complains about routes that page whom the pager does not know.
func (p PagerConfig) knows(all *complaints, routes []RouteConfig) {
	targets := p.targets()
	for i, route := range routes {
		for _, target := range route.Page {
			if !slices.Contains(targets, strings.ToLower(target)) {
				all.add(fmt.Sprintf("alerts.routes[%d].page", i), "the pager has no target %q; add it under pager, or write one of those that are there (%s)",
					target, cmp.Or(strings.Join(targets, ", "), "none"))
			}
		}
	}
}

// wirePager has pages made, and asks how they stand where the pager does not
// tell.
func (a *app) wirePager(makers map[incidents.EffectKind]bot.Maker) map[incidents.EffectKind]bot.Maker {
	p := a.config.Pager
	var provider pager.Provider
	switch p.Provider {
	case "pagerduty":
		provider = pager.NewPagerDuty(p.PagerDuty.URL, keysOf(p.PagerDuty.RoutingKey, p.PagerDuty.Targets))
	case "opsgenie":
		opsgenie := pager.NewOpsgenie(p.Opsgenie.URL, string(p.Opsgenie.APIKey), p.Opsgenie.Teams)
		a.queue.Periodic("follow pages", followPagesEvery, func(ctx context.Context) error {
			return a.service.FollowPages(ctx, opsgenie.Standing)
		})
		provider = opsgenie
	case "goalert":
		provider = pager.NewGoAlert(p.GoAlert.URL, keysOf(p.GoAlert.Token, p.GoAlert.Targets))
	default:
		return makers
	}
	makers[incidents.MakePage] = pager.Maker{Provider: provider, Link: a.config.incidentLink}
	return makers
}

// incidentLink is the address of an incident's page, empty without public_url.
func (c Config) incidentLink(number int64) string {
	if c.PublicURL == "" {
		return ""
	}
	return strings.TrimSuffix(c.PublicURL, "/") + "/incidents/" + incidents.Key(number)
}
