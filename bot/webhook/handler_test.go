package webhook_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/webhook"
	"github.com/houston-sre/houston/incidents"
)

const (
	token = "correct-horse"
	one   = `{"receiver":"ok","groupKey":"{}:{}","alerts":[{"status":"firing","labels":{"alertname":"A"}}]}`
)

// sink keeps the deliveries it is given, or fails.
type sink struct {
	err        error
	deliveries []incidents.Delivery
	changes    []incidents.ChangeEvent
	acted      []string
	pages      []incidents.PageSignal
}

func (s *sink) Acted(_ context.Context, id string) (bool, error) {
	return slices.Contains(s.acted, id), s.err
}

func (s *sink) TakeChange(_ context.Context, _ incidents.Once, change incidents.ChangeEvent) (incidents.ChangeEvent, bool, error) {
	if s.err == nil {
		s.changes = append(s.changes, change)
	}
	return change, true, s.err
}

func (s *sink) TakePage(_ context.Context, signal incidents.PageSignal) error {
	s.pages = append(s.pages, signal)
	return s.err
}

func (s *sink) Act(_ context.Context, id string) error {
	s.acted = append(s.acted, id)
	return s.err
}

func (s *sink) Ingest(ctx context.Context, d incidents.Delivery) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.err == nil {
		s.deliveries = append(s.deliveries, d)
	}
	return s.err
}

type clock struct{ at time.Time }

func (c clock) Now() time.Time { return c.at }

func now() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) }

func newHandler(s *sink) http.Handler {
	mux := http.NewServeMux()
	webhook.New(webhook.Config{Token: token, Ingester: s, Clock: clock{now()}, Log: quiet()}).Mount(mux)
	return mux
}

func TestHandler(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, method, target, body string
		auth                       func(*http.Request)
		fails                      error
		status                     int
		says                       string
	}{
		{name: "stored", status: 200, says: "stored"},
		{name: "trailing slash is no redirect", target: "/webhooks/alertmanager/", status: 200},
		{name: "basic password", auth: func(r *http.Request) { r.SetBasicAuth("anybody", token) }, status: 200},
		{name: "no token", auth: func(*http.Request) {}, status: 401, says: "webhook.token"},
		{name: "wrong token", auth: func(r *http.Request) { r.Header.Set("Authorization", "Bearer wrong") }, status: 401},
		{name: "empty token", auth: func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, status: 401},
		{name: "token as the user", auth: func(r *http.Request) { r.SetBasicAuth(token, "") }, status: 401},
		{name: "get", method: "GET", status: 405, says: "POST"},
		{name: "put", method: "PUT", status: 405},
		{name: "head", method: "HEAD", status: 405},
		{name: "unknown", target: "/webhooks/nagios", status: 404},
		{name: "below a sender", target: "/webhooks/alertmanager/x", status: 404},
		{name: "what prometheus posts to", target: "/webhooks/alertmanager/api/v2/alerts", body: `[{"labels":{"alertname":"A"}}]`, status: 200},
		{name: "grafana may put", method: "PUT", target: "/webhooks/grafana", status: 200},
		{name: "no sender", target: "/webhooks/", status: 404},
		{name: "no alerts", body: `{"status":"firing"}`, status: 400, says: "alerts is missing"},
		{name: "compressed", status: 415, says: "compressed", auth: func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Content-Encoding", "gzip")
		}},
		{name: "bad source", target: "/webhooks/alertmanager?source=a%0Ab", status: 400, says: "source"},
		{name: "not stored", fails: errors.New("dial tcp 10.0.0.7:5432: password secret"), status: 503, says: "Deliver it again"},
		{name: "a user's error", fails: incidents.Errorf(incidents.Invalid, "No."), status: 400, says: "No."},
		{name: "passing trouble is never 4xx", fails: incidents.Errorf(incidents.Unavailable, "Later."), status: 503},
		{name: "a missing incident is never 4xx", fails: incidents.Errorf(incidents.NotFound, "Gone."), status: 503},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(newHandler(&sink{err: tt.fails}))
			defer server.Close()
			r, err := http.NewRequestWithContext(t.Context(), or(tt.method, "POST"),
				server.URL+or(tt.target, "/webhooks/alertmanager"), strings.NewReader(or(tt.body, one)))
			if err != nil {
				t.Fatal(err)
			}
			if tt.auth == nil {
				tt.auth = func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
			}
			tt.auth(r)
			response, err := http.DefaultTransport.RoundTrip(r) // follows no redirect
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = response.Body.Close() }()
			answer, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != tt.status {
				t.Errorf("got status %d (%s), want %d", response.StatusCode, answer, tt.status)
			}
			if !strings.Contains(string(answer), tt.says) {
				t.Errorf("got %q, want it to say %q", answer, tt.says)
			}
			if len(answer) > 200 || strings.Contains(string(answer), "secret") || strings.Contains(string(answer), token) {
				t.Errorf("got %q, want a short answer without secrets", answer)
			}
			if allow := response.Header.Get("Allow"); (allow == "POST") != (tt.status == 405) {
				t.Errorf("got Allow %q with status %d", allow, tt.status)
			}
		})
	}
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

