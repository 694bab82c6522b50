package slack

import (
	"context"
	"errors"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/templates"
)

// neverReplied stands for the reply that can not be posted, or must not be any more.
const neverReplied = "-"

// replyMaker answers the message that an incident was declared from, in its
// thread: whoever reads it there finds the incident's channel. Where Houston may
// not write nothing is said; nobody waits for it.
type replyMaker struct{ *Outbound }

func (m replyMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	if work.Incident.Private {
		return bot.Made{ID: neverReplied, Shown: 1}, nil
	}
	if _, err := placeOf(work); err != nil {
		return bot.Made{}, err
	}
	channel, root, _ := strings.Cut(work.Effect.Target, "/")
	told := words(m.text.Text("reply_declared", "key", work.Incident.Key(), "channel", templates.Markup("<#"+work.Incident.Channel.ID+">")))
	made, err := m.post(ctx, work, channel, told, 1, slackgo.MsgOptionTS(root))
	if failed, ok := errors.AsType[*bot.Failure](err); ok && failed.Terminal {
		return bot.Made{ID: neverReplied, Shown: 1}, nil
	}
	return made, err
}

// Look finds the reply in the thread.
func (m replyMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, root, _ := strings.Cut(work.Effect.Target, "/")
	params := &slackgo.GetConversationRepliesParameters{
		ChannelID: channel, Timestamp: root, Oldest: oldest(work), Limit: 200, IncludeAllMetadata: true,
	}
	for {
		replies, _, next, err := m.api().GetConversationRepliesContext(ctx, params)
		if err != nil {
			if failed, ok := errors.AsType[*bot.Failure](failure(err)); ok && failed.Terminal {
				return bot.Made{}, false, nil // Make says the same of it
			}
			return bot.Made{}, false, failure(err)
		}
		for _, reply := range replies {
			if carries(reply, work) {
				return bot.Made{ID: reply.Timestamp, Place: channel, Shown: 1}, true, nil
			}
		}
		if params.Cursor = next; next == "" {
			return bot.Made{}, false, nil
		}
	}
}
