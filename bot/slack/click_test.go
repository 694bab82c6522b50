package slack_test

import (
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/incidents"
)

func TestButtonsOfTheCard(t *testing.T) {
	t.Parallel()
	bothTransports(t, func(t *testing.T, w *world) {
		inc, channel := w.opened(t, "Checkout is down", false)
		card := w.buttons(t, channel.ID, inc.Key(), slack.ActionTakeLead, slack.ActionMitigated, slack.ActionResolve, "of_long_ago")
		for _, step := range []struct {
			who    sandbox.User
			action string
			want   string
			check  func(inc incidents.Incident) bool
		}{
			{w.bob, slack.ActionTakeLead, "You lead INC-1", func(i incidents.Incident) bool { return i.Roles[incidents.Commander].ID == w.bob.ID }},
			{w.bob, slack.ActionTakeLead, "already", nil},
			{w.guest, slack.ActionTakeLead, "As a guest", func(i incidents.Incident) bool { return i.Roles[incidents.Commander].ID == w.bob.ID }},
			{w.ann, slack.ActionMitigated, "mitigated since", func(i incidents.Incident) bool { return i.Status == incidents.Monitoring }},
			{w.ann, slack.ActionMitigated, "was mitigated at", nil},
			{w.ann, slack.ActionResolve, "*resolved*", func(i incidents.Incident) bool { return i.Status == incidents.Resolved }},
			{w.ann, slack.ActionResolve, "resolved already", nil},
			{w.ann, "of_long_ago", "another version", nil},
		} {
			if got := w.click(t, step.who, channel.ID, card, step.action); !strings.Contains(got, step.want) {
				t.Errorf("%s clicks %s: got %q, want %q in it", step.who.Name, step.action, got, step.want)
			}
			if now := w.incident(t, inc.Number); step.check != nil && !step.check(now) {
				t.Errorf("after %s: %+v", step.action, now)
			}
		}
	})
}

func TestAClickActsOnce(t *testing.T) {
	t.Parallel()
	bothTransports(t, func(t *testing.T, w *world) {
		inc, channel := w.opened(t, "Checkout is down", false)
		card := w.buttons(t, channel.ID, inc.Key(), slack.ActionResolve)
		reply, err := w.Click(deadline(t), sandbox.Click{User: w.ann.ID, Channel: channel.ID, MessageTS: card, ActionID: slack.ActionResolve})
		if err != nil {
			t.Fatal(err)
		}
		w.edge.Wait()
		if _, err := reply.Redeliver(deadline(t)); err != nil {
			t.Fatal(err)
		}
		w.edge.Wait()
		for _, shown := range w.Ephemerals(channel.ID, w.ann.ID) {
			if !strings.Contains(shown.Text, "INC-1 is now *resolved*") {
				t.Errorf("a delivery was answered %q", shown.Text)
			}
		}
		if n := len(w.events(t, inc.Number, "status_changed")); n != 1 {
			t.Errorf("got %d changes of status, want 1", n)
		}
	})
}

func TestAClickIsAuthorisedWhenItHappens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	inc, _ := w.opened(t, "Secret leak", true)
	elsewhere := w.AddChannel(sandbox.Channel{Name: "elsewhere", Members: []string{w.ann.ID, w.bob.ID, w.BotUser().ID}})
	card := w.buttons(t, elsewhere.ID, inc.Key(), slack.ActionResolve, slack.ActionMore)
	if got := w.click(t, w.bob, elsewhere.ID, card, slack.ActionResolve); !strings.Contains(got, "There is no INC-1") {
		t.Errorf("got %q", got)
	}
	if _, err := w.Click(deadline(t), sandbox.Click{User: w.bob.ID, Channel: elsewhere.ID, MessageTS: card, ActionID: slack.ActionMore}); err != nil {
		t.Fatal(err)
	}
	w.edge.Wait()
	if open := w.Modals(w.bob.ID); len(open) != 1 || !strings.Contains(string(open[0].Blocks), "There is no INC-1") {
		t.Errorf("got forms %+v", open)
	}
	if now := w.incident(t, inc.Number); now.Status != incidents.Investigating {
		t.Errorf("got status %s", now.Status)
	}
}

func TestLinkButtonsAreSilent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	_, channel := w.opened(t, "Checkout is down", false)
	card := w.buttons(t, channel.ID, "", "open_bridge")
	if _, err := w.Click(deadline(t), sandbox.Click{User: w.ann.ID, Channel: channel.ID, MessageTS: card, ActionID: "open_bridge"}); err != nil {
		t.Fatal(err)
	}
	w.edge.Wait()
	if shown := w.Ephemerals(channel.ID, w.ann.ID); len(shown) != 0 {
		t.Errorf("got %q", shown[0].Text)
	}
}

