package setup

import (
	"context"
	"fmt"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/slack"
)

const (
	trialKey  = "doctor" // the marker of the scratch message
	trialLink = "https://example.com/houston-doctor"
	trialFile = "houston-doctor.md"
)

func (t *trial) whoWeAre(ctx context.Context) error {
	us, err := t.api().AuthTestContext(ctx)
	if err != nil {
		return err
	}
	if t.self = us.UserID; t.self == "" {
		return deviationError("auth.test names no user id")
	}
	return nil
}

func (t *trial) create(ctx context.Context) error {
	channel, err := t.api().CreateConversationContext(ctx, slackgo.CreateConversationParams{ChannelName: t.name})
	if err != nil {
		return err
	}
	t.channel = channel.ID
	if channel.Name != t.name {
		return deviationError(fmt.Sprintf("the channel was to be called %s and is called %s", t.name, channel.Name))
	}
	return nil
}

func (t *trial) creator(ctx context.Context) error {
	channel, err := t.api().GetConversationInfoContext(ctx, &slackgo.GetConversationInfoInput{ChannelID: t.channel})
	switch {
	case err != nil:
		return err
	case channel.Creator != t.self:
		return deviationError(fmt.Sprintf("the creator is %q, and was to be the bot, %s", channel.Creator, t.self))
	case !channel.IsMember:
		return deviationError("the bot is not in the channel it made")
	default:
		return nil
	}
}

func (t *trial) ownChannels(ctx context.Context) error {
	params := &slackgo.GetConversationsForUserParameters{Types: []string{"public_channel", "private_channel"}, ExcludeArchived: true, Limit: 200}
	for {
		channels, next, err := t.api().GetConversationsForUserContext(ctx, params)
		if err != nil {
			return err
		}
		for _, c := range channels {
			if c.ID == t.channel {
				return nil
			}
		}
		if params.Cursor = next; next == "" {
			return deviationError("the new channel is not listed")
		}
	}
}

func (t *trial) nameTaken(ctx context.Context) error {
	channel, err := t.api().CreateConversationContext(ctx, slackgo.CreateConversationParams{ChannelName: t.name})
	if err == nil {
		_ = t.api().ArchiveConversationContext(ctx, channel.ID) // it is one too many
	}
	return refused(err, "name_taken")
}

// said is the scratch message.
func (t *trial) said(text string) []slackgo.MsgOption {
	section := slackgo.NewSectionBlock(slackgo.NewTextBlockObject(slackgo.PlainTextType, text, false, false), nil, nil)
	return []slackgo.MsgOption{slackgo.MsgOptionText(text, false), slackgo.MsgOptionBlocks(section)}
}

func (t *trial) post(ctx context.Context) error {
	_, ts, err := t.api().PostMessageContext(ctx, t.channel, append(t.said("Houston's doctor tries what Houston relies on."), t.marked())...)
	t.ts = ts
	return err
}

func (t *trial) marked() slackgo.MsgOption {
	return slackgo.MsgOptionMetadata(slackgo.SlackMetadata{EventType: slack.MarkerType, EventPayload: map[string]any{"key": trialKey}})
}

func (t *trial) metadata(ctx context.Context) error {
	history, err := t.api().GetConversationHistoryContext(ctx, &slackgo.GetConversationHistoryParameters{
		ChannelID: t.channel, Limit: 50, IncludeAllMetadata: true,
	})
	if err != nil {
		return err
	}
	return t.marker(history.Messages, t.ts)
}

// marker looks for the marker at a message.
func (t *trial) marker(messages []slackgo.Message, ts string) error {
	for _, m := range messages {
		if m.Timestamp != ts {
			continue
		}
		if m.Metadata.EventType != slack.MarkerType || m.Metadata.EventPayload["key"] != trialKey {
			return deviationError("the message has lost its metadata")
		}
		return nil
	}
	return deviationError("the message is not in the history")
}

func (t *trial) edit(ctx context.Context) error {
	_, _, _, err := t.api().UpdateMessageContext(ctx, t.channel, t.ts, t.said("Houston's doctor has edited this message.")...)
	return err
}

func (t *trial) thread(ctx context.Context) error {
	options := append(t.said("An answer."), t.marked(), slackgo.MsgOptionTS(t.ts))
	_, ts, err := t.api().PostMessageContext(ctx, t.channel, options...)
	if err != nil {
		return err
	}
	replies, _, _, err := t.api().GetConversationRepliesContext(ctx, &slackgo.GetConversationRepliesParameters{
		ChannelID: t.channel, Timestamp: t.ts, Limit: 50, IncludeAllMetadata: true,
	})
	if err != nil {
		return err
	}
	return t.marker(replies, ts)
}

