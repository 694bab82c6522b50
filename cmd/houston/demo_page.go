package main

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"sync"

	"github.com/houston-sre/houston/bot/sandbox"
)

// demoPage serves the demo's page until ctx ends.
func (c *cli) demoPage(ctx context.Context, listen string) (err error) {
	var p *player
	d, served, err := newDemoHouse(ctx, demoPlan{listen: listen, log: c.stderr, page: func(d *demo) http.Handler {
		p = newPlayer(d.story)
		page := d.slack.Page(p.page(d))
		p.refresh = page.Refresh
		return page
	}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stop(), served.Close()) }()
	var playing sync.WaitGroup
	defer playing.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	playing.Go(func() { p.run(ctx) })
	if _, err := fmt.Fprintf(c.stdout, "Houston's pages are at %s\n", d.url); err != nil {
		return fmt.Errorf("print the address: %w", err)
	}
	return c.untilTheEnd(ctx, served.URL, "Houston's demo is at %s  (Ctrl-C ends it and leaves nothing behind)\n")
}

// untilTheEnd says where a page is and waits until ctx ends.
func (c *cli) untilTheEnd(ctx context.Context, url, line string) error {
	if _, err := fmt.Fprintf(c.stdout, line, url); err != nil {
		return fmt.Errorf("print the address: %w", err)
	}
	if c.listening != nil {
		c.listening(url)
	}
	<-ctx.Done()
	return nil
}

// page is what the player's page shows and offers.
func (p *player) page(d *demo) sandbox.PageConfig {
	host := http.NewServeMux()
	host.Handle("/host/{act}", p)
	return sandbox.PageConfig{
		Title: "Houston", DefaultUser: dana, DefaultChannel: demoChannel,
		Reactions: []string{"pushpin", "white_check_mark", "eyes"},
		Commands:  demoCommands(), Shortcuts: demoShortcuts(), Host: host,
		Bar: func(language string) template.HTML { return p.bar(language, d.url) },
	}
}

// demoSandbox serves the stand-in for Slack alone, for any app.
func (c *cli) demoSandbox(ctx context.Context, listen string) error {
	w := newWorld(&storyClock{})
	served, err := sandbox.ServePage(w, listen, w.Page(sandbox.PageConfig{Title: "Sandbox", DefaultUser: dana}))
	if err != nil {
		return fmt.Errorf("listen on %s: %w; choose another address with --listen", listen, err)
	}
	_, err = fmt.Fprintf(c.stdout, "A stand-in for Slack. Point your app at it:\n  API            %s\n  bot token      %s\n  app token      %s  (Socket Mode)\n  signing secret %s\n",
		served.APIURL(), w.BotToken(), w.AppToken(), w.SigningSecret())
	if err != nil {
		return errors.Join(fmt.Errorf("print the tokens: %w", err), served.Close())
	}
	return errors.Join(c.untilTheEnd(ctx, served.URL, "Its page is at %s\n"), served.Close())
}

// demoCommands are what the page completes after /incident.
func demoCommands() []sandbox.CommandHint {
	option := func(name, usage, does string) sandbox.CommandOption {
		return sandbox.CommandOption{Name: name, Usage: usage, Description: does}
	}
	return []sandbox.CommandHint{{
		Name: "/incident", Usage: "[title]", Description: "Declare an incident, or work on one",
		Options: []sandbox.CommandOption{
			option("declare", "<title> [--severity sev2] [--private]", "open an incident at once"),
			option("status", "<status> [text]", "move it on"),
			option("severity", "<sev>", "re-rate it"),
			option("update", "<text>", "tell everybody who follows"),
			option("lead", "[@user]", "take or give the lead"),
			option("timeline", "<text> [at HH:MM]", "a line in the timeline"),
			option("mitigated", "[5m ago]", "users are well again"),
			option("resolve", "[text]", "it is over"),
			option("reopen", "[text]", "it is not"),
			option("action", "<text> [@user] [due YYYY-MM-DD]", "what has to change"),
			option("statuspage", "<state> <text>", "tell the public"),
			option("catchup", "", "what has happened so far"),
			option("export", "[md|json]", "the postmortem as a file"),
			option("list", "", "open incidents"),
			option("help", "", "all commands"),
		},
	}}
}

// demoShortcuts are those of Houston's manifest.
func demoShortcuts() []sandbox.ShortcutHint {
	return []sandbox.ShortcutHint{
		{CallbackID: "declare", Name: "Declare an incident"},
		{CallbackID: "declare_from_message", Name: "Declare an incident", Message: true},
		{CallbackID: "add_to_timeline", Name: "Add to the timeline", Message: true},
	}
}
