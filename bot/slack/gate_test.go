package slack

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents/proctest"
)

// movedClock is a clock that tests move.
type movedClock struct {
	mu  sync.Mutex
	now time.Time
}

func newMovedClock() *movedClock {
	return &movedClock{now: time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)}
}

func (c *movedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *movedClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// limiter is a Slack that refuses the calls it is told to and counts all.
type limiter struct {
	mu     sync.Mutex
	calls  map[string]int
	refuse map[string]string // "path channel" → Retry-After
}

func (l *limiter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.URL.Path + " " + r.FormValue("channel")
	l.mu.Lock()
	l.calls[key]++
	after, refused := l.refuse[key]
	l.mu.Unlock()
	if refused {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"ok":true,"channel":"C1","ts":"1.000001"}`))
}

func (l *limiter) count(key string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls[key]
}

func newLimiter(t *testing.T, refuse map[string]string) (*limiter, *slack.Client, *movedClock) {
	t.Helper()
	l := &limiter{calls: map[string]int{}, refuse: refuse}
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	clock := newMovedClock()
	client := NewClient(ClientConfig{Token: "xoxb-test", APIURL: server.URL + "/api", Clock: clock})
	return l, client.API(), clock
}

func post(ctx context.Context, api *slack.Client, channel string) error {
	_, _, err := api.PostMessageContext(ctx, channel, slack.MsgOptionText("hello", false))
	return err
}

func wantLimited(t *testing.T, err error, want time.Duration) {
	t.Helper()
	limited, ok := errors.AsType[*slack.RateLimitedError](err)
	if !ok {
		t.Fatalf("got error %v, want a rate limit", err)
	}
	if limited.RetryAfter != want {
		t.Errorf("got retry after %s, want %s", limited.RetryAfter, want)
	}
}

func TestGateHoldsBackOneMethodAndChannel(t *testing.T) {
	t.Parallel()
	const busy = "/api/chat.postMessage C1"
	l, api, clock := newLimiter(t, map[string]string{busy: "30"})
	wantLimited(t, post(t.Context(), api, "C1"), 30*time.Second)

	clock.move(10*time.Second + 300*time.Millisecond)
	wantLimited(t, post(t.Context(), api, "C1"), 20*time.Second)
	if got := l.count(busy); got != 1 {
		t.Errorf("got %d calls while the gate was closed, want 1", got)
	}
	if err := post(t.Context(), api, "C2"); err != nil {
		t.Errorf("another channel was held back: %v", err)
	}
	if _, _, _, err := api.UpdateMessageContext(t.Context(), "C1", "1.000001", slack.MsgOptionText("x", false)); err != nil {
		t.Errorf("another method was held back: %v", err)
	}

	clock.move(20 * time.Second)
	l.mu.Lock()
	l.refuse = nil
	l.mu.Unlock()
	if err := post(t.Context(), api, "C1"); err != nil {
		t.Errorf("the gate did not open: %v", err)
	}
}

func TestGateLimitsMethodsWithoutAChannelAlone(t *testing.T) {
	t.Parallel()
	l, api, _ := newLimiter(t, map[string]string{"/api/users.info ": "60"})
	for range 3 {
		_, err := api.GetUserInfoContext(t.Context(), "U1")
		wantLimited(t, err, time.Minute)
	}
	if got := l.count("/api/users.info "); got != 1 {
		t.Errorf("got %d calls, want 1", got)
	}
	if _, err := api.AuthTestContext(t.Context()); err != nil {
		t.Errorf("another method was held back: %v", err)
	}
}

func TestGateForgetsA429ThatSaysNothing(t *testing.T) {
	t.Parallel()
	l, api, clock := newLimiter(t, map[string]string{"/api/chat.postMessage C1": ""})
	for range 2 {
		err := post(t.Context(), api, "C1")
		status, ok := errors.AsType[slack.StatusCodeError](err)
		if !ok || status.Code != http.StatusTooManyRequests {
			t.Fatalf("got %v, want status 429", err)
		}
		clock.move(2 * time.Second) // for the channel's own distance
	}
	if got := l.count("/api/chat.postMessage C1"); got != 2 {
		t.Errorf("got %d calls, want 2", got)
	}
}

func TestGateRemembersNoMoreThanItMust(t *testing.T) {
	t.Parallel()
	clock := newMovedClock()
	g := newGate(http.DefaultClient, ClientConfig{Clock: clock, Minute: time.Minute})
	for i := range gateSweep {
		g.close(gateKey{path: "/api/x", channel: string(rune('a' + i))}, "1")
	}
	clock.move(2 * time.Second)
	g.close(gateKey{path: "/api/y"}, "5")
	if got := len(g.until); got != 1 {
		t.Errorf("got %d limits remembered, want 1", got)
	}
}

func TestClientGivesUp(t *testing.T) {
	t.Parallel()
	if got := newHTTPClient().Timeout; got <= 0 || got >= 10*time.Second {
		t.Errorf("got timeout %s, want one below the lease of 10 s", got)
	}
}

// TestTiersAreSlacks holds the budgets to what Slack documents of each method
// that Houston calls.
func TestTiersAreSlacks(t *testing.T) {
	t.Parallel()
	var documented struct {
		Methods map[string]struct{ Tier string }
	}
	if err := json.Unmarshal(proctest.SlackMethods(t), &documented); err != nil {
		t.Fatal(err)
	}
	tiers := map[string]int{"t2": 20, "t3": 50, "t4": 100, "t5": 0}
	for _, m := range methods() {
		known, ok := documented.Methods[m.name]
		if want, has := tiers[known.Tier]; !ok || !has || perMinute(m.name) != want {
			t.Errorf("%s: the budget is %d a minute, Slack documents %q", m.name, perMinute(m.name), known.Tier)
		}
	}
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	clock := newMovedClock()
	b := newBudgets(clock, time.Minute)
	take := func(method, channel string, l lane, want time.Duration) {
		t.Helper()
		if got := b.take(method, channel, l); got != want {
			t.Errorf("%s in %q: wait %s, want %s", method, channel, got, want)
		}
	}
	for range 20 { // a burst, at once
		take("pins.add", "C1", background, 0)
	}
	take("pins.add", "C2", background, time.Minute)
	take("pins.add", "C2", urgent, 0) // Slack has not said no yet
	take("pins.remove", "C1", background, 0)
	if got := b.ahead("pins.add"); got != time.Minute {
		t.Errorf("the next pin is %s ahead, want a minute", got)
	}
	clock.move(time.Minute)
	take("pins.add", "C2", background, 0)

	b.refused("conversations.invite", urgent, 5*time.Second)
	take("conversations.invite", "C1", background, 6*time.Second)
	take("conversations.invite", "C1", urgent, 0)
	b.refused("bookmarks.add", background, 5*time.Second)
	take("bookmarks.add", "C1", background, 0)

	for range 5 { // a burst
		take("chat.postMessage", "C1", background, 0)
	}
	b.full("C1", time.Second)
	take("chat.postMessage", "C2", background, 0)
	for n := range 3 { // each has a slot of his own
		take("chat.postMessage", "C1", background, time.Duration(n+1)*time.Second)
	}
	clock.move(time.Second)
	take("chat.postMessage", "C1", background, 0)
	take("chat.postMessage", "C1", background, 3*time.Second)
	clock.move(2 * time.Minute)
	for range 5 { // Slack has said nothing for a minute
		take("chat.postMessage", "C1", background, 0)
	}
}
