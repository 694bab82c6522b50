package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/bot/web"
	"github.com/houston-sre/houston/bot/web/pages"
	"github.com/houston-sre/houston/bot/webhook"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/queue"
)

// How long things are kept and waited for.
const (
	forgetEvery = time.Hour
	forgetAfter = 7 * 24 * time.Hour
	// askEvery is how soon a question is asked once it is due.
	askEvery = 2 * time.Second
	// recheckEvery is how late a delayed alert or a silent heart is noticed at most.
	recheckEvery = 2 * time.Second
	// stopFor bounds each step of a graceful stop; what is not done then is
	// cancelled, and taken up again by the next process.
	stopFor = 10 * time.Second
)

// newServe is "houston serve": everything, until it is told to stop.
func (c *cli) newServe() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Run Houston",
		Long: "Run Houston: bring the database to this version, then serve Slack, the webhooks and the API\n" +
			"until SIGTERM or SIGINT.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, err := c.config()
			if err != nil {
				return err
			}
			if err := config.servable(); err != nil {
				return err
			}
			return c.serve(cmd.Context(), config, c.time())
		},
	}
}

// servable says what serve needs beyond a valid configuration.
func (c Config) servable() error {
	switch {
	case c.Slack.BotToken == "":
		return errors.New(`slack.bot_token: is empty; write the token that begins with xoxb-, from the app's page "OAuth & Permissions"`)
	case c.Slack.AppToken == "" && c.Slack.SigningSecret == "":
		return errors.New("slack: write app_token for Socket Mode, or signing_secret for HTTP, or both; without one of them no command arrives")
	default:
		return nil
	}
}

// server is a running Houston.
type server struct {
	app    *app
	edge   *slack.Edge
	health *web.Health
	pages  *pages.Pages
	http   *http.Server
	public *http.Server // the status page's own listener; nil without one
	// joining is the search for the announce channel.
	joining sync.WaitGroup
	socket  func() // stops Socket Mode and waits for what it has begun
}

// time is the clock that Houston goes by.
func (c *cli) time() incidents.Clock {
	if c.clock != nil {
		return c.clock
	}
	return incidents.SystemClock{}
}

// serve runs Houston until ctx ends, then stops it gracefully.
func (c *cli) serve(ctx context.Context, config Config, clock incidents.Clock) (err error) {
	log := slog.New(slog.NewTextHandler(c.stderr, nil))
	sole, err := config.claim()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sole.Close()) }()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", config.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	config.SlackMinute = c.slackMinute
	a, err := newApp(ctx, config, clock, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, a.close()) }()
	a.queue.Periodic("ask what is due", askEvery, a.service.AskDue)
	if config.Postmortem.DigestChannel != "" {
		a.queue.Periodic("tell of the week's action items", askEvery, a.service.OweDigest)
	}
	a.here = hereOf(listener.Addr().String())
	s, err := newServer(a)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	failed := make(chan error, 3)
	// The lame-duck pause goes on serving after ctx has ended.
	alive, kill := context.WithCancel(context.WithoutCancel(ctx))
	defer func() { kill(); a.people.Wait(); s.joining.Wait() }()
	if err := s.start(alive, listener, failed); err != nil {
		return errors.Join(err, listener.Close())
	}
	log.InfoContext(ctx, "houston is ready", "listen", listener.Addr().String())
	if c.listening != nil {
		c.listening(listener.Addr().String())
	}
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	return errors.Join(err, s.stop(alive))
}

func newServer(a *app) (*server, error) {
	s := &server{app: a, health: web.NewHealth(a.store.Ping), socket: func() {}}
	var err error
	if s.pages, err = a.newPages(); err != nil {
		return nil, err
	}
	s.edge = slack.NewEdge(slack.EdgeConfig{
		WebLink: s.pages.Link,
		Service: a.service, Directory: a.people, Clock: a.clock, Text: a.text, Log: a.log,
		SigningSecret: string(a.config.Slack.SigningSecret), Client: a.client, Command: a.config.Slack.Command, Announce: a.slack, PublicURL: a.config.PublicURL,
		Postmortems: a.postmortems, Charts: a.charts,
		Observe: func(_, kind string, d time.Duration) { a.metrics.SlackAnswered(kind, d) },
	})
	queue.Handle(a.queue, s.edge.CaptureMessage)
	queue.Handle(a.queue, s.edge.FollowMessage)
	queue.Handle(a.queue, s.edge.OfferDeclaring)
	queue.Handle(a.queue, s.edge.ShowHome)
	queue.Handle(a.queue, s.edge.RefreshHomes)
	mux := http.NewServeMux()
	s.edge.Mount(mux)
	s.health.Mount(mux)
	a.metrics.Mount(mux)
	webhook.New(webhook.Config{
		Token: string(a.config.Webhook.Token), Secrets: a.config.Webhook.secrets(), Generic: a.config.Webhook.mappings(), Ingester: a.service, Clock: a.clock, Log: a.log,
		Observe: a.metrics.WebhookDelivered,
	}).Mount(mux)
	web.NewAPI(web.Config{
		Service: a.service, Log: a.log, Metrics: a.metrics, Files: a.files,
		Token: string(a.config.Web.Token), Open: a.config.Web.Auth == "none", Clock: a.clock,
		StatusPage:  a.config.statusPageURL(),
		Postmortems: a.postmortems, Render: a.render,
	}).Mount(mux)
	s.pages.Mount(mux)
	if err := s.mountStatusPage(mux); err != nil {
		return nil, err
	}
	s.http = web.NewServer(a.config.Listen, web.Elsewhere(mux, a.log, s.pages.Elsewhere))
	return s, nil
}

// start has everything run; what ends by itself says so on failed.
func (s *server) start(ctx context.Context, listener net.Listener, failed chan<- error) error {
	if err := s.startPublic(ctx, failed); err != nil {
		return err
	}
	if err := s.app.queue.Start(ctx); err != nil {
		return err
	}
	s.app.people.Start(ctx)
	s.joining.Go(func() { s.app.slack.Join(ctx, s.app.log) })
	go func() {
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("serve HTTP: %w", err)
		}
	}()
	if s.app.config.Slack.AppToken == "" {
		return nil
	}
	connected, disconnect := context.WithCancel(ctx)
	done := make(chan struct{})
	s.socket = func() { disconnect(); <-done }
	go func() {
		defer close(done)
		if err := s.edge.RunSocket(connected); err != nil {
			failed <- err
		}
	}()
	return nil
}

// stop ends a server in order: no longer ready, a pause in which it still
// serves while whoever balances the load looks away, the edges, the queue. The
// database is closed last, by the one who opened it.
func (s *server) stop(ctx context.Context) error {
	s.health.Drain()
	s.app.log.InfoContext(ctx, "stopping", "lame_duck", s.app.config.LameDuck)
	if s.app.config.LameDuck > 0 {
		pause := time.NewTimer(s.app.config.LameDuck)
		<-pause.C
	}
	s.pages.Close() // live views would keep Shutdown waiting
	closing, cancel := context.WithTimeout(ctx, stopFor)
	defer cancel()
	err := errors.Join(s.http.Shutdown(closing), s.stopPublic(closing))
	s.socket()
	s.edge.Wait()
	working, cancelWork := context.WithTimeout(ctx, stopFor)
	defer cancelWork()
	return errors.Join(err, s.app.queue.Stop(working))
}
