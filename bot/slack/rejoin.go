package slack

import (
	"context"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// Mend brings Houston back into a public channel that people have taken it out of,
// or that was in the archive meanwhile, which ejects bots
// (https://docs.slack.dev/reference/methods/conversations.archive). A private one
// it can not join.
func (o *Outbound) Mend(ctx context.Context, work bot.Work, failure *bot.Failure) bool {
	if CodeOf(failure) != "not_in_channel" {
		return false
	}
	channel := ""
	switch {
	case work.Effect.Kind == incidents.MakeAnnounce || work.Effect.Kind == incidents.MakeOffer:
		channel = o.Announced()
	case work.Effect.Kind == incidents.MakeLeave:
		channel = work.Effect.Target
	case work.Incident.Channel != nil:
		channel = work.Incident.Channel.ID
	}
	if channel == "" {
		return false
	}
	_, _, _, err := o.api().JoinConversationContext(ctx, channel)
	return err == nil
}
