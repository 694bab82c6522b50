package slack

import (
	"errors"
	"net"
	"testing"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
)

func TestFailure(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name              string
		err               error
		terminal, unknown bool
		after             time.Duration
	}{
		{"archived channel", slackgo.SlackErrorResponse{Err: "is_archived"}, true, false, 0},
		{"deleted channel", slackgo.SlackErrorResponse{Err: "channel_not_found"}, true, false, 0},
		{"app switched off", slackgo.SlackErrorResponse{Err: "account_inactive"}, true, false, 0},
		{"token being replaced", slackgo.SlackErrorResponse{Err: "invalid_auth"}, false, false, 0},
		{"half done", slackgo.SlackErrorResponse{Err: "fatal_error"}, false, true, 0},
		{"a code nobody knows", slackgo.SlackErrorResponse{Err: "brand_new"}, false, false, 0},
		{"rate limit", &slackgo.RateLimitedError{RetryAfter: 7 * time.Second}, false, false, 7 * time.Second},
		{"outage", slackgo.StatusCodeError{Code: 503}, false, true, 0},
		{"a proxy's refusal", slackgo.StatusCodeError{Code: 403}, false, false, 0},
		{"connection refused", &net.OpError{Op: "dial", Err: errors.New("refused")}, false, false, 0},
		{"connection lost", &net.OpError{Op: "read", Err: errors.New("reset")}, false, true, 0},
		{"anything else", errors.New("unexpected end"), false, true, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, ok := errors.AsType[*bot.Failure](failure(tt.err))
			if !ok {
				t.Fatalf("failure(%v) is no *bot.Failure", tt.err)
			}
			if f.Terminal != tt.terminal || f.Unknown != tt.unknown || f.After != tt.after {
				t.Errorf("failure(%v) = terminal %v, unknown %v, after %v; want %v, %v, %v",
					tt.err, f.Terminal, f.Unknown, f.After, tt.terminal, tt.unknown, tt.after)
			}
			if f.Reason == "" {
				t.Error("a failure without a reason tells people nothing")
			}
		})
	}
}
