package slack

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

func TestEphemeral(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text string }{
		{"nothing", ""},
		{"short", "a &amp; b <#C1>"},
		{"at the limit", strings.Repeat("x", maxReply)},
		{"long", strings.Repeat("x", 40000)},
		{"long and wide", strings.Repeat("🔥", 40000)},
		{"long and escaped by JSON", strings.Repeat("\u2028", 40000)},
		{"cut inside of an entity", strings.Repeat("x", maxReply-4) + "&amp;" + strings.Repeat("y", 10)},
		{"cut just behind an entity", strings.Repeat("x", maxReply-6) + "&amp;" + strings.Repeat("y", 10)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			raw := ephemeral(tt.text)
			var got message
			if err := json.Unmarshal(raw, &got); err != nil {
				t.Fatal(err)
			}
			if got.ResponseType != "ephemeral" || got.ReplaceOriginal {
				t.Errorf("got %+v", got)
			}
			if len(raw) >= 20000 {
				t.Errorf("got %d bytes; Slack drops an ack of 20 KB", len(raw))
			}
			if n := utf8.RuneCountInString(got.Text); n > maxReply || !utf8.ValidString(got.Text) {
				t.Errorf("got %d characters", n)
			}
			if utf8.RuneCountInString(tt.text) <= maxReply && got.Text != tt.text {
				t.Errorf("got %q, want it whole", got.Text)
			}
			if left := strings.ReplaceAll(got.Text, "&amp;", ""); strings.Contains(left, "&") {
				t.Errorf("an entity was cut: …%s", got.Text[len(got.Text)-12:])
			}
		})
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	text, err := templates.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	edge := NewEdge(EdgeConfig{Directory: NewDirectory(DirectoryConfig{}), Text: text, Clock: newMovedClock(), Log: slog.New(slog.NewTextHandler(&log, nil))})
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name   string
		ctx    context.Context //nolint:containedctx // it is what is tested
		err    error
		want   string
		logged bool
	}{
		{"a user's mistake", t.Context(), incidents.Errorf(incidents.Invalid, "No <b> & c."), "No &lt;b&gt; &amp; c.", false},
		{"inside", t.Context(), errors.New("sql: <secret>"), "Nothing was changed", true},
		{"out of time", t.Context(), context.DeadlineExceeded, "Look with `/incident list`", true},
		{"out of time in a driver's words", over, errors.New("interrupted (9)"), "Look with `/incident list`", true},
	} {
		log.Reset()
		got := edge.explain(tt.ctx, "U0", tt.err, "test")
		if !strings.Contains(got, tt.want) || strings.Contains(got, "secret") {
			t.Errorf("%s: got %q, want %q in it", tt.name, got, tt.want)
		}
		if lines := strings.Count(log.String(), "\n"); (lines == 1) != tt.logged {
			t.Errorf("%s: got %d lines logged, want logged %t", tt.name, lines, tt.logged)
		}
	}
}
