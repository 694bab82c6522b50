package slack

import (
	"context"
	"fmt"
	"strconv"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// postMaker tells one event in the incident's channel.
type postMaker struct{ *Outbound }

func (m postMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	told, err := m.told(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	return m.post(ctx, work, channel, told, work.Incident.Seq)
}

// Refresh takes the words out of a message whose event was redacted since.
func (m postMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	told, err := m.told(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	return m.edit(ctx, work, told, work.Incident.Seq)
}

// told is the message about an event as it may be read now.
func (m postMaker) told(ctx context.Context, work bot.Work) (posting, error) {
	event, events, err := m.event(ctx, work)
	if err != nil {
		return posting{}, err
	}
	if incidents.Hidden(events, event.Seq) {
		return words(m.text.Text("post_redacted")), nil
	}
	return m.eventMessage(work.Incident, event), nil
}

func (m postMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, channel, 1) // a redaction since has it edited once more
}

// event finds the event that an effect is about, with all events of its incident.
func (o *Outbound) event(ctx context.Context, work bot.Work) (incidents.Event, []incidents.Event, error) {
	seq, err := strconv.ParseInt(work.Effect.Target, 10, 64)
	if err != nil {
		return incidents.Event{}, nil, fmt.Errorf("read event number of effect %s: %w", work.Effect.Key, err)
	}
	events, err := o.config.Store.Events(ctx, work.Incident.Number)
	if err != nil {
		return incidents.Event{}, nil, fmt.Errorf("load events of %s: %w", work.Incident.Key(), err)
	}
	for _, e := range events {
		if e.Seq == seq {
			return e, events, nil
		}
	}
	return incidents.Event{}, nil, &bot.Failure{Reason: "the event is gone", Terminal: true}
}

// eventMessage tells an event of an incident and who did it.
func (o *Outbound) eventMessage(inc incidents.Incident, e incidents.Event) posting {
	who := templates.Markup(mention(e.Actor.ID, e.Actor.Name))
	if m, ok := o.postmortemMessage(inc, e, who); ok {
		return m
	}
	switch data := e.Data.(type) {
	case incidents.ActionAdded:
		return words(o.actionText(e.Incident, data.Item, who))
	case incidents.WentPrivate:
		return words(o.text.Text("post_went_private", "person", who, "old", data.Left.Name, "command", o.config.Command))
	case incidents.ChannelMoved:
		return words(o.text.Text("post_channel_moved", "channel", templates.Markup("<#"+data.From.ID+">")))
	case incidents.AlertsReceived:
		return words(o.text.Text("post_alerts_again", "text", o.fit(e.Incident, o.config.Text.Say(data.Told()), maxPost), "key", incidents.Key(e.Incident), "command", o.config.Command))
	case incidents.UpdatePosted:
		return words(o.updateText(e.Incident, data, who))
	case incidents.RoleAssigned:
		if data.Previous.ID != "" && data.Person.ID != "" {
			return words(o.handoverText(inc, e, data))
		}
	}
	_, text := e.Data.Entry()
	if teller, ok := e.Data.(incidents.Teller); ok {
		text = o.config.Text.Say(teller.Told())
	}
	return words(o.text.Text("post_event", "person", who, "text", o.fit(e.Incident, text, maxPost)))
}

func (o *Outbound) actionText(number int64, item incidents.ActionItem, who templates.Markup) string {
	text := o.text.Text("post_action", "number", item.ID, "text", o.fit(number, item.Text, maxPost), "person", who)
	if item.Owner.ID != "" {
		text += " · " + o.text.Text("post_action_owner", "owner", templates.Markup(mention(item.Owner.ID, item.Owner.Name)))
	}
	if item.Due != "" {
		text += " · " + o.text.Text("post_action_due", "due", item.Due)
	}
	return text
}

// tellMaker writes to the reporter directly when his incident can have no
// channel. Nothing public is made instead.
type tellMaker struct{ *Outbound }

func (m tellMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	reason, err := m.reason(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	texts := m.textFor(work.Effect.Target)
	if work.Incident.Channel != nil { // it has one; a private one could not be made
		return m.post(ctx, work, work.Effect.Target, words(texts.Text("tell_not_private", "key", work.Incident.Key(), "reason", templates.Reason(reason), "command", m.config.Command)), 1)
	}
	text := texts.Text("tell_no_channel", "key", work.Incident.Key(), "reason", templates.Reason(reason), "command", m.config.Command)
	if url := work.Incident.BridgeURL; url != "" {
		text += "\n" + texts.Text("declared_bridge", "url", templates.Markup(link(url, url)))
	}
	return m.post(ctx, work, work.Effect.Target, words(text), 1)
}

// Look finds the message among the direct ones with the reporter.
func (m tellMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	place, err := m.direct(ctx, work.Effect.Target)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, place, 1)
}

func (m tellMaker) reason(ctx context.Context, work bot.Work) (string, error) {
	kind := incidents.MakeChannel
	if work.Incident.Channel != nil {
		kind = incidents.MakePrivateChannel
	}
	channel, err := m.config.Store.Effect(ctx, incidents.EffectKey(work.Incident.Number, kind, ""))
	if err != nil {
		return "", fmt.Errorf("load channel effect of %s: %w", work.Incident.Key(), err)
	}
	return channel.Reason, nil
}
