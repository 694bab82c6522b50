package slack

import (
	"context"
	"fmt"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
)

// MarkerType is the event_type of the metadata that Houston's messages carry, so
// that a message can be found again by the effect it is.
const MarkerType = "houston_effect"

// posting is what is posted: blocks, and the text that notifications show.
type posting struct {
	Text   string
	Blocks []slackgo.Block
}

func (m posting) options() []slackgo.MsgOption {
	options := []slackgo.MsgOption{
		slackgo.MsgOptionText(cutMarkup(m.Text, maxText), false), slackgo.MsgOptionParse(false), slackgo.MsgOptionLinkNames(false),
		slackgo.MsgOptionDisableLinkUnfurl(), slackgo.MsgOptionDisableMediaUnfurl(),
	}
	if len(m.Blocks) > 0 {
		options = append(options, slackgo.MsgOptionBlocks(m.Blocks...))
	}
	return options
}

// post posts a message that carries the effect's marker.
func (o *Outbound) post(ctx context.Context, work bot.Work, channel string, m posting, shown int64, more ...slackgo.MsgOption) (bot.Made, error) {
	options := append(append(m.options(), more...), slackgo.MsgOptionMetadata(slackgo.SlackMetadata{
		EventType: MarkerType, EventPayload: map[string]any{"key": work.Effect.Marker()},
	}))
	place, ts, err := o.apiFor(work).PostMessageContext(ctx, channel, options...)
	if err != nil {
		return bot.Made{}, failure(err)
	}
	return bot.Made{ID: ts, Place: place, Shown: shown}, nil
}

// edit brings a posted message up to date. The metadata stays, since none is sent.
func (o *Outbound) edit(ctx context.Context, work bot.Work, m posting, shown int64) (bot.Made, error) {
	_, ts, _, err := o.api().UpdateMessageContext(ctx, work.Effect.Place, work.Effect.ID, m.options()...)
	if err != nil {
		return bot.Made{}, failure(err)
	}
	return bot.Made{ID: ts, Place: work.Effect.Place, Shown: shown}, nil
}

// find looks for a message by its marker, among those posted since the attempt
// began. shown is what it showed at least; 0 has it edited once more.
func (o *Outbound) find(ctx context.Context, work bot.Work, channel string, shown int64) (bot.Made, bool, error) {
	params := &slackgo.GetConversationHistoryParameters{
		ChannelID: channel, Oldest: oldest(work), Limit: 200, IncludeAllMetadata: true,
	}
	for {
		history, err := o.api().GetConversationHistoryContext(ctx, params)
		if err != nil {
			return bot.Made{}, false, failure(err)
		}
		for _, m := range history.Messages {
			if carries(m, work) {
				return bot.Made{ID: m.Timestamp, Place: channel, Shown: shown}, true, nil
			}
		}
		params.Cursor = history.ResponseMetaData.NextCursor
		if params.Cursor == "" {
			return bot.Made{}, false, nil
		}
	}
}

// carries reports whether a message is the one that an effect made.
func carries(m slackgo.Message, work bot.Work) bool {
	return m.Metadata.EventType == MarkerType && m.Metadata.EventPayload["key"] == work.Effect.Marker()
}

// standing reports whether a posted message still exists.
func (o *Outbound) standing(ctx context.Context, work bot.Work) (bool, error) {
	history, err := o.api().GetConversationHistoryContext(ctx, &slackgo.GetConversationHistoryParameters{
		ChannelID: work.Effect.Place, Oldest: work.Effect.ID, Latest: work.Effect.ID, Inclusive: true, Limit: 1,
	})
	if code := CodeOf(err); code == "channel_not_found" || code == "not_in_channel" {
		return false, nil
	}
	if err != nil {
		return false, failure(err)
	}
	for _, m := range history.Messages {
		if m.Timestamp == work.Effect.ID {
			return true, nil
		}
	}
	return false, nil
}

// paragraph is a message of one paragraph of mrkdwn.
func paragraph(format string, args ...any) posting {
	text := cutMarkup(fmt.Sprintf(format, args...), maxText)
	return posting{Text: text, Blocks: []slackgo.Block{section(text)}}
}

// words is a message of one paragraph; the text is mrkdwn.
func words(text string) posting { return paragraph("%s", text) }

// section is a block of mrkdwn; the text is escaped already.
func section(text string) *slackgo.SectionBlock {
	return slackgo.NewSectionBlock(slackgo.NewTextBlockObject(slackgo.MarkdownType, cutMarkup(text, maxSection), false, false), nil, nil)
}
