package slack_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// eventually polls until something holds.
func (w *world) eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !holds(); {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for: %s", what)
		}
		select {
		case <-t.Context().Done():
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestOnlySlackIsHeard(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	command := "command=%2Fincident&text=declare+Fake&user_id=" + w.ann.ID + "&channel_id=" + w.ops.ID + "&trigger_id=1.2.3"
	for _, tt := range []struct {
		name, path, body, secret string
		age                      time.Duration
		status                   int
	}{
		{"a command without a signature", "/slack/commands", command, "", 0, http.StatusUnauthorized},
		{"a command with another secret", "/slack/commands", command, "guess", 0, http.StatusUnauthorized},
		{"an old command", "/slack/commands", command, w.SigningSecret(), 6 * time.Minute, http.StatusUnauthorized},
		{"a command of tomorrow", "/slack/commands", command, w.SigningSecret(), -24 * time.Hour, http.StatusUnauthorized},
		{"a command that claims to test the certificate", "/slack/commands", command + "&ssl_check=1", "", 0, http.StatusUnauthorized},
		{"an interaction without a signature", "/slack/interactivity", "payload={}", "", 0, http.StatusUnauthorized},
		{"an event without a signature", "/slack/events", `{"type":"url_verification","challenge":"x"}`, "", 0, http.StatusUnauthorized},
		{"a test of the certificate", "/slack/commands", "ssl_check=1&token=x", "", 0, http.StatusOK},
		{"a command that is none", "/slack/commands", "x=y", w.SigningSecret(), 0, http.StatusBadRequest},
		{"an interaction that is none", "/slack/interactivity", "payload=%7B", w.SigningSecret(), 0, http.StatusBadRequest},
		{"an event that is none", "/slack/events", "nothing", w.SigningSecret(), 0, http.StatusBadRequest},
		{"an event nobody knows", "/slack/events", `{"type":"event_callback","event":{"type":"moon_landing","user":"U1"}}`, w.SigningSecret(), 0, http.StatusOK},
		{"a user that is none", "/slack/events", `{"type":"event_callback","event":{"type":"user_change","user":"U1"}}`, w.SigningSecret(), 0, http.StatusOK},
		{"an interaction nobody knows", "/slack/interactivity", "payload=%7B%22type%22%3A%22moon_landing%22%7D", w.SigningSecret(), 0, http.StatusOK},
		{"too much", "/slack/events", strings.Repeat("x", 5<<20), w.SigningSecret(), 0, http.StatusRequestEntityTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if status, body := w.post(t, tt.path, tt.body, time.Now().Add(-tt.age), tt.secret); status != tt.status {
				t.Errorf("got %d %s, want %d", status, body, tt.status)
			}
		})
	}
	t.Run("nothing was done", func(t *testing.T) {
		if n := w.count(t); n != 0 {
			t.Errorf("got %d incidents", n)
		}
	})
}

func TestGetIsNotAllowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/slack/commands", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("got %d, want 405", resp.StatusCode)
	}
}

func TestSlacksOwnChecks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	if _, err := w.SSLCheck(deadline(t)); err != nil {
		t.Errorf("ssl_check: %v", err)
	}
	if _, err := w.VerifyEvents(deadline(t)); err != nil {
		t.Errorf("url_verification: %v", err)
	}
}

func TestWithoutASecretNothingIsServed(t *testing.T) {
	t.Parallel()
	text, err := templates.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	slack.NewEdge(slack.EdgeConfig{Clock: incidents.SystemClock{}, Text: text}).Mount(mux)
	recorder := httptest.NewRecorder()
	mux.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/slack/commands", bytes.NewReader(nil)))
	if recorder.Code != http.StatusNotFound {
		t.Errorf("got %d, want 404", recorder.Code)
	}
}

func TestObserve(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]int{}
	w := newWorld(t, setup{observe: func(transport, kind string, d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		seen[transport+" "+kind]++
		if d <= 0 || d > time.Minute {
			t.Errorf("%s %s took %s", transport, kind, d)
		}
	}})
	w.say(t, w.ann, w.ops.ID, "list")
	if _, err := w.Post(deadline(t), w.ann.ID, "general", "hello", ""); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if seen["http command"] != 1 {
		t.Errorf("got %v", seen)
	}
}

func TestAnswersThatComeLateAreSentAfterwards(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	// The only writing connection is held by somebody else for a while.
	tx, err := w.store.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	release := time.AfterFunc(3500*time.Millisecond, func() { _ = tx.Rollback() })
	defer release.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err = w.Command(ctx, sandbox.Command{User: w.ann.ID, Channel: w.ops.ID, Command: "/incident", Text: "declare Slow day"})
	if err == nil || !strings.Contains(err.Error(), "operation_timeout") {
		t.Fatalf("got %v, want a timeout", err)
	}
	if _, err := w.WaitEphemeral(ctx, w.ops.ID, w.ann.ID, "INC-1"); err != nil {
		t.Errorf("the late answer did not come: %v", err)
	}
}
