package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
)

// stepFor bounds how long one step of the story may take.
const stepFor = 20 * time.Second

// newDemo is "houston demo": everything embedded, with a story to look at.
func (c *cli) newDemo() *cobra.Command {
	var listen, once string
	var sandboxOnly bool
	command := &cobra.Command{
		Use:   "demo",
		Short: "Show Houston with nothing but this program",
		Long: "Show Houston with nothing but this program: SQLite in a temporary folder, a stand-in for Slack with\n" +
			"a page for the browser, Jitsi links, the built-in status page. It plays a story, and then it is yours.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case sandboxOnly && once != "":
				return errors.New("--sandbox-only plays no story; leave --once out")
			case sandboxOnly:
				return c.demoSandbox(cmd.Context(), listen)
			case once != "":
				return c.demoOnce(cmd.Context(), once)
			default:
				return c.demoPage(cmd.Context(), listen)
			}
		},
	}
	command.Flags().StringVar(&listen, "listen", "127.0.0.1:8080", "address of the page")
	command.Flags().StringVar(&once, "once", "", "play the story without waiting, print the timeline and write the postmortem to `DIR`")
	command.Flags().BoolVar(&sandboxOnly, "sandbox-only", false, "only the stand-in for Slack, for an app of your own")
	return command
}

// demo is a Houston in front of a stand-in for Slack, with a story to play.
type demo struct {
	clock  *storyClock
	slack  *sandbox.Workspace
	story  *story
	app    *app
	url    string // Houston's own address
	folder string
	stop   func() error
}

// demoPlan says how a demo is built.
type demoPlan struct {
	listen string // of the stand-in and the page
	log    io.Writer
	page   func(d *demo) http.Handler // nil: none
}

// newDemoHouse starts everything.
func newDemoHouse(ctx context.Context, plan demoPlan) (*demo, *sandbox.Server, error) {
	folder, err := os.MkdirTemp("", "houston-demo-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a folder for the demo: %w", err)
	}
	d := &demo{clock: &storyClock{}, folder: folder}
	d.story = &story{clock: d.clock}
	d.clock.behind = d.story.length()
	d.slack = newWorld(d.clock)
	d.story.slack = d.slack
	page := http.NotFoundHandler()
	if plan.page != nil {
		page = plan.page(d)
	}
	served, err := sandbox.ServePage(d.slack, plan.listen, page)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("listen on %s: %w; choose another address with --listen", plan.listen, err), os.RemoveAll(folder))
	}
	if err := d.start(ctx, d.config(served.APIURL()), slog.New(slog.NewTextHandler(plan.log, &slog.HandlerOptions{Level: slog.LevelWarn}))); err != nil {
		return nil, nil, errors.Join(err, served.Close(), os.RemoveAll(folder))
	}
	return d, served, nil
}

// config is that of the demo's Houston: all that is embedded.
func (d *demo) config(api string) Config {
	config := defaultConfig()
	config.Listen, config.LameDuck = "127.0.0.1:0", 0
	config.Database = Secret("sqlite:" + filepath.Join(d.folder, "houston.db"))
	config.TimeZone = "Europe/Berlin"
	config.Slack.BotToken, config.Slack.SigningSecret = Secret(d.slack.BotToken()), Secret(d.slack.SigningSecret())
	config.Slack.APIURL, config.Slack.Announce = api, demoChannel
	config.Web.Auth = "none"
	config.StatusPage.Provider = []string{"builtin"}
	return config
}

// start runs Houston beside the stand-in until stop.
func (d *demo) start(ctx context.Context, config Config, log *slog.Logger) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", config.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	d.url = "http://" + listener.Addr().String()
	config.PublicURL = d.url
	a, err := newApp(ctx, config, d.clock, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	s, err := newServer(a)
	if err != nil {
		return errors.Join(err, listener.Close(), a.close())
	}
	alive, kill := context.WithCancel(context.WithoutCancel(ctx))
	failed := make(chan error, 3)
	if err := s.start(alive, listener, failed); err != nil {
		kill()
		return errors.Join(err, listener.Close(), a.close())
	}
	d.app = a
	d.stop = func() error {
		err := s.stop(alive)
		kill()
		a.people.Wait()
		s.joining.Wait()
		return errors.Join(err, a.close(), os.RemoveAll(d.folder))
	}
	d.slack.SetURLs(d.url+"/slack/commands", d.url+"/slack/interactivity", d.url+"/slack/events")
	select {
	case <-a.people.Ready():
	case <-ctx.Done():
	}
	return nil
}

// demoOnce plays the story without waiting and leaves the postmortem in a folder.
func (c *cli) demoOnce(ctx context.Context, folder string) (err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // a folder for others to read, too
		return fmt.Errorf("make the folder for the postmortem: %w", err)
	}
	d, served, err := newDemoHouse(ctx, demoPlan{listen: "127.0.0.1:0", log: c.stderr})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stop(), served.Close()) }()
	for _, next := range d.story.steps() {
		playing, cancel := context.WithTimeout(ctx, stepFor)
		err := d.story.play(playing, next)
		cancel()
		if err != nil {
			return err
		}
		if err := d.settled(ctx); err != nil {
			return err
		}
	}
	return d.leave(ctx, c.stdout, folder)
}

// settled waits until everything that is owed outside has been made, so that the
// next step finds it.
func (d *demo) settled(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stepFor)
	defer cancel()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		effects, err := d.app.store.Effects(ctx, 1)
		waiting := slices.ContainsFunc(effects, func(e incidents.Effect) bool {
			return e.State() == incidents.Owed && !e.Made()
		})
		if err == nil && !waiting || incidents.KindOf(err) == incidents.NotFound {
			return nil // all is made, or there is no incident yet
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait until Houston has done what follows: %w", ctx.Err())
		case <-look.C:
		}
	}
}

// leave prints the timeline and writes the postmortem.
func (d *demo) leave(ctx context.Context, out io.Writer, folder string) error {
	name, raw, err := d.app.document(ctx, 1, "md")
	if err != nil {
		return err
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, raw, 0o644); err != nil { //nolint:gosec // a document to hand on
		return fmt.Errorf("write the postmortem: %w", err)
	}
	events, err := d.app.store.Events(ctx, 1)
	if err != nil {
		return fmt.Errorf("load the timeline: %w", err)
	}
	for _, entry := range incidents.Timeline(events) {
		if _, err := fmt.Fprintf(out, "%s  %-13s %-17s %s\n", entry.At.In(d.app.zone).Format("15:04"), entry.Kind, entry.Actor.Name, entry.Text); err != nil {
			return fmt.Errorf("print the timeline: %w", err)
		}
	}
	_, err = fmt.Fprintf(out, "\nThe postmortem is in %s\n", path)
	return err
}
