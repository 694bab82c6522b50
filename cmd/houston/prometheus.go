package main

import (
	"context"
	"fmt"

	"github.com/houston-sre/houston/bot/slack/setup"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem/evidence"
	"github.com/houston-sre/houston/templates"
)

// prometheus makes the clients of what is configured to be asked for metrics.
func (c Config) prometheus() ([]*evidence.Client, error) {
	clients := make([]*evidence.Client, 0, len(c.Prometheus))
	for i, e := range c.Prometheus {
		secure, err := e.TLS.config()
		if err != nil {
			return nil, fmt.Errorf("prometheus[%d]: %w", i, err)
		}
		client, err := evidence.New(evidence.Config{
			Name: e.name(), URL: e.URL, Headers: e.headers(), TLS: secure, BearerToken: string(e.BearerToken),
			Username: e.BasicAuth.Username, Password: string(e.BasicAuth.Password),
		})
		if err != nil {
			return nil, fmt.Errorf("prometheus[%d]: %w", i, err)
		}
		clients = append(clients, client)
	}
	return clients, nil
}

// wireCharts has charts drawn where there is a Prometheus to ask.
func (a *app) wireCharts() error {
	clients, err := a.config.prometheus()
	if err != nil || len(clients) == 0 {
		return err
	}
	texts := a.text.Plain()
	a.charts = evidence.NewCharts(evidence.ChartsConfig{
		Clients: clients, Clock: a.clock, Zone: a.zone, Save: a.files.Save,
		Moment: func(key incidents.KeyTime) string { return moment(texts, key) },
		More:   func(count int) string { return texts.Text("chart_more", "count", count) },
	})
	return nil
}

// moment is what a key time is called in a chart; empty: it is not shown.
func moment(texts *templates.Catalogue, key incidents.KeyTime) string {
	switch key {
	case incidents.ImpactStart:
		return texts.Text("time_impact_start")
	case incidents.Detected:
		return texts.Text("time_detected")
	case incidents.DeclaredAt:
		return texts.Text("time_declared")
	case incidents.MitigatedAt:
		return texts.Text("time_mitigated")
	case incidents.ResolvedAt:
		return texts.Text("time_resolved")
	default:
		return ""
	}
}

// examinePrometheus asks each configured Prometheus.
func (c Config) examinePrometheus(ctx context.Context) []finding {
	clients, err := c.prometheus()
	if err != nil {
		return []finding{{Check: "prometheus", Status: setup.Failing, Message: oneLine(err), Fix: "correct the files that prometheus names"}}
	}
	if len(clients) == 0 {
		return []finding{{Check: "prometheus", Status: setup.Fine, Message: "none is configured: no charts can be drawn"}}
	}
	findings := make([]finding, 0, len(clients))
	for _, client := range clients {
		if err := client.Check(ctx); err != nil {
			findings = append(findings, finding{
				Check: "prometheus " + client.Name(), Status: setup.Failing, Message: oneLine(err),
				Fix: "look at its url, basic_auth, bearer_token, headers and tls under prometheus, and whether it runs",
			})
			continue
		}
		findings = append(findings, finding{Check: "prometheus " + client.Name(), Status: setup.Fine, Message: "answers"})
	}
	return findings
}
