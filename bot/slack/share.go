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

// deleteFile deletes a file of ours (https://docs.slack.dev/reference/methods/files.delete);
// one that is gone already is no failure.
func (o *Outbound) deleteFile(ctx context.Context, id string) error {
	err := o.api().DeleteFileContext(ctx, id)
	switch CodeOf(err) {
	case "", "file_deleted", "file_not_found":
		if err != nil && CodeOf(err) == "" {
			return failure(err)
		}
		return nil
	case "cant_delete_file", "delete_not_allowed", "file_deleting_disabled":
		return &bot.Failure{Reason: "Slack does not let Houston delete its own file; delete it there", Terminal: true, Err: err}
	default:
		return failure(err)
	}
}
