package slack

import (
	"context"
	"fmt"
	"strconv"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// archiveMaker archives the channel of an incident that has been over for the
// configured time. Archiving what is archived does nothing.
type archiveMaker struct{ *Outbound }

// Make archives the channel unless the incident was taken up again since.
func (m archiveMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	inc := work.Incident
	if inc.Channel == nil || inc.Channel.Archived || strconv.FormatInt(inc.Ended, 10) != work.Effect.Target {
		return m.void(ctx, work)
	}
	if err := m.settled(ctx, work); err != nil {
		return bot.Made{}, err
	}
	if err := m.archive(ctx, inc.Channel.ID); err != nil {
		return bot.Made{}, err
	}
	return bot.Made{ID: inc.Channel.ID, Place: inc.Channel.ID, Shown: 1}, nil
}

// void is what becomes of an archiving that is not wanted any more. A lost call may
// have archived the channel all the same: that is said, since a bot can not take
// it out again.
func (m archiveMaker) void(ctx context.Context, work bot.Work) (bot.Made, error) {
	inc, tried := work.Incident, work.Effect.Attempts > 0 || work.Effect.Died > 0
	if inc.Channel == nil || !tried {
		return bot.Made{Shown: 1}, nil
	}
	there, err := m.unarchived(ctx, inc.Channel.ID)
	if err != nil || there {
		return bot.Made{Shown: 1}, err
	}
	return bot.Made{ID: inc.Channel.ID, Place: inc.Channel.ID, Shown: 1}, nil
}

// settled waits while anything else of the incident is owed: nothing can be
// posted into an archived channel any more.
func (m archiveMaker) settled(ctx context.Context, work bot.Work) error {
	effects, err := m.config.Store.Effects(ctx, work.Incident.Number)
	if err != nil {
		return fmt.Errorf("load what is owed of %s: %w", work.Incident.Key(), err)
	}
	for _, e := range effects {
		if e.Kind != incidents.MakeArchive && e.State() == incidents.Owed {
			return bot.Wait("what is owed in the channel")
		}
	}
	return nil
}

func (o *Outbound) archive(ctx context.Context, channel string) error {
	err := o.api().ArchiveConversationContext(ctx, channel)
	if code := CodeOf(err); code == "already_archived" || code == "is_archived" {
		return nil
	}
	return failure(err)
}
