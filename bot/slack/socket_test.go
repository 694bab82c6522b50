package slack_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

func TestSocketOutlivesDisconnects(t *testing.T) {
	t.Parallel()
	for name, reason := range map[string]string{"announced": "warning", "refreshed": "refresh_requested", "cut": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, setup{socket: true})
			for round := range 3 {
				var told sync.WaitGroup
				for i := range 5 {
					told.Go(func() {
						text := fmt.Sprintf("declare Round %d, incident %d", round, i)
						reply, err := w.Command(deadline(t), sandbox.Command{User: w.ann.ID, Channel: w.ops.ID, Command: "/incident", Text: text})
						if err != nil || !strings.Contains(reply.Text, text[len("declare "):]) {
							t.Errorf("%s: got %q, %v", text, reply.Text, err)
						}
					})
				}
				w.DisconnectSockets(reason)
				told.Wait()
				if err := w.WaitSockets(deadline(t), 1); err != nil {
					t.Fatal(err)
				}
			}
			if n := w.count(t); n != 15 {
				t.Errorf("got %d incidents, want 15", n)
			}
		})
	}
}

func TestSocketEndsWhatItHasBegun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	w.SetURLs("", "", "")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.edge.RunSocket(ctx) }()
	if err := w.WaitSockets(deadline(t), 1); err != nil {
		t.Fatal(err)
	}
	tx, err := w.store.DB().BeginTx(t.Context(), nil) // holds the only writing connection
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() {
		reply, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: w.ops.ID, Command: "/incident", Text: "declare Last words"})
		if err == nil && !strings.Contains(reply.Text, "INC-1") {
			err = errors.New(reply.Text)
		}
		answered <- err
	}()
	w.eventually(t, "the command waits for the database", func() bool { return w.store.DB().Stats().WaitCount > 0 })
	cancel()
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-answered; err != nil {
		t.Errorf("the command was answered: %v", err)
	}
	if err := <-done; err != nil {
		t.Errorf("got %v", err)
	}
	if err := w.WaitSockets(deadline(t), 0); err != nil {
		t.Error(err)
	}
}

func TestSocketGivesUpOnAWrongToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	text, err := templates.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	edge := slack.NewEdge(slack.EdgeConfig{
		Service: w.service, Directory: w.directory, Clock: incidents.SystemClock{}, Text: text, Log: w.logs.logger(),
		Client: slack.NewClient(slack.ClientConfig{Token: w.BotToken(), AppToken: "xapp-wrong", APIURL: w.server.APIURL()}),
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := edge.RunSocket(ctx); err == nil || !strings.Contains(err.Error(), "invalid_auth") {
		t.Errorf("got %v, want invalid_auth", err)
	}
}

func TestSocketTriesAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{socket: true})
	outage := w.Inject(sandbox.Fault{Method: "apps.connections.open", Times: 2, Kind: sandbox.FaultStatus{}})
	w.DisconnectSockets("")
	w.eventually(t, "the outage is met", func() bool { return outage.Count() == 2 })
	if err := w.WaitSockets(deadline(t), 1); err != nil {
		t.Fatal(err)
	}
	w.answers(t, w.ann, w.ops.ID, "list", "No incident")
}

func TestEventsOverTheSocketAreAcknowledged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{socket: true})
	reply, err := w.Post(deadline(t), w.ann.ID, w.ops.ID, "nothing for Houston", "")
	if err != nil {
		t.Errorf("got %v", err)
	}
	_ = reply
	w.Deactivate(w.bob.ID)
	w.eventually(t, "bob is known to be deactivated", func() bool {
		_, err := w.directory.Find(t.Context(), "bob")
		return err != nil
	})
}