func (t *trial) pin(ctx context.Context) error {
	if err := t.api().AddPinContext(ctx, t.channel, slackgo.NewRefToMessage(t.channel, t.ts)); err != nil {
		return err
	}
	items, _, err := t.api().ListPinsContext(ctx, t.channel)
	if err != nil {
		return err
	}
	for _, item := range items {
		if item.Message != nil && item.Message.Timestamp == t.ts {
			return nil
		}
	}
	return deviationError("the pinned message is not listed")
}

func (t *trial) pinTwice(ctx context.Context) error {
	return refused(t.api().AddPinContext(ctx, t.channel, slackgo.NewRefToMessage(t.channel, t.ts)), "already_pinned")
}

func (t *trial) topic(ctx context.Context) error {
	const topic = "Houston · doctor"
	if _, err := t.api().SetTopicOfConversationContext(ctx, t.channel, topic); err != nil {
		return err
	}
	channel, err := t.api().GetConversationInfoContext(ctx, &slackgo.GetConversationInfoInput{ChannelID: t.channel})
	switch {
	case err != nil:
		return err
	case channel.Topic.Value != topic:
		return deviationError(fmt.Sprintf("the topic was to be %q and is %q", topic, channel.Topic.Value))
	default:
		return nil
	}
}

func (t *trial) bookmark(ctx context.Context) error {
	_, err := t.api().AddBookmarkContext(ctx, t.channel, slackgo.AddBookmarkParameters{Title: "Doctor", Type: "link", Link: trialLink})
	if err != nil {
		return err
	}
	bookmarks, err := t.api().ListBookmarksContext(ctx, t.channel)
	if err != nil {
		return err
	}
	for _, b := range bookmarks {
		if b.Link == trialLink {
			return nil
		}
	}
	return deviationError("the bookmark is not listed")
}

func (t *trial) file(ctx context.Context) error {
	const content = "Houston's doctor tries what Houston relies on.\n"
	_, err := t.api().UploadFileContext(ctx, slackgo.UploadFileParameters{
		Filename: trialFile, Title: "Doctor", Reader: strings.NewReader(content), FileSize: len(content), Channel: t.channel,
	})
	if err != nil {
		return err
	}
	for range 10 { // Slack shares a file a moment after the upload
		history, err := t.api().GetConversationHistoryContext(ctx, &slackgo.GetConversationHistoryParameters{ChannelID: t.channel, Limit: 50})
		if err != nil {
			return err
		}
		for _, m := range history.Messages {
			for _, f := range m.Files {
				if f.Name == trialFile {
					return nil
				}
			}
		}
		pause(ctx)
	}
	return deviationError("the file is not in the history")
}

func (t *trial) inviteSelf(ctx context.Context) error {
	_, err := t.api().InviteUsersToConversationContext(ctx, t.channel, t.self)
	return refused(err, "cant_invite_self", "already_in_channel")
}

func (t *trial) inviteTwice(ctx context.Context) error {
	if t.person == "" {
		return errNotTried
	}
	if _, err := t.api().InviteUsersToConversationContext(ctx, t.channel, t.person); err != nil {
		return err
	}
	_, err := t.api().InviteUsersToConversationContext(ctx, t.channel, t.person)
	return refused(err, "already_in_channel")
}

func (t *trial) rename(ctx context.Context) error {
	name := t.name + "-renamed"
	if _, err := t.api().RenameConversationContext(ctx, t.channel, name); err != nil {
		return err
	}
	t.name = name
	channel, err := t.api().GetConversationInfoContext(ctx, &slackgo.GetConversationInfoInput{ChannelID: t.channel})
	switch {
	case err != nil:
		return err
	case channel.Name != name:
		return deviationError(fmt.Sprintf("the channel was to be called %s and is called %s", name, channel.Name))
	default:
		return nil
	}
}

func (t *trial) archive(ctx context.Context) error {
	return t.api().ArchiveConversationContext(ctx, t.channel)
}

func (t *trial) postArchived(ctx context.Context) error {
	_, _, err := t.api().PostMessageContext(ctx, t.channel, t.said("Nobody is to read this.")...)
	return refused(err, "is_archived")
}
