package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// WaitFor returns as soon as done holds, trying it now and after every change of
// the workspace (a call ended, a message came, a fault fired). It fails when ctx
// ends, wrapping ctx's error.
func (w *Workspace) WaitFor(ctx context.Context, done func(*View) bool) error {
	for {
		w.st.mu.Lock()
		changed := w.st.changed
		w.st.mu.Unlock()
		if done(&w.View) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for the workspace to change: %w", ctx.Err())
		}
	}
}

// WaitMessage waits for a message in the channel (ID or name) whose text or
// blocks hold the substring, and returns the newest such message.
func (w *Workspace) WaitMessage(ctx context.Context, channel, substring string) (Message, error) {
	var found Message
	err := w.WaitFor(ctx, func(v *View) bool {
		m, ok := containing(v.Messages(channel), substring)
		found = m
		return ok
	})
	if err != nil {
		return Message{}, fmt.Errorf("message %q in %s: %w", substring, channel, err)
	}
	return found, nil
}

// WaitEphemeral waits for a message that only user sees in the channel.
func (w *Workspace) WaitEphemeral(ctx context.Context, channel, user, substring string) (Message, error) {
	var found Message
	err := w.WaitFor(ctx, func(v *View) bool {
		m, ok := containing(v.Ephemerals(channel, user), substring)
		found = m
		return ok
	})
	if err != nil {
		return Message{}, fmt.Errorf("ephemeral message %q in %s: %w", substring, channel, err)
	}
	return found, nil
}

// WaitChannel waits for a channel whose name starts with prefix and returns the
// oldest such channel.
func (w *Workspace) WaitChannel(ctx context.Context, prefix string) (Channel, error) {
	var found Channel
	err := w.WaitFor(ctx, func(v *View) bool {
		for _, c := range v.Channels() {
			if strings.HasPrefix(c.Name, prefix) {
				found = c
				return true
			}
		}
		return false
	})
	if err != nil {
		return Channel{}, fmt.Errorf("channel %s…: %w", prefix, err)
	}
	return found, nil
}

// WaitPins waits until a channel has at least n pins and returns the pinned messages.
func (w *Workspace) WaitPins(ctx context.Context, channel string, n int) ([]Message, error) {
	var pins []Message
	err := w.WaitFor(ctx, func(v *View) bool {
		pins = v.Pins(channel)
		return len(pins) >= n
	})
	if err != nil {
		return nil, fmt.Errorf("%d pins in %s, have %d: %w", n, channel, len(pins), err)
	}
	return pins, nil
}

// unescaped turns stored JSON into text in which substrings can be looked for
// as they read: JSON's \u003c and friends are undone.
func unescaped(raw json.RawMessage) string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return ""
	}
	var b strings.Builder
	collectText(v, &b)
	return b.String()
}

func collectText(v any, b *strings.Builder) {
	switch v := v.(type) {
	case map[string]any:
		for _, child := range v {
			collectText(child, b)
		}
	case []any:
		for _, child := range v {
			collectText(child, b)
		}
	case string:
		b.WriteString(v)
		b.WriteByte('\n')
	}
}
