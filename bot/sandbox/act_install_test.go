package sandbox_test

import (
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestUninstall(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	w.wantError(w.form("auth.test"), "")
	if _, err := w.Uninstall(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.nextEvent(t, "tokens_revoked", "")
	a.nextEvent(t, "app_uninstalled", "")
	w.wantError(w.form("auth.test"), "account_inactive")
	w.wantError(w.form("chat.postMessage", "channel", "C1", "text", "x"), "account_inactive")
}

func TestLimitEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	if _, err := w.LimitEvents(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := decode(t, a.next(t, "/events").body)
	if got["type"] != "app_rate_limited" || got["event"] != nil || got["minute_rate_limited"] == nil {
		t.Errorf("got %v", got)
	}
}
