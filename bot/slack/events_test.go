package slack_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestEventsAreAcknowledgedWhenTheyAreDurable has the database gone: Slack is
// not told that a pin arrived, and so delivers it again.
func TestEventsAreAcknowledgedWhenTheyAreDurable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		socket bool
		code   string
		status int
	}{{"http", false, "http_service_error", http.StatusServiceUnavailable}, {"socket", true, "operation_timeout", 0}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, setup{socket: tt.socket})
			_, channel := w.opened(t, "Offers missing", false)
			posted, err := w.Post(deadline(t), w.ann.ID, channel.ID, "Restarted offers", "")
			if err != nil {
				t.Fatal(err)
			}
			if err := w.store.Close(); err != nil {
				t.Fatal(err)
			}
			_, err = w.React(deadline(t), w.ann.ID, channel.ID, posted.TS, "eyes")
			if err != nil {
				t.Errorf("a reaction of no interest: %v", err)
			}
			_, err = w.React(deadline(t), w.ann.ID, channel.ID, posted.TS, "pushpin")
			failed, ok := errors.AsType[*sandbox.ActError](err)
			if !ok || failed.Code != tt.code || failed.Status != tt.status {
				t.Errorf("a pin that could not be stored: got %v, want %s", err, tt.code)
			}
		})
	}
}
