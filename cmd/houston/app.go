package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/bot/bridge"
	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/bot/web"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/queue"
	"github.com/houston-sre/houston/incidents/sqlstore"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
	"github.com/houston-sre/houston/templates"
)

// app is Houston's inside, wired: the truth, its store and queue, and what
// makes effects. The edges that listen are put in front of it by serve.
type app struct {
	config      Config
	clock       incidents.Clock
	log         *slog.Logger
	store       *sqlstore.Store
	queue       *queue.Queue
	service     *incidents.Service
	postmortems *postmortem.Service
	metrics     *web.Metrics
	zone        *time.Location // for what people read
	text        *templates.Catalogue
	client      *slack.Client
	files       *bot.Files
	charts      slack.Charts      // nil: there is no Prometheus
	own         *export.Templates // the user's own forms of documents
	people      *slack.Directory
	runner      *bot.Runner
	slack       *slack.Outbound
	here        string // Houston's address for this machine alone; empty: it listens elsewhere
}

// newApp opens the database, brings it to this version and wires. Nothing runs
// yet. The caller closes it.
func newApp(ctx context.Context, config Config, clock incidents.Clock, log *slog.Logger) (*app, error) {
	zone, err := time.LoadLocation(config.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("load time_zone: %w", err)
	}
	text, err := templates.Load(config.Language)
	if err != nil {
		return nil, fmt.Errorf("load the texts: %w", err)
	}
	own, err := config.Postmortem.own()
	if err != nil {
		return nil, err
	}
	a := &app{config: config, clock: clock, log: log, zone: zone, text: text, own: own, metrics: web.NewMetrics()}
	if err := a.openDatabase(ctx); err != nil {
		return nil, err
	}
	routes, err := config.Alerts.routes()
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	nudges, err := a.nudges()
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	runbooks, err := config.runbooks()
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	a.files = bot.NewFiles(config.DataDir)
	a.metrics.EffectsOwed(a.store.OwedEffects)
	a.service = incidents.NewService(incidents.Config{
		Store: a.store, Clock: a.clock, Bridge: config.Bridge.link(), Routes: routes,
		JoinBy: config.Alerts.JoinBy, FlapWindow: config.Alerts.FlapWindow, StaleAfter: config.Alerts.StaleAfter,
		MaxDeclaredPerMinute: config.Alerts.MaxDeclaredPerMinute,
		Announce:             config.Slack.Announce != "", Invite: config.Slack.Invite,
		PageTargets:   config.Pager.targets(),
		Alertmanagers: config.alertmanagerNames(),
		Nudges:        nudges, Homes: true, Runbooks: runbooks, Permissions: config.permissions(), PostmortemFor: config.Postmortem.severities(), ArchiveAfter: config.Slack.ArchiveAfter,
	})
	a.postmortems = newPostmortems(config, a.service, a.store, a.clock, zone, text)
	held, err := a.wireAlertmanagers()
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	if err := a.wireCharts(); err != nil {
		return nil, errors.Join(err, a.close())
	}
	a.wireSlack(held)
	a.wireQueue()
	return a, nil
}

// openDatabase opens the store and the queue on it, and migrates both.
func (a *app) openDatabase(ctx context.Context) error {
	store, err := sqlstore.Open(ctx, sqlstore.Config{URL: string(a.config.Database), Clock: a.clock, Log: a.log})
	if err != nil {
		return err
	}
	a.store = store
	a.queue, err = queue.New(queue.Config{DB: store.DB(), Pool: store.Pool(), Clock: a.clock, Log: a.log})
	if err != nil {
		return errors.Join(err, a.close())
	}
	store.SetEnqueue(a.queue.Enqueue)
	if err := store.Migrate(ctx); err != nil {
		return errors.Join(err, a.close())
	}
	if err := a.queue.Migrate(ctx); err != nil {
		return errors.Join(err, a.close())
	}
	return nil
}

func (a *app) wireSlack(held map[incidents.EffectKind]bot.Maker) {
	a.client = slack.NewClient(slack.ClientConfig{
		Token: string(a.config.Slack.BotToken), AppToken: string(a.config.Slack.AppToken),
		APIURL: a.config.Slack.APIURL, Clock: a.clock, Minute: a.config.SlackMinute,
		Observe: func(method string, outcome slack.CallOutcome, waited time.Duration) {
			a.metrics.SlackCalled(method, string(outcome), waited)
		},
	})
	a.people = slack.NewDirectory(slack.DirectoryConfig{
		Client: a.client, Store: a.store, Log: a.log, Zone: a.zone,
		Groups: slices.Concat(append(a.config.permissions().Lists(), a.config.Postmortem.groups())...),
	})
	a.slack = slack.NewOutbound(slack.OutboundConfig{
		Client: a.client, Store: a.store, Text: a.text, Announce: a.config.Slack.Announce, Silencing: len(a.config.Alertmanagers) > 0,
		Command: a.config.Slack.Command, Name: a.people.Name, Language: a.people.Language, PublicURL: a.config.PublicURL, Document: a.document,
		Digest:   slack.DigestConfig{Channel: a.config.Postmortem.DigestChannel, Actions: a.store.ActionItems},
		OpenFile: a.files.Open, Now: a.clock.Now,
	})
	a.runner = bot.NewRunner(bot.Config{
		Service: a.service, Clock: a.clock, Makers: a.wirePager(makers(a.makers(), held)), Log: a.log,
		Usable: a.metrics.ChannelUsable, Mend: a.slack.Mend,
	})
}

// makers gives the makers of all effects.
func (a *app) makers() map[incidents.EffectKind]bot.Maker {
	makers := a.slack.Makers()
	makers[incidents.MakeErase] = bot.Eraser{Store: a.store, Files: a.files}
	makers[incidents.MakeFetch] = slack.NewFetcher(slack.FetcherConfig{
		Client: a.client, Files: a.files, Token: string(a.config.Slack.BotToken), APIURL: a.config.Slack.APIURL,
	})
	return makers
}

func (a *app) wireQueue() {
	queue.Handle(a.queue, func(ctx context.Context, job incidents.OpenChannel) error {
		return a.runner.OpenChannel(ctx, job.Incident)
	})
	queue.Handle(a.queue, a.runner.RunEffect)
	queue.Handle(a.queue, func(ctx context.Context, job incidents.RepairIncident) error {
		return a.runner.Repair(ctx, job.Incident)
	})
	a.queue.Periodic("sweep owed effects", bot.SweepEvery, a.runner.Sweep)
	a.queue.Periodic("put changes into timelines", linkChangesEvery, a.service.LinkChanges)
	a.queue.Periodic("look at alerts that wait", recheckEvery, a.service.RecheckDue)
	a.queue.Periodic("forget old keys", forgetEvery, func(ctx context.Context) error {
		return a.store.Forget(ctx, a.clock.Now().Add(-forgetAfter))
	})
}

func (a *app) close() error {
	if a.store == nil {
		return nil
	}
	if err := a.store.Close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}

// link gives the video call's link of an incident, nil for none.
func (b BridgeConfig) link() func(number int64) string {
	switch b.Provider {
	case "jitsi":
		return bridge.Jitsi(b.Jitsi.URL)
	case "link":
		return bridge.Link(b.Link.URL)
	default:
		return nil
	}
}
