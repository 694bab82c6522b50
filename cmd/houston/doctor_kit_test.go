package main

import (
	"context"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// newSlackWith is newSlack with a configuration of the stand-in.
func newSlackWith(t *testing.T, config sandbox.Config) (*sandbox.Workspace, string) {
	t.Helper()
	w := sandbox.New(config)
	t.Cleanup(w.Close)
	w.AddUser(sandbox.User{ID: anna, Name: "anna", RealName: "Anna Reporter", TZ: "Europe/Zurich"})
	w.AddUser(sandbox.User{ID: ben, Name: "ben", RealName: "Ben Responder", TZ: "Europe/Zurich"})
	w.AddChannel(sandbox.Channel{Name: announced, Creator: anna, Members: []string{anna, ben}})
	server, err := sandbox.Serve(w, "127.0.0.1:0")
	if err != nil {
		t.Fatalf("serve the sandbox: %v", err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return w, server.APIURL()
}

// untilWithin polls until something is true, for what needs more patience.
func (h *house) untilWithin(limit time.Duration, what string, done func() bool) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), limit)
	defer cancel()
	for !done() {
		if ctx.Err() != nil {
			h.t.Fatalf("waited %s in vain until %s", limit, what)
		}
		h.pause(20 * time.Millisecond)
	}
}
