package web

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// pingTimeout bounds how long the database may take to prove that it answers.
const pingTimeout = 2 * time.Second

// Health answers /healthz (the process is alive) and /readyz (it can take work).
type Health struct {
	ping     func(context.Context) error
	draining atomic.Bool
}

// NewHealth makes a Health; ping asks the database, for example Store.Ping.
func NewHealth(ping func(context.Context) error) *Health { return &Health{ping: ping} }

// Drain makes the process not ready: it is about to stop, and whoever balances
// the load should send nothing new.
func (h *Health) Drain() { h.draining.Store(true) }

// Mount puts the two paths on a mux.
func (h *Health) Mount(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", h.ready)
}

func (h *Health) ready(w http.ResponseWriter, r *http.Request) {
	if h.draining.Load() {
		say(w, http.StatusServiceUnavailable, "draining: this process is about to stop")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pingTimeout)
	defer cancel()
	if err := h.ping(ctx); err != nil {
		say(w, http.StatusServiceUnavailable, "the database does not answer")
		return
	}
	say(w, http.StatusOK, "ready")
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n")
}
