package sandbox_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		kind  sandbox.FaultKind
		check func(*testing.T, error)
		done  int // messages posted all the same
	}{
		{"error", sandbox.FaultError{Code: "restricted_action"}, func(t *testing.T, err error) {
			t.Helper()
			wantCode(t, err, "restricted_action")
		}, 0},
		{"rate limit", sandbox.FaultRateLimit{RetryAfter: 1500 * time.Millisecond}, func(t *testing.T, err error) {
			t.Helper()
			if e, ok := errors.AsType[*slack.RateLimitedError](err); !ok || e.RetryAfter != 2*time.Second {
				t.Errorf("got %v", err)
			}
		}, 0},
		{"status", sandbox.FaultStatus{}, func(t *testing.T, err error) {
			t.Helper()
			if e, ok := errors.AsType[slack.StatusCodeError](err); !ok || e.Code != 503 {
				t.Errorf("got %v", err)
			}
		}, 0},
		{"drop before", sandbox.FaultDropBefore{}, wantBroken, 0},
		{"drop after", sandbox.FaultDropAfter{}, wantBroken, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{})
			id := w.create("c", false)
			f := w.Inject(sandbox.Fault{Method: "chat.postMessage", Times: 1, Kind: tt.kind})
			_, _, err := w.api.PostMessageContext(t.Context(), id, text("first"))
			tt.check(t, err)
			if err := w.WaitFor(soon(t), func(v *sandbox.View) bool { return len(v.Calls("chat.postMessage")) == 1 }); err != nil {
				t.Fatal(err)
			}
			if got := len(w.Messages(id)); got != tt.done {
				t.Errorf("%d messages, want %d", got, tt.done)
			}
			w.post(id, text("second")) // once only
			if f.Count() != 1 {
				t.Errorf("fired %d times", f.Count())
			}
		})
	}
}

func wantBroken(t *testing.T, err error) {
	t.Helper()
	if err == nil || codeOf(err) == "fatal_error" {
		t.Errorf("got %v, want a broken connection", err)
	}
	if _, ok := errors.AsType[slack.SlackErrorResponse](err); ok {
		t.Errorf("got an answer: %v", err)
	}
}

func TestFaultAims(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	one, two := w.create("one", false), w.create("two", false)
	bad := sandbox.FaultError{Code: "is_archived"}
	f := w.Inject(sandbox.Fault{Method: "*", Channel: one, After: 1, Kind: bad})
	w.wantError(w.form("chat.postMessage", "channel", one, "text", "x"), "")
	w.wantError(w.form("chat.postMessage", "channel", two, "text", "x"), "")
	w.wantError(w.form("conversations.setTopic", "channel", one, "topic", "x"), "is_archived")
	w.wantError(w.form("conversations.setTopic", "channel", one, "topic", "x"), "is_archived")
	f.Remove()
	w.wantError(w.form("conversations.setTopic", "channel", one, "topic", "x"), "")
	if calls := w.Calls("conversations.setTopic"); !calls[0].Injected || calls[2].Injected {
		t.Errorf("calls %+v", calls)
	}
	var first []string
	for range 2 { // the same seed, the same run
		f := w.Inject(sandbox.Fault{Method: "conversations.info", Kind: bad, Probability: 0.5, Seed: 7})
		run := ""
		for range 20 {
			if w.form("conversations.info", "channel", one)["ok"] == true {
				run += "."
			} else {
				run += "x"
			}
		}
		first = append(first, run)
		f.Remove()
	}
	if first[0] != first[1] || first[0] == "...................." || first[0] == "xxxxxxxxxxxxxxxxxxxx" {
		t.Errorf("runs %q", first)
	}
}

func TestLatency(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", false)
	w.SetLatency(100 * time.Millisecond)
	started := time.Now()
	w.post(id, text("x"))
	if took := time.Since(started); took < 100*time.Millisecond {
		t.Errorf("took %s", took)
	}
	f := w.Inject(sandbox.Fault{Method: "chat.postMessage", Kind: sandbox.FaultDelay{Delay: 100 * time.Millisecond}})
	started = time.Now()
	w.post(id, text("y"))
	if took := time.Since(started); took < 200*time.Millisecond {
		t.Errorf("took %s with the delay", took)
	}
	f.Remove()
}

// TestRequestInFlightLands shows that a client which gives up has still sent its
// request, unless told otherwise.
func TestRequestInFlightLands(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		abandon bool
		want    int
	}{{"lands", false, 1}, {"abandoned", true, 0}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{})
			id := w.create("c", false)
			w.SetLatency(300 * time.Millisecond)
			w.AbandonOnDisconnect(tt.abandon)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, _, err := w.api.PostMessageContext(ctx, id, text("x")); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("got %v", err)
			}
			if err := w.WaitFor(soon(t), func(v *sandbox.View) bool { return len(v.Calls("chat.postMessage")) == 1 }); err != nil {
				t.Fatal(err)
			}
			if got := len(w.Messages(id)); got != tt.want {
				t.Errorf("%d messages, want %d", got, tt.want)
			}
		})
	}
}
