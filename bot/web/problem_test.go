package web_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/web"
	"github.com/houston-sre/houston/incidents"
)

func TestWhoMayUseTheAPI(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, token, sent, host, origin string
		open                            bool
		status                          int
		says                            string
	}{
		{name: "right", token: token, sent: "Bearer " + token, status: 200},
		{name: "scheme in lower case", token: token, sent: "bearer " + token, status: 200},
		{name: "none", token: token, status: 401, says: "Bearer"},
		{name: "wrong", token: token, sent: "Bearer nope", status: 401, says: "web.token"},
		{name: "basic", token: token, sent: "Basic " + token, status: 401},
		{name: "nothing configured", status: 401, says: "web.token"},
		{name: "nothing configured, nothing sent", sent: "Bearer ", status: 401, says: "web.token"},
		{name: "open", open: true, status: 200},
		{name: "open under another name", open: true, host: "evil.example", status: 403, says: "web.auth"},
		{name: "open to another site's page", open: true, origin: "https://evil.example", status: 403},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			mux := http.NewServeMux()
			web.NewAPI(web.Config{
				Service: incidents.NewService(incidents.Config{Store: newStore(), Clock: clock{}}),
				Log:     slog.New(slog.DiscardHandler), Token: tt.token, Open: tt.open,
			}).Mount(mux)
			method := http.MethodGet
			if tt.origin != "" {
				method = http.MethodPost
			}
			r := httptest.NewRequestWithContext(t.Context(), method, "/api/v1/incidents", strings.NewReader(`{"title":"A"}`))
			r.Host = "127.0.0.1:8080"
			if tt.host != "" {
				r.Host = tt.host
			}
			r.Header.Set("Authorization", tt.sent)
			r.Header.Set("Origin", tt.origin)
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.says) {
				t.Errorf("got %d %s, want %d and %q", w.Code, w.Body, tt.status, tt.says)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err    error
		status int
		says   string
		logged bool
	}{
		{incidents.Errorf(incidents.Invalid, "Say a."), 400, "Say a.", false},
		{incidents.Errorf(incidents.NotFound, "Say b."), 404, "Say b.", false},
		{incidents.Errorf(incidents.Forbidden, "Say c."), 403, "Say c.", false},
		{incidents.Errorf(incidents.Conflict, "Say d."), 409, "Say d.", false},
		{incidents.Errorf(incidents.Mismatch, "Say e."), 422, "Say e.", false},
		{incidents.Errorf(incidents.Gone, "Say f."), 410, "Say f.", false},
		{&incidents.Error{Kind: incidents.Unavailable, Message: "Say g.", After: 1500 * time.Millisecond}, 503, "Say g.", false},
		{fmt.Errorf("load: %w", incidents.Errorf(incidents.Conflict, "Say h.")), 409, "Say h.", false},
		{errors.New("password=hunter2"), 500, "in the log", true},
	} {
		h := newHouse(t, incidents.Permissions{})
		h.store.fails = tt.err
		got := h.ask("GET", "/api/v1/incidents", "")
		got.refused(t, tt.status, tt.says)
		if strings.Contains(got.body, "hunter2") {
			t.Errorf("got %s, want nothing of an internal error told", got.body)
		}
		if lines := strings.Count(h.log.String(), "\n"); (lines == 1) != tt.logged || lines > 1 {
			t.Errorf("%v: got %d log lines, want one only for an internal error", tt.err, lines)
		}
		if after := got.header.Get("Retry-After"); (after == "2") != (tt.status == 503) {
			t.Errorf("%v: got Retry-After %q", tt.err, after)
		}
	}
}
