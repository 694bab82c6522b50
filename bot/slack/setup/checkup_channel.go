package setup

import (
	"context"
	"fmt"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/slack"
)

// announceChannel checks that there is an announce channel that Houston can
// post to. It does not join it.
func (c *checkup) announceChannel(ctx context.Context, self string) {
	const check = "slack.announce_channel"
	name := strings.TrimPrefix(c.config.Announce, "#")
	if name == "" {
		return
	}
	channel, found, err := c.findChannel(ctx, name)
	switch {
	case err != nil && ctx.Err() != nil:
		c.note(check, Warning, fmt.Sprintf("%q was not found in time: the workspace has very many channels", name),
			"write the channel's id (C…), from its details in Slack, instead of its name")
	case err != nil:
		c.unknown(check, err)
	case !found:
		c.note(check, Failing, fmt.Sprintf("there is no channel %q that Houston can see", name),
			fmt.Sprintf("create it, or /invite @%s there when it is private, or name another one in slack.announce_channel", self))
	case channel.IsArchived:
		c.note(check, Failing, fmt.Sprintf("#%s is archived: nothing can be posted there", channel.Name),
			"take it out of the archive, or name another one in slack.announce_channel")
	case channel.IsMember:
		c.note(check, Fine, "Houston is in #"+channel.Name, "")
	case channel.IsPrivate:
		c.note(check, Failing, fmt.Sprintf("#%s is private and Houston is not in it", channel.Name), fmt.Sprintf("/invite @%s there", self))
	default:
		c.note(check, Fine, fmt.Sprintf("Houston joins #%s with the first incident", channel.Name), "")
	}
}

// findChannel finds a channel by id or name: among the living first, since
// there may be many times as many in the archive.
func (c *checkup) findChannel(ctx context.Context, name string) (slackgo.Channel, bool, error) {
	channel, err := c.api().GetConversationInfoContext(ctx, &slackgo.GetConversationInfoInput{ChannelID: name})
	if err == nil {
		return *channel, true, nil
	}
	if slack.CodeOf(err) != "channel_not_found" {
		return slackgo.Channel{}, false, err
	}
	for _, living := range []bool{true, false} {
		params := &slackgo.GetConversationsParameters{Types: []string{"public_channel", "private_channel"}, ExcludeArchived: living, Limit: 900}
		for {
			channels, next, err := c.api().GetConversationsContext(ctx, params)
			if err != nil {
				return slackgo.Channel{}, false, err
			}
			for _, ch := range channels {
				if ch.Name == name {
					return ch, true, nil
				}
			}
			if params.Cursor = next; next == "" {
				break
			}
		}
	}
	return slackgo.Channel{}, false, nil
}
