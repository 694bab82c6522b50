package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/bot/alertmanager"
	"github.com/houston-sre/houston/bot/slack/setup"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/queue"
)

// watchEvery is the distance of two looks at the Alertmanagers at most.
const watchEvery = time.Minute

// alertmanagers makes the clients of the configured Alertmanagers.
func (c Config) alertmanagers() ([]*alertmanager.Client, error) {
	clients := make([]*alertmanager.Client, 0, len(c.Alertmanagers))
	for i, e := range c.Alertmanagers {
		secure, err := e.TLS.config()
		if err != nil {
			return nil, fmt.Errorf("alertmanagers[%d]: %w", i, err)
		}
		client, err := alertmanager.New(alertmanager.Config{
			Name: e.name(), URL: e.URL, Headers: e.headers(), TLS: secure, BearerToken: string(e.BearerToken),
			Username: e.BasicAuth.Username, Password: string(e.BasicAuth.Password),
		})
		if err != nil {
			return nil, fmt.Errorf("alertmanagers[%d]: %w", i, err)
		}
		clients = append(clients, client)
	}
	return clients, nil
}

// headers are sent with each call.
func (e EndpointConfig) headers() map[string]string {
	headers := map[string]string{}
	for name, value := range e.Headers {
		headers[name] = string(value)
	}
	return headers
}

// name is the source of the alerts that come from it.
func (e EndpointConfig) name() string {
	if e.Name == "" {
		return "default"
	}
	return e.Name
}

func (c Config) alertmanagerNames() []string {
	names := make([]string, 0, len(c.Alertmanagers))
	for _, e := range c.Alertmanagers {
		names = append(names, e.name())
	}
	return names
}

// wireAlertmanagers has silences made and the Alertmanagers watched, and gives
// the makers of what they hold.
func (a *app) wireAlertmanagers() (map[incidents.EffectKind]bot.Maker, error) {
	clients, err := a.config.alertmanagers()
	if err != nil {
		return nil, err
	}
	set := alertmanager.NewSet(a.clock, clients...)
	queue.Handle(a.queue, a.service.KeepSilence)
	reconciler := alertmanager.NewReconciler(set, a.service)
	queue.Handle(a.queue, reconciler.Ask)
	a.queue.Periodic("ask for alerts that were left out", watchEvery, reconciler.Sweep)
	if a.config.Alerts.StaleAfter > 0 {
		a.queue.Periodic("end alerts that are sent no more", min(watchEvery, a.config.Alerts.StaleAfter/4), a.service.EndLapsed)
	}
	if len(clients) > 0 && a.config.Alerts.StaleAfter > 0 {
		watch := alertmanager.NewWatch(alertmanager.WatchConfig{
			Set: set, Service: a.service, Log: a.log, StaleAfter: a.config.Alerts.StaleAfter,
		})
		a.queue.Periodic("compare alerts with Alertmanager", min(watchEvery, a.config.Alerts.StaleAfter/4), watch.Sweep)
	}
	return map[incidents.EffectKind]bot.Maker{incidents.MakeSilence: set.Maker()}, nil
}

// makers adds makers to others.
func makers(all ...map[incidents.EffectKind]bot.Maker) map[incidents.EffectKind]bot.Maker {
	together := map[incidents.EffectKind]bot.Maker{}
	for _, some := range all {
		maps.Copy(together, some)
	}
	return together
}

// examineAlertmanagers asks each configured Alertmanager.
func (c Config) examineAlertmanagers(ctx context.Context) []finding {
	clients, err := c.alertmanagers()
	if err != nil {
		return []finding{{Check: "alertmanagers", Status: setup.Failing, Message: oneLine(err), Fix: "correct the files that alertmanagers names"}}
	}
	if len(clients) == 0 {
		return []finding{{Check: "alertmanagers", Status: setup.Fine, Message: "none is configured: nothing can be silenced from Slack, and alerts whose end is never told stay"}}
	}
	findings := make([]finding, 0, len(clients))
	for _, client := range clients {
		version, err := client.Check(ctx)
		if err == nil {
			findings = append(findings, finding{Check: "alertmanager " + client.Name(), Status: setup.Fine, Message: "answers, version " + version})
			continue
		}
		message := oneLine(err)
		if f, ok := errors.AsType[*bot.Failure](err); ok {
			message = f.Reason
		}
		findings = append(findings, finding{
			Check: "alertmanager " + client.Name(), Status: setup.Failing, Message: message,
			Fix: "look at its url, basic_auth, bearer_token and tls under alertmanagers, and whether it runs",
		})
	}
	return findings
}
