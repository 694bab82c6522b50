package slack_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
)

// texts lists what the captured messages of incident 1 say in the timeline.
func (w *world) texts(t *testing.T) []string {
	t.Helper()
	events, err := w.store.Events(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, e := range incidents.Timeline(events) {
		if e.Kind == incidents.Observation {
			texts = append(texts, e.Actor.Name+": "+e.Text)
		}
	}
	return texts
}

// TestWhatCountsIsThePinThatIsThere works on jobs that come late, in another
// order or for nothing.
func TestWhatCountsIsThePinThatIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	_, channel := w.opened(t, "Offers missing", false)
	posted, err := w.Post(deadline(t), w.bob.ID, channel.ID, "Restarted <@"+w.ann.ID+">'s service &amp; waited", "")
	if err != nil {
		t.Fatal(err)
	}
	want := "bob: Restarted @ann's service & waited"
	job := func(user string, added bool) {
		t.Helper()
		err := w.edge.CaptureMessage(t.Context(), incidents.CaptureMessage{Channel: channel.ID, TS: posted.TS, User: user, Added: added, Pin: true, Event: "e"})
		if err != nil {
			t.Fatal(err)
		}
	}
	react := func(do func() (sandbox.Reply, error)) {
		t.Helper()
		if _, err := do(); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(step string, texts ...string) {
		t.Helper()
		if diff := cmp.Diff(texts, w.texts(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step, diff)
		}
	}
	job(w.ann.ID, true)
	expect("the pin was taken away before the job ran")
	react(func() (sandbox.Reply, error) {
		return w.React(deadline(t), w.ann.ID, channel.ID, posted.TS, "pushpin")
	})
	job(w.ann.ID, false)
	expect("the removal of an earlier pin comes late", want)
	job(w.ann.ID, true)
	expect("and then the pin", want)
	job(w.BotUser().ID, true)
	react(func() (sandbox.Reply, error) {
		return w.Unreact(deadline(t), w.ann.ID, channel.ID, posted.TS, "pushpin")
	})
	job(w.ann.ID, false)
	expect("the pins of bots count for nothing")
	elsewhere := incidents.CaptureMessage{Channel: w.ops.ID, TS: posted.TS, User: w.ann.ID, Added: true}
	if err := w.edge.CaptureMessage(t.Context(), elsewhere); err != nil {
		t.Errorf("in a channel of no incident: %v", err)
	}
	gone := incidents.CaptureMessage{Channel: channel.ID, TS: "1700000000.000100", User: w.ann.ID, Added: true}
	if err := w.edge.CaptureMessage(t.Context(), gone); err != nil {
		t.Errorf("a message that is gone: %v", err)
	}
	expect("nothing was captured")
	if errs := w.logs.at(slog.LevelError); len(errs) > 0 {
		t.Errorf("logged as errors: %q", errs)
	}
}

// TestAnEditThatChangesNothing has a captured message told as changed when its
// text is the same: the log does not grow.
func TestAnEditThatChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	_, channel := w.opened(t, "Offers missing", false)
	posted, err := w.Post(deadline(t), w.bob.ID, channel.ID, "Restarted offers", "")
	if err != nil {
		t.Fatal(err)
	}
	message := incidents.CaptureMessage{Channel: channel.ID, TS: posted.TS, User: w.ann.ID, Added: true}
	if err := w.edge.CaptureMessage(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	follow := func(event string) {
		t.Helper()
		if err := w.edge.FollowMessage(t.Context(), incidents.FollowMessage{Channel: channel.ID, TS: posted.TS, Event: event}); err != nil {
			t.Fatal(err)
		}
	}
	follow("e1")
	if n := len(w.events(t, 1, "amended")); n != 0 {
		t.Errorf("%d amendments without an edit, want none", n)
	}
	if _, err := w.Delete(deadline(t), w.bob.ID, channel.ID, posted.TS); err != nil {
		t.Fatal(err)
	}
	follow("e2")
	follow("e2")
	if n := len(w.events(t, 1, "amended")); n != 1 {
		t.Errorf("%d amendments after one deletion told twice, want 1", n)
	}
	if got := w.texts(t); len(got) != 1 || !strings.HasPrefix(got[0], "bob: (the message was deleted at ") {
		t.Errorf("the timeline reads %q, want a tombstone", got)
	}
}

// TestSlackAsksToWait has a rate limit put the job off for as long as Slack says.
func TestSlackAsksToWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	_, channel := w.opened(t, "Offers missing", false)
	posted, err := w.Post(deadline(t), w.bob.ID, channel.ID, "Restarted offers", "")
	if err != nil {
		t.Fatal(err)
	}
	job := incidents.CaptureMessage{Channel: channel.ID, TS: posted.TS, User: w.ann.ID, Added: true}
	w.Inject(sandbox.Fault{Method: "conversations.history", Times: 1, Kind: sandbox.FaultRateLimit{RetryAfter: 3 * time.Second}})
	err = w.edge.CaptureMessage(t.Context(), job)
	if incidents.KindOf(err) != incidents.Unavailable {
		t.Fatalf("got %v, want the job put off", err)
	}
	other := newWorld(t, setup{})
	_, there := other.opened(t, "Offers missing", false)
	other.Inject(sandbox.Fault{Method: "conversations.history", Times: 1, Kind: sandbox.FaultError{Code: "channel_not_found"}})
	job.Channel = there.ID
	job.User = other.ann.ID
	if err := other.edge.CaptureMessage(t.Context(), job); err != nil {
		t.Errorf("a channel that is gone: got %v, want the job given up", err)
	}
}
