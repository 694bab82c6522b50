package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// repeatAfter is how soon River may say the same again.
const repeatAfter = 10 * time.Second

// quietHandler passes on what River logs as Warn or Error, as Warn, since all
// of it mends itself or shows elsewhere (readiness, what is owed), and the same
// message once in ten seconds: a database that is away fails every poll.
type quietHandler struct {
	slog.Handler

	said *said
}

func quiet(to slog.Handler) slog.Handler {
	return quietHandler{Handler: to, said: &said{at: map[string]time.Time{}}}
}

// said remembers when each message was last passed on; River has a fixed set.
type said struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (s *said) lately(message string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, ok := s.at[message]; ok && now.Sub(last) < repeatAfter {
		return true
	}
	s.at[message] = now
	return false
}

func (h quietHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, slog.LevelWarn)
}

func (h quietHandler) Handle(ctx context.Context, record slog.Record) error {
	if h.said.lately(record.Message, record.Time) {
		return nil
	}
	calm := slog.NewRecord(record.Time, slog.LevelWarn, "queue: "+record.Message, record.PC)
	record.Attrs(func(attr slog.Attr) bool {
		calm.AddAttrs(attr)
		return true
	})
	return h.Handler.Handle(ctx, calm)
}

func (h quietHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return quietHandler{Handler: h.Handler.WithAttrs(attrs), said: h.said}
}

func (h quietHandler) WithGroup(name string) slog.Handler {
	return quietHandler{Handler: h.Handler.WithGroup(name), said: h.said}
}
