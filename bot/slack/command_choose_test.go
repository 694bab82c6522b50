package slack_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	slackapi "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
)

// shown gives the newest ephemeral message that a user sees in a channel.
func (w *world) shown(t *testing.T, user sandbox.User, channel string) sandbox.Message {
	t.Helper()
	w.edge.Wait()
	list := w.Ephemerals(channel, user.ID)
	if len(list) == 0 {
		t.Fatal("nothing is shown")
	}
	return list[len(list)-1]
}

// TestACommandElsewhereAsksWhichIncident types a command outside of any
// incident's channel and chooses: what was typed is done, once, to what was
// chosen.
func TestACommandElsewhereAsksWhichIncident(t *testing.T) {
	t.Parallel()
	bothTransports(t, func(t *testing.T, w *world) {
		w.opened(t, "Checkout is <down>", false)
		w.opened(t, "Offers are missing", false)
		w.opened(t, "Keys leaked", true)
		typed := strings.Repeat("The pool is full. ", 150) // more than a button could carry
		w.answers(t, w.bob, w.ops.ID, "update "+typed, "Which incident", "`/incident declare update The pool")
		asked := w.shown(t, w.bob, w.ops.ID)
		if blocks := string(asked.Blocks); !strings.Contains(blocks, "INC-1 Checkout") || strings.Contains(blocks, "INC-3") {
			t.Fatalf("the incidents to choose from are %s", blocks)
		}
		click := sandbox.Click{User: w.bob.ID, Channel: w.ops.ID, MessageTS: asked.TS, ActionID: "choose_incident_2"}
		pressed, err := w.Click(deadline(t), click)
		if err != nil {
			t.Fatal(err)
		}
		w.edge.Wait()
		if got := w.shown(t, w.bob, w.ops.ID); !strings.Contains(got.Text, "channel of INC-1") || got.TS != asked.TS {
			t.Errorf("the question became %q", got.Text)
		}
		if _, err := pressed.Redeliver(deadline(t)); err != nil {
			t.Fatal(err)
		}
		w.edge.Wait()
		if got := w.events(t, 1, "update_posted"); len(got) != 1 || got[0].Data.(incidents.UpdatePosted).Text != strings.TrimSpace(typed) || got[0].Actor.ID != w.bob.ID {
			t.Errorf("got updates %+v", got)
		}
	})
}

func TestManyIncidentsToChooseFrom(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	for i := range 6 {
		w.opened(t, fmt.Sprintf("Incident of the %d. kind", i+1), false)
	}
	w.answers(t, w.bob, w.ops.ID, "severity sev1", "Which incident")
	asked := w.shown(t, w.bob, w.ops.ID)
	if _, err := w.Click(deadline(t), sandbox.Click{User: w.bob.ID, Channel: w.ops.ID, MessageTS: asked.TS, ActionID: "choose_incident", Value: "INC-5"}); err != nil {
		t.Fatal(err)
	}
	w.edge.Wait()
	if now := w.incident(t, 5); now.Severity != incidents.Sev1 {
		t.Errorf("got severity %s", now.Severity)
	}
	for range 100 {
		w.say(t, w.ann, w.ops.ID, "declare Another one")
	}
	w.answers(t, w.bob, w.ops.ID, "severity sev2", "Which incident")
	asked = w.shown(t, w.bob, w.ops.ID)
	for typed, want := range map[string]string{"4. kind": "INC-4", "anoth": "INC-106", "nothing like it": ""} {
		options, err := w.Suggest(deadline(t), sandbox.Suggest{User: w.bob.ID, Channel: w.ops.ID, MessageTS: asked.TS, ActionID: "choose_incident", Value: typed})
		if err != nil {
			t.Fatal(err)
		}
		if want == "" && len(options) == 0 {
			continue
		}
		if len(options) == 0 || options[0].Value != want || len(options) > 100 {
			t.Errorf("%q: got %d options %+v, want %s first", typed, len(options), options, want)
		}
	}
	if _, err := w.Click(deadline(t), sandbox.Click{User: w.bob.ID, Channel: w.ops.ID, MessageTS: asked.TS, ActionID: "choose_incident", Value: "INC-4"}); err != nil {
		t.Fatal(err)
	}
	w.edge.Wait()
	if now := w.incident(t, 4); now.Severity != incidents.Sev2 {
		t.Errorf("got severity %s", now.Severity)
	}
	w.answers(t, w.guest, w.ops.ID, "severity sev2", "Guests see")
}

// TestAChoiceIsAuthorisedWhenItIsMade takes an old question of somebody else,
// and an incident that he may not see.
func TestAChoiceIsAuthorisedWhenItIsMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	w.opened(t, "Checkout is down", false)
	w.answers(t, w.bob, w.ops.ID, "severity sev1", "Which incident")
	asked := w.shown(t, w.bob, w.ops.ID)
	w.opened(t, "Keys leaked", true)
	w.directory.Learn(slackapi.User{ID: w.bob.ID, Name: "bob", IsRestricted: true, Updated: slackapi.JSONTime(time.Now().Add(time.Hour).Unix())})
	if _, err := w.Click(deadline(t), sandbox.Click{User: w.bob.ID, Channel: w.ops.ID, MessageTS: asked.TS, ActionID: "choose_incident_1"}); err != nil {
		t.Fatal(err)
	}
	if got := w.shown(t, w.bob, w.ops.ID); !strings.Contains(got.Text, "There is no INC-1") {
		t.Errorf("got %q", got.Text)
	}
	if now := w.incident(t, 1); now.Severity == incidents.Sev1 {
		t.Error("a guest has changed the severity")
	}
}

func TestBridge(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	_, channel := w.opened(t, "Checkout is down", false)
	w.answers(t, w.ann, channel.ID, "bridge", "https://meet.example.com/a&amp;b")
	w.answers(t, w.ann, channel.ID, "bridge soon", "no link", "`/incident bridge [url]`")
	w.answers(t, w.ann, channel.ID, "bridge https://meet.example.com/war-room", "https://meet.example.com/war-room")
	if now := w.incident(t, 1); now.BridgeURL != "https://meet.example.com/war-room" {
		t.Errorf("got %q", now.BridgeURL)
	}
}
