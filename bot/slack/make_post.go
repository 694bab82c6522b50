package slack

import (
	"context"
	"fmt"
	"strconv"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// postMaker tells one event in the incident's channel.
type postMaker struct{ *Outbound }

func (m postMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	event, err := m.event(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	return m.post(ctx, work, channel, eventMessage(event), 1)
}

func (m postMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, channel, 1)
}

func (m postMaker) event(ctx context.Context, work bot.Work) (incidents.Event, error) {
	seq, err := strconv.ParseInt(work.Effect.Target, 10, 64)
	if err != nil {
		return incidents.Event{}, fmt.Errorf("read event number of effect %s: %w", work.Effect.Key, err)
	}
	events, err := m.config.Store.Events(ctx, work.Incident.Number)
	if err != nil {
		return incidents.Event{}, fmt.Errorf("load events of %s: %w", work.Incident.Key(), err)
	}
	for _, e := range events {
		if e.Seq == seq {
			return e, nil
		}
	}
	return incidents.Event{}, &bot.Failure{Reason: "the event is gone", Terminal: true}
}

// eventMessage tells an event and who did it.
func eventMessage(e incidents.Event) posting {
	kind, text := e.Data.Entry()
	who := mention(e.Actor.ID, e.Actor.Name)
	switch kind {
	case incidents.Communication:
		return paragraph(":mega: *Update* by %s\n%s", who, cutEscaped(text, 3000))
	default:
		return paragraph("%s  _(%s)_", cutEscaped(text, 3000), who)
	}
}

// tellMaker writes to the reporter directly when his incident can have no
// channel. Nothing public is made instead. It has no look, since reading a direct
// message needs one more scope (im:history): after a lost answer he may be told
// twice.
type tellMaker struct{ *Outbound }

func (m tellMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	reason, err := m.reason(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	text := fmt.Sprintf(":warning: %s could not get a channel: %s. The incident is recorded and nothing of it was made public.", work.Incident.Key(), escape(reason))
	if url := work.Incident.BridgeURL; url != "" {
		text += " Meet in the " + link(url, "video call") + "."
	}
	return m.post(ctx, work, work.Effect.Target, paragraph("%s Mend the cause, then send `%s repair %s`.", text, m.config.Command, work.Incident.Key()), 1)
}

func (m tellMaker) reason(ctx context.Context, work bot.Work) (string, error) {
	channel, err := m.config.Store.Effect(ctx, incidents.EffectKey(work.Incident.Number, incidents.MakeChannel, ""))
	if err != nil {
		return "", fmt.Errorf("load channel effect of %s: %w", work.Incident.Key(), err)
	}
	return channel.Reason, nil
}
