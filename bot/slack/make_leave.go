package slack

import (
	"context"
	"fmt"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

const (
	// landed is when a message that was under way as an incident went private
	// stands in its channel, if it ever does.
	landed = 10 * time.Second
	// deletions bounds what one run takes back: chat.delete allows about 50
	// calls a minute (https://docs.slack.dev/reference/methods/chat.delete).
	deletions = 15
)

// leaveMaker empties the channel that an incident had before it went private:
// Houston's own messages, the topic, the bookmark and the words in the name go
// at once, then the people in it are told in one message, and the channel is
// archived. What people wrote stays theirs. Each step can be repeated.
type leaveMaker struct{ *Outbound }

func (m leaveMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	left := work.Effect.Target
	made := bot.Made{ID: left, Place: left, Shown: 1}
	since, err := m.wentPrivate(ctx, work.Incident.Number)
	if err != nil {
		return bot.Made{}, err
	}
	swept, err := m.sweep(ctx, left, work.Effect.Marker())
	switch CodeOf(err) {
	case "is_archived", "channel_not_found":
		return made, nil // people were faster; nothing can be done there any more
	}
	if err != nil {
		return bot.Made{}, failure(err)
	}
	if err := m.strip(ctx, left, work.Incident); err != nil {
		return bot.Made{}, err
	}
	if !swept.all {
		return bot.Made{}, &bot.Failure{Reason: "taking messages back", Waiting: true, After: time.Second}
	}
	if rest := since.Add(landed).Sub(m.config.Now()); rest > 0 {
		return bot.Made{}, &bot.Failure{Reason: "waiting for messages under way", Waiting: true, After: rest}
	}
	if !swept.told {
		if _, err := m.post(ctx, work, left, words(m.text.Text("left_channel", "key", work.Incident.Key())), 1); err != nil {
			return bot.Made{}, err
		}
	}
	return made, m.archive(ctx, left)
}

// Look finds nothing: Make itself looks at all that is there. That there is one
// has the runner wait for an earlier call to land.
func (leaveMaker) Look(context.Context, bot.Work) (bot.Made, bool, error) {
	return bot.Made{}, false, nil
}

// wentPrivate tells when an incident went private.
func (o *Outbound) wentPrivate(ctx context.Context, number int64) (time.Time, error) {
	events, err := o.config.Store.Events(ctx, number)
	if err != nil {
		return time.Time{}, fmt.Errorf("load when %s went private: %w", incidents.Key(number), err)
	}
	var at time.Time
	for _, e := range events {
		if _, ok := e.Data.(incidents.WentPrivate); ok {
			at = e.RecordedAt
		}
	}
	return at, nil
}

// swept says what a sweep found.
type swept struct {
	all  bool // nothing is left to be taken back
	told bool // the farewell stands
}

// sweep deletes Houston's own messages in a channel but the one with the marker,
// also those in threads, as many as one run may.
func (o *Outbound) sweep(ctx context.Context, channel, marker string) (swept, error) {
	self, err := o.userID(ctx)
	if err != nil {
		return swept{}, err
	}
	found, budget := swept{}, deletions
	params := &slackgo.GetConversationHistoryParameters{ChannelID: channel, Limit: 200, IncludeAllMetadata: true}
	for {
		history, err := o.api().GetConversationHistoryContext(ctx, params)
		if err != nil {
			return found, err
		}
		for _, message := range history.Messages {
			ours, err := o.threadOf(ctx, channel, message, self)
			if err != nil {
				return found, err
			}
			for _, own := range ours {
				if own.Metadata.EventPayload["key"] == marker {
					found.told = true
					continue
				}
				if budget == 0 {
					return found, nil
				}
				budget--
				for _, file := range own.Files {
					if err := o.deleteFile(ctx, file.ID); err != nil {
						return found, err
					}
				}
				if err := o.unsay(ctx, channel, own.Timestamp); err != nil {
					return found, err
				}
			}
		}
		if params.Cursor = history.ResponseMetaData.NextCursor; params.Cursor == "" {
			found.all = true
			return found, nil
		}
	}
}

// threadOf lists our own messages among a message and its replies.
func (o *Outbound) threadOf(ctx context.Context, channel string, message slackgo.Message, self string) ([]slackgo.Message, error) {
	all := []slackgo.Message{message}
	if message.ReplyCount > 0 {
		params := &slackgo.GetConversationRepliesParameters{ChannelID: channel, Timestamp: message.Timestamp, Limit: 200}
		for {
			replies, _, next, err := o.api().GetConversationRepliesContext(ctx, params)
			if err != nil {
				return nil, err
			}
			for _, reply := range replies {
				if reply.Timestamp != message.Timestamp {
					all = append(all, reply)
				}
			}
			if params.Cursor = next; next == "" {
				break
			}
		}
	}
	var ours []slackgo.Message
	for _, m := range all {
		if m.User == self && (m.SubType == "" || m.SubType == "bot_message" || m.SubType == "file_share" || m.SubType == "thread_broadcast") {
			ours = append(ours, m)
		}
	}
	return ours, nil
}

// unsay deletes a message of ours; one that is gone already is no failure.
func (o *Outbound) unsay(ctx context.Context, channel, ts string) error {
	_, _, err := o.api().DeleteMessageContext(ctx, channel, ts)
	if code := CodeOf(err); code == "message_not_found" || code == "cant_delete_message" {
		return nil
	}
	return err
}

// strip takes topic, bookmark and the words of the title from a channel that was
// left. Its name is inc-12-left then.
func (o *Outbound) strip(ctx context.Context, channel string, inc incidents.Incident) error {
	info, err := o.api().GetConversationInfoContext(ctx, &slackgo.GetConversationInfoInput{ChannelID: channel})
	if err != nil {
		return failure(err)
	}
	if info.Topic.Value != "" {
		if _, err := o.api().SetTopicOfConversationContext(ctx, channel, ""); err != nil {
			return failure(err)
		}
	}
	bookmarks, err := o.api().ListBookmarksContext(ctx, channel)
	if err != nil {
		return failure(err)
	}
	for _, b := range bookmarks {
		if b.Link == inc.BridgeURL {
			if err := o.api().RemoveBookmarkContext(ctx, channel, b.ID); err != nil && CodeOf(err) != "not_found" {
				return failure(err)
			}
		}
	}
	base := fmt.Sprintf("inc-%d-left", inc.Number)
	if info.Name == base {
		return nil
	}
	_, err = o.rename(ctx, channel, func(try int) string {
		if try == 1 {
			return base
		}
		return fmt.Sprintf("%s-%d", base, try)
	})
	return err
}
