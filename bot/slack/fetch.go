package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// fetch reads one message as it is now, be it in the channel or in a thread.
// False when there is none: it was deleted.
func (e *Edge) fetch(ctx context.Context, channel, ts string) (slackgo.Message, bool, error) {
	history, err := e.config.Client.API().GetConversationHistoryContext(ctx, &slackgo.GetConversationHistoryParameters{
		ChannelID: channel, Latest: ts, Inclusive: true, Limit: 1,
	})
	if err != nil {
		return slackgo.Message{}, false, fmt.Errorf("read a message: %w", err)
	}
	for _, m := range history.Messages {
		if m.Timestamp == ts { // otherwise it is the one before
			return m, m.SubType != "tombstone", nil
		}
	}
	return e.fetchReply(ctx, channel, ts)
}

// fetchReply finds a reply in its thread, which any of its messages names.
func (e *Edge) fetchReply(ctx context.Context, channel, ts string) (slackgo.Message, bool, error) {
	params := &slackgo.GetConversationRepliesParameters{ChannelID: channel, Timestamp: ts, Oldest: ts, Latest: ts, Inclusive: true, Limit: 10}
	for {
		messages, _, next, err := e.config.Client.API().GetConversationRepliesContext(ctx, params)
		switch {
		case refusedAs(err, "thread_not_found"):
			return slackgo.Message{}, false, nil
		case err != nil:
			return slackgo.Message{}, false, fmt.Errorf("read a thread: %w", err)
		}
		for _, m := range messages {
			if m.Timestamp == ts {
				return m, m.SubType != "tombstone", nil
			}
		}
		if next == "" {
			return slackgo.Message{}, false, nil
		}
		params.Cursor = next
	}
}

// said gives a message's text as it is stored; files stand in it by name.
func (e *Edge) said(m slackgo.Message) string {
	parts := []string{strings.TrimSpace(e.plain(m.Text))}
	for _, f := range m.Files {
		parts = append(parts, "["+firstOf(f.Title, f.Name, f.ID)+"]")
	}
	return cut(strings.TrimSpace(strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n")), incidents.MaxText)
}

// author tells who wrote a message.
func (e *Edge) author(ctx context.Context, m slackgo.Message) incidents.Person {
	name := m.Username
	if m.BotProfile != nil {
		name = firstOf(name, m.BotProfile.Name)
	}
	if m.User == "" {
		return incidents.Person{ID: m.BotID, Name: firstOf(name, m.BotID)}
	}
	profile, _ := e.config.Directory.Profile(ctx, m.User)
	return incidents.Person{ID: m.User, Name: firstOf(profile.Name, name, m.User)}
}

// settled turns the failure of a call in a job into what becomes of the job: nil
// when no further try can help, which is logged.
func (e *Edge) settled(ctx context.Context, err error, doing string) error {
	if known, ok := errors.AsType[*incidents.Error](err); ok {
		if known.Kind == incidents.Unavailable {
			return err
		}
		e.config.Log.InfoContext(ctx, "a job from Slack came to nothing", "doing", doing, "reason", known.Message)
		return nil
	}
	failed, ok := errors.AsType[*bot.Failure](failure(err))
	switch {
	case err == nil:
		return nil
	case ok && failed.Terminal:
		e.config.Log.WarnContext(ctx, "a job from Slack can not be done", "doing", doing, "reason", failed.Reason, "error", err)
		return nil
	case ok && failed.After > 0:
		return &incidents.Error{Kind: incidents.Unavailable, Message: failed.Reason, After: failed.After}
	default:
		return fmt.Errorf("%s: %w", doing, err)
	}
}