func TestWithoutTokenNothingIsTaken(t *testing.T) {
	t.Parallel()
	s := &sink{}
	h := webhook.New(webhook.Config{Ingester: s, Clock: clock{now()}, Log: quiet()})
	for name, header := range map[string]string{"none": "", "empty bearer": "Bearer ", "empty basic": "Basic Og=="} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/alertmanager", strings.NewReader(one))
		r.Header.Set("Authorization", header)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusUnauthorized || len(s.deliveries) != 0 {
			t.Errorf("%s: got status %d and %d deliveries, want 401 and none", name, w.Code, len(s.deliveries))
		}
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	large := append([]byte(`{"alerts":[{"labels":{"a":"`), bytes.Repeat([]byte("x"), webhook.MaxBody)...)
	for name, length := range map[string]int64{"announced": int64(len(large)), "chunked": -1} {
		s := &sink{}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/alertmanager", bytes.NewReader(large))
		r.ContentLength = length
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		newHandler(s).ServeHTTP(w, r)
		if w.Code != http.StatusRequestEntityTooLarge || len(s.deliveries) != 0 {
			t.Errorf("%s: got status %d and %d deliveries, want 413 and none", name, w.Code, len(s.deliveries))
		}
	}
}

func TestSourceAndObservation(t *testing.T) {
	t.Parallel()
	type seen struct {
		Kind   string
		Status int
	}
	var got []seen
	s := &sink{}
	h := webhook.New(webhook.Config{
		Token: token, Ingester: s, Clock: clock{now()}, Log: quiet(),
		Observe: func(kind string, status int) { got = append(got, seen{kind, status}) },
	})
	post(t, h, "/webhooks/alertmanager", []byte(one))
	post(t, h, "/webhooks/alertmanager?source=berlin", []byte(one))
	post(t, h, "/webhooks/made-up-by-a-stranger", []byte(one))
	if diff := cmp.Diff([]seen{{"alertmanager", 200}, {"alertmanager", 200}, {"unknown", 404}}, got); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
	if s.deliveries[0].Source != "default" || s.deliveries[1].Source != "berlin" {
		t.Errorf("got sources %q and %q, want default and berlin", s.deliveries[0].Source, s.deliveries[1].Source)
	}
}

// TestHangingUp: a sender that gives up waiting does not undo the storing.
func TestHangingUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &sink{}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/webhooks/alertmanager", strings.NewReader(one))
	r.Header.Set("Authorization", "Bearer "+token)
	newHandler(s).ServeHTTP(httptest.NewRecorder(), r)
	if len(s.deliveries) != 1 {
		t.Errorf("got %d deliveries stored, want 1", len(s.deliveries))
	}
}
