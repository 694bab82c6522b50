package sandbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// tick waits for a tick and reports whether the channel is still open.
func tick(t *testing.T, ticks <-chan struct{}) bool {
	t.Helper()
	select {
	case _, open := <-ticks:
		return open
	case <-time.After(5 * time.Second):
		t.Fatal("no tick")
		return false
	}
}

func TestSubscribe(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	ticks := w.Subscribe(ctx)
	if !tick(t, ticks) {
		t.Fatal("closed at once")
	}

	ops := w.create("ops-2", false)
	for range 20 {
		w.post(ops, text("hello"))
	}
	if !tick(t, ticks) || len(w.Messages(ops)) < 20 {
		t.Errorf("got %d messages after the tick, want 20", len(w.Messages(ops)))
	}
	select {
	case <-ticks:
		t.Error("ticks did not coalesce")
	default:
	}

	cancel()
	for tick(t, ticks) {
		continue
	}
	w.post(ops, text("nobody listens"))
}

func TestSubscribeEndsWithTheWorkspace(t *testing.T) {
	t.Parallel()
	w := sandbox.New(sandbox.Config{})
	ticks := w.Subscribe(t.Context())
	w.Close()
	for tick(t, ticks) {
		continue
	}
	for late := w.Subscribe(t.Context()); tick(t, late); {
		continue
	}
}
