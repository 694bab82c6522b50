package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/houston-sre/houston/bot/web"
	"github.com/houston-sre/houston/incidents"
)

func get(t *testing.T, h http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	return w
}

func TestHealth(t *testing.T) {
	t.Parallel()
	var down error
	health := web.NewHealth(func(ctx context.Context) error {
		if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) > 2*time.Second {
			return errors.New("no deadline of 2s")
		}
		return down
	})
	mux := http.NewServeMux()
	health.Mount(mux)
	check := func(path string, status int, says string) {
		t.Helper()
		if w := get(t, mux, path); w.Code != status || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: got %d %q, want %d and %q", path, w.Code, w.Body, status, says)
		}
	}
	check("/readyz", 200, "ready")
	down = errors.New("dial tcp: password=hunter2")
	check("/readyz", 503, "the database does not answer\n")
	check("/healthz", 200, "alive")
	down = nil
	health.Drain()
	check("/readyz", 503, "draining")
	check("/healthz", 200, "alive")
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	m := web.NewMetrics()
	web.NewMetrics() // each has a registry of its own
	var failing error
	m.EffectsOwed(func(context.Context) (map[incidents.EffectKind]int, error) {
		return map[incidents.EffectKind]int{incidents.MakeCard: 3}, failing
	})
	m.ChannelUsable(400 * time.Millisecond)
	m.SlackAnswered("command", 10*time.Millisecond)
	m.WebhookDelivered("alertmanager", 200)
	m.HTTPAnswered("/api/v1/incidents", "BREW", 200, time.Millisecond)
	mux := http.NewServeMux()
	m.Mount(mux)
	body := get(t, mux, "/metrics").Body.String()
	for _, want := range []string{
		`houston_declare_to_usable_channel_seconds_bucket{le="0.35"} 0`,
		`houston_declare_to_usable_channel_seconds_bucket{le="0.5"} 1`,
		`houston_declare_to_usable_channel_seconds_bucket{le="60"} 1`,
		`houston_slack_answer_seconds_count{kind="command"} 1`,
		`houston_webhook_deliveries_total{source="alertmanager",status="200"} 1`,
		`houston_effects_owed{kind="card"} 3`,
		`houston_effects_owed{kind="channel"} 0`,
		`houston_http_request_seconds_count{method="other",route="/api/v1/incidents",status="200"} 1`,
		"go_goroutines ", "process_cpu_seconds_total ",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	problems, err := promlint.New(strings.NewReader(body)).Lint()
	for _, p := range problems {
		t.Errorf("%s breaks Prometheus' rules for names: %s", p.Metric, p.Text)
	}
	if err != nil {
		t.Error(err)
	}
	failing = errors.New("down")
	if w := get(t, mux, "/metrics"); w.Code != 200 || strings.Contains(w.Body.String(), "houston_effects_owed{") {
		t.Errorf("got %d, want a scrape without the gauge that can not be known", w.Code)
	}
}

func TestAPIIsMeasuredByRoute(t *testing.T) {
	t.Parallel()
	m := web.NewMetrics()
	mux := http.NewServeMux()
	web.NewAPI(web.Config{
		Service: incidents.NewService(incidents.Config{Store: newStore(), Clock: clock{}}), Metrics: m, Token: token,
	}).Mount(mux)
	m.Mount(mux)
	get(t, mux, "/api/v1/incidents/INC-7")
	if body := get(t, mux, "/metrics").Body.String(); !strings.Contains(body,
		`houston_http_request_seconds_count{method="GET",route="/api/v1/incidents/{key}",status="401"} 1`) {
		t.Error("the request was not measured by its route")
	}
}

func TestOpenAPIIsServed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	got := get(t, h.server.Config.Handler, "/api/v1/openapi.json")
	if got.Code != 200 || got.Header().Get("Content-Type") != "application/json" || !json.Valid(got.Body.Bytes()) {
		t.Errorf("got %d %s, want valid JSON", got.Code, got.Header().Get("Content-Type"))
	}
}

func TestServerHasTimeouts(t *testing.T) {
	t.Parallel()
	s := web.NewServer("127.0.0.1:0", http.NotFoundHandler())
	if s.IdleTimeout < 75*time.Second {
		t.Errorf("got idle timeout %s, want at least 75s", s.IdleTimeout)
	}
	if s.ReadHeaderTimeout <= 0 || s.ReadTimeout <= 0 || s.WriteTimeout <= 0 || s.MaxHeaderBytes <= 0 {
		t.Errorf("got %+v, want every timeout set", s)
	}
}

// TestNothingIsRedirected: http.ServeMux alone answers some of these with 307.
func TestNothingIsRedirected(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/webhooks/", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Method+" "+r.URL.Path) })
	s := web.NewServer("", mux)
	for target, want := range map[string]string{
		"/webhooks/alertmanager":      "POST /webhooks/alertmanager",
		"//webhooks/alertmanager":     "POST /webhooks/alertmanager",
		"/webhooks//alertmanager/":    "POST /webhooks/alertmanager/",
		"/x/../webhooks/alertmanager": "POST /webhooks/alertmanager",
		"/webhooks/a%2Fb//c":          "POST /webhooks/a/b/c",
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://houston.example"+target, http.NoBody)
		s.Handler.ServeHTTP(w, r)
		if w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: got %d %q, want %q", target, w.Code, w.Body, want)
		}
	}
}
