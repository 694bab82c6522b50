package sandbox_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

// limited checks how long a call is told to wait; 0 when it is not limited.
func limited(t *testing.T, err error, want time.Duration) {
	t.Helper()
	var got time.Duration
	if e, ok := asRateLimited(err); ok {
		got = e.RetryAfter
	} else if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("told to wait %v, want %v", got, want)
	}
}

func TestConversationsCreateIsLimitedToTwentyAMinute(t *testing.T) {
	t.Parallel()
	c := &clock{t: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w := newWorld(t, sandbox.Config{Now: c.now})
	w.EnforceRates(true)
	create := func(i int) error {
		_, err := w.api.CreateConversationContext(t.Context(), slack.CreateConversationParams{ChannelName: fmt.Sprintf("c-%d", i)})
		return err //nolint:wrapcheck // the caller looks at it
	}
	for i := range 20 {
		limited(t, create(i), 0)
		c.add(time.Second)
	}
	limited(t, create(20), 40*time.Second)
	if _, ok := w.Channel("c-20"); ok {
		t.Error("carried out all the same")
	}
	_, err := w.api.AuthTestContext(t.Context()) // other methods go on
	limited(t, err, 0)
	c.add(40 * time.Second)
	limited(t, create(20), 0)
	limited(t, create(21), time.Second)
	w.EnforceRates(false)
	limited(t, create(21), 0)

	calls := w.Calls("conversations.create")
	if got := calls[20]; got.Status != http.StatusTooManyRequests || got.Error != "ratelimited" || got.Injected {
		t.Errorf("recorded %+v", got)
	}
}

func TestPostMessageIsLimitedInEachChannel(t *testing.T) {
	t.Parallel()
	c := &clock{t: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w := newWorld(t, sandbox.Config{Now: c.now})
	one, two := w.create("one", false), w.create("two", false)
	w.EnforceRates(true)
	post := func(channel string) error {
		_, _, err := w.api.PostMessageContext(t.Context(), channel, text("hello"))
		return err //nolint:wrapcheck // the caller looks at it
	}
	limited(t, post(one), 0)
	limited(t, post(two), 0)
	limited(t, post(one), time.Second)
	c.add(999 * time.Millisecond)
	limited(t, post(one), time.Second) // whole seconds, rounded up
	c.add(time.Millisecond)
	limited(t, post(one), 0)
	if got := len(w.Messages(one)); got != 2 {
		t.Errorf("%d messages, want 2", got)
	}
}

func TestRetryAfterIsUnderstood(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("one", false)
	w.EnforceRates(true)
	patient := slack.New(w.BotToken(), slack.OptionAPIURL(w.srv.APIURL()), slack.OptionRetry(3))
	for range 2 {
		if _, _, err := patient.PostMessageContext(t.Context(), id, text("hello")); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(w.Messages(id)); got != 2 {
		t.Errorf("%d messages, want 2", got)
	}
}
