package slack_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
)

// slowStore answers every reading of an incident late, as a database does that
// somebody holds up.
type slowStore struct {
	incidents.Store

	delay time.Duration
}

func (s slowStore) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(s.delay):
		return nil
	}
}

func (s slowStore) Incident(ctx context.Context, number int64) (incidents.Incident, error) {
	if err := s.wait(ctx); err != nil {
		return incidents.Incident{}, err
	}
	return s.Store.Incident(ctx, number)
}

func (s slowStore) IncidentByChannel(ctx context.Context, channel string) (incidents.Incident, error) {
	if err := s.wait(ctx); err != nil {
		return incidents.Incident{}, err
	}
	return s.Store.IncidentByChannel(ctx, channel)
}

func (s slowStore) Incidents(ctx context.Context, query incidents.Query) ([]incidents.Incident, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	return s.Store.Incidents(ctx, query)
}

// TestFormsOpenInTimeWhateverTheDatabaseDoes holds every reading up for longer
// than a trigger lives: forms open all the same, and are filled afterwards.
func TestFormsOpenInTimeWhateverTheDatabaseDoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{prepare: func(w *world) {
		w.service = incidents.NewService(incidents.Config{Store: slowStore{w.store, 3500 * time.Millisecond}, Clock: incidents.SystemClock{}})
	}})
	_, channel := w.opened(t, "Checkout is down", false)
	open := func(user sandbox.User, callback string) {
		t.Helper()
		w.eventually(t, callback+" is open", func() bool {
			modals := w.Modals(user.ID)
			return len(modals) == 1 && modals[0].CallbackID == callback
		})
	}
	for text, callback := range map[string]string{"update": "update", "action": "action_item"} {
		user := w.ann
		if text == "action" {
			user = w.bob
		}
		if reply := w.say(t, user, channel.ID, text); reply.Latency > time.Second {
			t.Errorf("%s was answered after %s", text, reply.Latency)
		}
		open(user, callback)
		if blocks := string(w.Modals(user.ID)[0].Blocks); !strings.Contains(blocks, "Loading") {
			t.Errorf("%s shows %s before the database has answered", text, blocks)
		}
	}
	if reply := w.say(t, w.guest, w.ops.ID, ""); reply.Latency > 2*time.Second {
		t.Errorf("the question for a form was answered after %s", reply.Latency)
	}
	third := w.AddUser(sandbox.User{Name: "cat"})
	w.Join(third.ID, w.ops.ID)
	if reply := w.say(t, third, w.ops.ID, "Offers are missing"); reply.Latency > 2*time.Second {
		t.Errorf("the title was answered after %s", reply.Latency)
	}
	open(third, "declare")
	w.eventually(t, "the form is filled", func() bool {
		return strings.Contains(string(w.Modals(w.ann.ID)[0].Blocks), `"block_id":"text"`)
	})
}
