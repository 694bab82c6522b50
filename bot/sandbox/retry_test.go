package sandbox_test

import (
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestEventsAreRetried(t *testing.T) {
	t.Parallel()
	refuse := func(status int, header ...string) func(http.ResponseWriter, request) {
		return func(rw http.ResponseWriter, _ request) {
			for i := 0; i+1 < len(header); i += 2 {
				rw.Header().Set(header[i], header[i+1])
			}
			rw.WriteHeader(status)
		}
	}
	for _, tt := range []struct {
		name       string
		answer     func(http.ResponseWriter, request) // while it refuses
		refusals   int
		deliveries int
		reason     string
	}{
		{"taken at once", nil, 0, 1, ""},
		{"until it is taken", refuse(500), 1, 2, "http_error"},
		{"three times at most", refuse(404), 9, 4, "http_error"},
		{"unless the app says no", refuse(500, "X-Slack-No-Retry", "1"), 9, 1, ""},
		{"too slow", func(_ http.ResponseWriter, r request) { <-r.gone }, 1, 2, "http_timeout"},
		{"sent away", refuse(http.StatusTemporaryRedirect, "Location", "/events"), 9, 4, "too_many_redirects"},
		{"cut off", func(http.ResponseWriter, request) { panic(http.ErrAbortHandler) }, 1, 2, "connection_failed"},
	} {
		for _, act := range []struct {
			name string
			do   func(*world)
		}{
			{"a call", func(w *world) { w.create("c", false) }},
			{"a person's act", func(w *world) { _, _ = w.OpenHome(t.Context(), w.ann.ID) }},
		} {
			t.Run(tt.name+" after "+act.name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, sandbox.Config{
					AckTimeout: 300 * time.Millisecond, RetryAfter: []time.Duration{0, time.Millisecond, time.Millisecond},
					Events: []string{"channel_created", "app_home_opened"},
				})
				var mu sync.Mutex // a delivery may begin before a slow answer to the one before has ended
				refused := map[string]bool{}
				refuses := func(n string) bool {
					mu.Lock()
					defer mu.Unlock()
					refused[n] = refused[n] || len(refused) < tt.refusals
					return refused[n]
				}
				a := newApp(t, w.Workspace, func(rw http.ResponseWriter, r request) {
					if refuses(r.header.Get("X-Slack-Retry-Num")) {
						tt.answer(rw, r)
					}
				})
				act.do(w)
				if err := w.WaitQuiet(soon(t)); err != nil {
					t.Fatal(err)
				}
				checkRetries(t, w, a, tt.deliveries, tt.reason)
			})
		}
	}
}

// checkRetries looks at all deliveries of one event: their number, headers,
// signatures, and that the body never changes.
func checkRetries(t *testing.T, w *world, a *app, deliveries int, reason string) {
	t.Helper()
	var first request
	n := 0
	for len(a.got) > 0 {
		r := <-a.got
		num := r.header.Get("X-Slack-Retry-Num")
		if n > 0 && num == strconv.Itoa(n-1) || n == 1 && num == "" {
			continue // the same attempt, redirected
		}
		if n == 0 {
			first = r
		} else if num != strconv.Itoa(n) || r.header.Get("X-Slack-Retry-Reason") != reason || string(r.body) != string(first.body) {
			t.Errorf("retry %d has number %q and reason %q", n, num, r.header.Get("X-Slack-Retry-Reason"))
		}
		verify(t, w, r)
		n++
	}
	if n != deliveries {
		t.Errorf("%d deliveries, want %d", n, deliveries)
	}
}

// TestRetriesAreSignedAnew lets a retry leave after the five minutes for which
// apps take a signature.
func TestRetriesAreSignedAnew(t *testing.T) {
	t.Parallel()
	c := &clock{t: time.Now().Add(-6 * time.Minute)}
	w := newWorld(t, sandbox.Config{Now: c.now, RetryAfter: []time.Duration{0}, Events: []string{"channel_created"}})
	a := newApp(t, w.Workspace, func(rw http.ResponseWriter, r request) {
		if r.header.Get("X-Slack-Retry-Num") == "" {
			c.add(6 * time.Minute)
			rw.WriteHeader(http.StatusInternalServerError)
		}
	})
	w.create("c", false)
	first, again := a.next(t, "/events"), a.next(t, "/events")
	if _, err := slack.NewSecretsVerifier(first.header, w.SigningSecret()); err == nil {
		t.Error("the first request is not old")
	}
	verify(t, w, again)
}
