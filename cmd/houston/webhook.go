package main

import (
	"time"

	"github.com/houston-sre/houston/bot/webhook"
)

// linkChangesEvery is how soon a change stands in the timeline of the incident
// beside which it happened.
const linkChangesEvery = 3 * time.Second

// GenericConfig says what the bodies of one source of /webhooks/generic mean; see
// [webhook.Mapping]. Names of fields and labels are in lower case.
type GenericConfig struct {
	Source string            `mapstructure:"source"` // NAME of ?source=NAME
	Kind   string            `mapstructure:"kind"`   // alert or change
	List   string            `mapstructure:"list"`   // path of the list of items; empty: the body is the item
	Fields map[string]string `mapstructure:"fields"`
	Labels map[string]string `mapstructure:"labels"`
}

func (g GenericConfig) mapping() webhook.Mapping {
	return webhook.Mapping{Kind: g.Kind, List: g.List, Fields: g.Fields, Labels: g.Labels}
}

func (w WebhookConfig) mappings() map[string]webhook.Mapping {
	all := map[string]webhook.Mapping{}
	for _, g := range w.Generic {
		all[g.Source] = g.mapping()
	}
	return all
}

// secrets gives what each kind of sender proves itself with beside the token.
func (w WebhookConfig) secrets() map[string]string {
	return map[string]string{
		"grafana": string(w.GrafanaSecret), "pagerduty": string(w.PagerDutySecret), "zendesk": string(w.ZendeskSecret),
		"github": string(w.GitHubSecret), "gitlab": string(w.GitLabSecret), "argocd": string(w.ArgoCDSecret),
		"flux": string(w.FluxSecret), "cdevents": string(w.CDEventsSecret), "generic": string(w.GenericSecret),
	}
}
