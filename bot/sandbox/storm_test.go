package sandbox_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestManyAtOnce has many people and the app act at the same time; the race
// detector watches.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	newApp(t, w.Workspace, func(http.ResponseWriter, request) {})
	w.PageSize(3)
	const n = 12
	waited := make(chan error, 1)
	go func() {
		waited <- w.WaitFor(soon(t), func(v *sandbox.View) bool { return len(v.Channels()) == n+2 && len(v.Calls("pins.add")) == n })
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if _, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"}); err != nil {
				t.Errorf("command: %v", err)
			}
			c, err := w.api.CreateConversationContext(t.Context(), slack.CreateConversationParams{ChannelName: fmt.Sprintf("inc-%d", i)})
			if err != nil {
				t.Errorf("create: %v", err)
				return
			}
			_, ts, err := w.api.PostMessageContext(t.Context(), c.ID, text("card"))
			if err != nil {
				t.Errorf("post: %v", err)
				return
			}
			if err := w.api.AddPinContext(t.Context(), c.ID, slack.NewRefToMessage(c.ID, ts)); err != nil {
				t.Errorf("pin: %v", err)
			}
			if _, _, _, err := w.api.UpdateMessageContext(t.Context(), c.ID, ts, text("card 2")); err != nil {
				t.Errorf("update: %v", err)
			}
			w.Join(w.ann.ID, c.ID)
			if _, err := w.React(t.Context(), w.ann.ID, c.ID, ts, "eyes"); err != nil {
				t.Errorf("react: %v", err)
			}
		})
	}
	wg.Wait()
	if err := <-waited; err != nil {
		t.Error(err)
	}
	var stamps []string
	for i := range n {
		for _, m := range w.History(fmt.Sprintf("inc-%d", i)) {
			stamps = append(stamps, m.Channel+m.TS)
		}
	}
	slices.Sort(stamps)
	if len(slices.Compact(slices.Clone(stamps))) != len(stamps) {
		t.Error("a timestamp was given twice")
	}
}

func TestRedeliverToAnotherReplica(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	first := newApp(t, w.Workspace, nil)
	reply, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"})
	if err != nil {
		t.Fatal(err)
	}
	second := newApp(t, w.Workspace, nil)
	if _, err := reply.RedeliverTo(t.Context(), second.URL); err != nil {
		t.Fatal(err)
	}
	a, b := first.next(t, "/commands"), second.next(t, "/commands")
	verify(t, w, b)
	if string(a.body) != string(b.body) {
		t.Error("not the same bytes")
	}
}
