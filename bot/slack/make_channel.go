package slack

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// maxTries bounds the suffixes tried for a channel's name.
const maxTries = 20

// channelMaker opens the incident's channel. conversations.create takes no
// purpose, so the name is the only marker: a look adopts a channel only when its
// name is one of ours for this incident (under any title that it has had), we
// created it, no earlier than the attempt, and no other effect has it.
type channelMaker struct{ *Outbound }

func (m channelMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	inc := owner(work)
	for try := 1; try <= maxTries; try++ {
		channel, err := m.api().CreateConversationContext(ctx, slackgo.CreateConversationParams{
			ChannelName: ChannelName(inc.Number, inc.Title, inc.Private, try), IsPrivate: inc.Private,
		})
		switch {
		case err == nil:
			return bot.Made{ID: channel.ID, Name: channel.Name, Shown: 1}, nil
		case CodeOf(err) == "name_taken":
			continue // also by an archived channel; never taken over
		default:
			return bot.Made{}, failure(err)
		}
	}
	return bot.Made{}, &bot.Failure{Reason: "all names for the channel are taken", Terminal: true}
}

// owner is the incident as the channel shall be for it: private when it is going
// private.
func owner(work bot.Work) incidents.Incident {
	inc := work.Incident
	inc.Private = inc.Private || work.Effect.Kind == incidents.MakePrivateChannel
	return inc
}

func (m channelMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	self, err := m.userID(ctx)
	if err != nil {
		return bot.Made{}, false, err
	}
	inc := owner(work)
	ours, err := m.names(ctx, inc)
	if err != nil {
		return bot.Made{}, false, err
	}
	since := work.Effect.StartedAt.Add(-skew).Unix()
	params := &slackgo.GetConversationsForUserParameters{
		Types: []string{"public_channel", "private_channel"}, ExcludeArchived: true, Limit: 200,
	}
	for {
		channels, next, err := m.api().GetConversationsForUserContext(ctx, params)
		if err != nil {
			return bot.Made{}, false, failure(err)
		}
		for _, c := range channels {
			if !ours.MatchString(c.Name) || c.Creator != self || int64(c.Created) < since || c.IsPrivate != inc.Private {
				continue
			}
			claimed, err := m.config.Store.Claimed(ctx, incidents.MakeChannel, c.ID, work.Effect.Key)
			if err != nil {
				return bot.Made{}, false, err
			}
			if !claimed {
				return bot.Made{ID: c.ID, Name: c.Name, Shown: 1}, true, nil
			}
		}
		if next == "" {
			return bot.Made{}, false, nil
		}
		params.Cursor = next
	}
}

// names matches what the channel of an incident can have been called when an
// attempt began: the incident may have been renamed since.
func (m channelMaker) names(ctx context.Context, inc incidents.Incident) (*regexp.Regexp, error) {
	events, err := m.config.Store.Events(ctx, inc.Number)
	if err != nil {
		return nil, fmt.Errorf("load the titles of %s: %w", inc.Key(), err)
	}
	titles := []string{inc.Title}
	for _, e := range events {
		if renamed, ok := e.Data.(incidents.Renamed); ok {
			titles = append(titles, renamed.From)
		}
	}
	var names []string
	for _, title := range titles {
		names = append(names, regexp.QuoteMeta(ChannelName(inc.Number, title, inc.Private, 1)))
	}
	return regexp.MustCompile(`^(?:` + strings.Join(names, "|") + `)(?:-\d{1,3})?$`), nil
}

// Check reports whether the channel is there and not archived; a bot can not
// take a channel out of the archive.
func (m channelMaker) Check(ctx context.Context, work bot.Work) (bool, error) {
	return m.unarchived(ctx, work.Effect.ID)
}

// unarchived reports whether a channel is there and not in the archive.
func (o *Outbound) unarchived(ctx context.Context, id string) (bool, error) {
	channel, err := o.api().GetConversationInfoContext(ctx, &slackgo.GetConversationInfoInput{ChannelID: id})
	if CodeOf(err) == "channel_not_found" {
		return false, nil
	}
	if err != nil {
		return false, failure(err)
	}
	return !channel.IsArchived, nil
}
