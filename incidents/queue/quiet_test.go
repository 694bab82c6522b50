package queue

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestQuiet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		out := &journal{}
		log := slog.New(quiet(slog.NewTextHandler(out, nil))).With("client", "a")
		log.InfoContext(t.Context(), "started")
		log.ErrorContext(t.Context(), "error fetching jobs", "err", "no route")
		log.ErrorContext(t.Context(), "error fetching jobs", "err", "no route")
		log.WithGroup("g").WarnContext(t.Context(), "job stuck")
		<-time.After(repeatAfter)
		log.ErrorContext(t.Context(), "error fetching jobs", "err", "no route")

		got := out.String()
		for text, times := range map[string]int{
			"started":     0,
			"level=ERROR": 0,
			`level=WARN msg="queue: error fetching jobs" client=a err="no route"`: 2,
			`level=WARN msg="queue: job stuck" client=a`:                          1,
		} {
			if n := strings.Count(got, text); n != times {
				t.Errorf("%d lines with %q, want %d, in\n%s", n, text, times, got)
			}
		}
	})
}
