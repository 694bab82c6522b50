package slack

import (
	"context"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
)

// share puts a file into a channel
// (https://docs.slack.dev/messaging/working-with-files#upload). A share takes no
// metadata, so the file's name is the marker: see [Outbound.shared].
func (o *Outbound) share(ctx context.Context, channel string, params slackgo.UploadFileParameters) (bot.Made, error) {
	params.Channel = channel
	file, err := o.api().UploadFileContext(ctx, params)
	if err != nil {
		return bot.Made{}, failure(err)
	}
	return bot.Made{ID: file.ID, Place: channel, Shown: 1}, nil
}

// shared finds a file by its name among those shared in a channel since an
// attempt began.
func (o *Outbound) shared(ctx context.Context, work bot.Work, channel, name string) (bot.Made, bool, error) {
	params := &slackgo.GetConversationHistoryParameters{ChannelID: channel, Oldest: oldest(work), Limit: 200}
	for {
		history, err := o.api().GetConversationHistoryContext(ctx, params)
		if err != nil {
			return bot.Made{}, false, failure(err)
		}
		for _, message := range history.Messages {
			for _, file := range message.Files {
				if file.Name == name {
					return bot.Made{ID: file.ID, Place: channel, Shown: 1}, true, nil
				}
			}
		}
		if params.Cursor = history.ResponseMetaData.NextCursor; params.Cursor == "" {
			return bot.Made{}, false, nil
		}
	}
}
