package slack

import (
	"context"
	"strconv"

	"github.com/houston-sre/houston/bot"
)

// archiveMaker archives the channel of an incident that has been over for the
// configured time. Archiving what is archived does nothing.
type archiveMaker struct{ *Outbound }

// Make archives the channel unless the incident was taken up again since.
func (m archiveMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	inc := work.Incident
	if inc.Channel == nil || inc.Channel.Archived || strconv.FormatInt(inc.Ended, 10) != work.Effect.Target {
		return bot.Made{Shown: 1}, nil
	}
	if err := m.archive(ctx, inc.Channel.ID); err != nil {
		return bot.Made{}, err
	}
	return bot.Made{ID: inc.Channel.ID, Place: inc.Channel.ID, Shown: 1}, nil
}

func (o *Outbound) archive(ctx context.Context, channel string) error {
	err := o.api().ArchiveConversationContext(ctx, channel)
	if code := codeOf(err); code == "already_archived" || code == "is_archived" {
		return nil
	}
	return failure(err)
}
