package slack

import (
	"context"
	"regexp"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// nameMaker has the channel's name follow the incident's title. The channel is
// known by its id: what people call it breaks nothing.
type nameMaker struct{ *Outbound }

func (m nameMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel := work.Incident.Channel
	if channel == nil {
		return bot.Made{}, bot.WaitForChannel()
	}
	made := bot.Made{ID: channel.ID, Place: channel.ID, Name: channel.Name, Shown: work.Effect.Wanted}
	if channel.Archived || titled(channel.Name, work.Incident) {
		return made, nil
	}
	name, err := m.rename(ctx, channel.ID, func(try int) string {
		return ChannelName(work.Incident.Number, work.Incident.Title, work.Incident.Private, try)
	})
	made.Name = name
	return made, err
}

func (m nameMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	return m.Make(ctx, work)
}

// titled reports whether a name is one that an incident's channel has by its
// title, with whatever suffix it took to be free.
func titled(name string, inc incidents.Incident) bool {
	base := ChannelName(inc.Number, inc.Title, inc.Private, 1)
	return regexp.MustCompile(`^` + regexp.QuoteMeta(base) + `(?:-\d{1,3})?$`).MatchString(name)
}

// rename gives a channel the first name that is free, and returns it.
func (o *Outbound) rename(ctx context.Context, channel string, name func(try int) string) (string, error) {
	for try := 1; try <= maxTries; try++ {
		renamed, err := o.api().RenameConversationContext(ctx, channel, name(try))
		switch {
		case err == nil:
			return renamed.Name, nil
		case CodeOf(err) == "name_taken":
			continue
		default:
			return "", failure(err)
		}
	}
	return "", &bot.Failure{Reason: "all names for the channel are taken", Terminal: true}
}