// offered has a group of alerts offered and gives its id.
func (w *world) offered(t *testing.T, groupKey string) string {
	t.Helper()
	err := w.service.Ingest(t.Context(), incidents.Delivery{
		Source: "default", Receiver: "houston", GroupKey: groupKey, ReceivedAt: time.Now(), Body: []byte("{}"),
		Alerts: []incidents.Alert{{Firing: true, StartsAt: time.Now().Add(-time.Minute), Labels: map[string]string{"alertname": "SlowOffers", "severity": "warning"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	id := incidents.GroupID("default", "houston", groupKey)
	group, err := w.store.Group(t.Context(), id)
	if err != nil || group.Offer != incidents.Offered {
		t.Fatalf("got group %+v, %v, want it offered", group, err)
	}
	return id
}

func TestOffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	announce := w.AddChannel(sandbox.Channel{Name: "incidents", Members: []string{w.ann.ID, w.bob.ID, w.guest.ID, w.BotUser().ID}})
	first, second := w.offered(t, "one"), w.offered(t, "two")
	one := w.buttons(t, announce.ID, first, slack.ActionOfferDeclare, slack.ActionOfferDismiss)
	two := w.buttons(t, announce.ID, second, slack.ActionOfferDeclare, slack.ActionOfferDismiss)
	lost := w.buttons(t, announce.ID, "nosuchgroup", slack.ActionOfferDeclare)
	for _, step := range []struct {
		name   string
		who    sandbox.User
		ts     string
		action string
		want   string
	}{
		{"a guest", w.guest, one, slack.ActionOfferDeclare, "Guests can not declare"},
		{"the first", w.ann, one, slack.ActionOfferDeclare, "*INC-1* declared"},
		{"the second", w.bob, one, slack.ActionOfferDeclare, "INC-1 was declared for these alerts already"},
		{"too late to dismiss", w.bob, one, slack.ActionOfferDismiss, "INC-1 was declared"},
		{"a guest dismisses", w.guest, two, slack.ActionOfferDismiss, "Guests can not"},
		{"dismissed", w.ann, two, slack.ActionOfferDismiss, "not an incident"},
		{"dismissed twice", w.bob, two, slack.ActionOfferDismiss, "not an incident"},
		{"a group nobody knows", w.ann, lost, slack.ActionOfferDeclare, "not open any more"},
	} {
		if got := w.click(t, step.who, announce.ID, step.ts, step.action); !strings.Contains(got, step.want) {
			t.Errorf("%s: got %q, want %q in it", step.name, got, step.want)
		}
	}
	if n := w.count(t); n != 1 {
		t.Errorf("got %d incidents, want 1", n)
	}
	if group, err := w.store.Group(t.Context(), second); err != nil || group.Offer != incidents.Dismissed {
		t.Errorf("got %+v, %v", group, err)
	}
}

func TestShortcutsAreAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	posted, err := w.Post(deadline(t), w.ann.ID, w.ops.ID, "offers are empty", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Shortcut(deadline(t), sandbox.Shortcut{User: w.ann.ID, CallbackID: "of_long_ago", Channel: w.ops.ID, MessageTS: posted.TS}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.WaitEphemeral(deadline(t), w.ops.ID, w.ann.ID, "not built in this release"); err != nil {
		t.Error(err)
	}
	if _, err := w.Shortcut(deadline(t), sandbox.Shortcut{User: w.ann.ID, CallbackID: "add_to_timeline", Channel: w.ops.ID, MessageTS: posted.TS}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.WaitEphemeral(deadline(t), w.ops.ID, w.ann.ID, "no incident's channel"); err != nil {
		t.Error(err)
	}
}

func TestAnswersOutliveAnOutage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	inc, channel := w.opened(t, "Checkout is down", false)
	card := w.buttons(t, channel.ID, inc.Key(), slack.ActionMitigated)
	w.Inject(sandbox.Fault{Method: "response_url", Times: 2, Kind: sandbox.FaultStatus{}})
	if got := w.click(t, w.ann, channel.ID, card, slack.ActionMitigated); !strings.Contains(got, "mitigated since") {
		t.Errorf("got %q", got)
	}
}

func TestAnAnswerThatCanNotBeSentIsNoSecretInTheLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	inc, channel := w.opened(t, "Checkout is down", false)
	card := w.buttons(t, channel.ID, inc.Key(), slack.ActionResolve)
	w.Inject(sandbox.Fault{Method: "response_url", Kind: sandbox.FaultDropBefore{}})
	reply, err := w.Click(deadline(t), sandbox.Click{User: w.ann.ID, Channel: channel.ID, MessageTS: card, ActionID: slack.ActionResolve})
	if err != nil {
		t.Fatal(err)
	}
	w.edge.Wait()
	if now := w.incident(t, inc.Number); now.Status != incidents.Resolved {
		t.Errorf("got %s: what was done must stay done", now.Status)
	}
	text := w.logs.text.String()
	if !strings.Contains(text, "did not reach Slack") || strings.Contains(text, reply.ResponseURL) {
		t.Errorf("got log %s", text)
	}
}
