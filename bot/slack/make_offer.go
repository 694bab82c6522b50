package slack

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// Action ids of an offer's buttons; their value is the alert group's id.
const (
	actionOfferDeclare = "offer_declare"
	actionOfferDismiss = "offer_dismiss"
)

// offerMaker asks in the announce channel whether a group of alerts is an
// incident, in one message that is kept current.
type offerMaker struct{ *Outbound }

func (m offerMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	place, err := m.announceChannel(ctx)
	if err != nil {
		return bot.Made{}, err
	}
	group, offer, err := m.offer(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	return m.post(ctx, work, place, offer, group.Version)
}

func (m offerMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	place, err := m.announceChannel(ctx)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, place, 0)
}

func (m offerMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	group, offer, err := m.offer(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	return m.edit(ctx, work, offer, group.Version)
}

func (m offerMaker) offer(ctx context.Context, work bot.Work) (incidents.AlertGroup, posting, error) {
	group, err := m.config.Store.Group(ctx, work.Effect.Group)
	if err != nil {
		return incidents.AlertGroup{}, posting{}, fmt.Errorf("load alert group %s: %w", work.Effect.Group, err)
	}
	return group, m.offerMessage(group), nil
}

// offerMessage shows a group of alerts, with the question while it is open.
func (o *Outbound) offerMessage(g incidents.AlertGroup) posting {
	text := fmt.Sprintf(":bell: *%s*\n%s", cutEscaped(g.Title, 600), o.firingText(g.Firing))
	if g.Severity != "" {
		text += " · " + o.text.Name(g.Severity)
	}
	if labels := labelText(g.Labels); labels != "" {
		text += " · " + labels
	}
	if g.Summary != "" {
		text += "\n" + cutEscaped(g.Summary, 600)
	}
	switch g.Offer {
	case incidents.Accepted:
		return words(text + "\n" + o.text.Text("offer_was_declared", "key", incidents.Key(g.Incident)) + o.by(g.DecidedBy))
	case incidents.Dismissed:
		return words(text + "\n" + o.text.Text("offer_was_dismissed") + o.by(g.DecidedBy))
	default:
	}
	m := words(text)
	m.Blocks = append(m.Blocks, slackgo.NewActionBlock("offer",
		button(actionOfferDeclare, o.config.Text.Text("button_declare"), g.ID, slackgo.StyleDanger),
		button(actionOfferDismiss, o.config.Text.Text("button_dismiss"), g.ID, slackgo.StyleDefault)))
	return m
}

func (o *Outbound) by(p incidents.Person) string {
	if p.ID == "" && p.Name == "" {
		return ""
	}
	return " " + o.text.Text("offer_by", "person", templates.Markup(mention(p.ID, p.Name)))
}

func (o *Outbound) firingText(n int) string {
	if n == 0 {
		return o.text.Text("firing_none")
	}
	return o.text.Text("firing", "count", n)
}

// labelText shows a few labels, in order.
func labelText(labels map[string]string) string {
	const most = 4
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		if len(parts) < most && name != "alertname" && name != "severity" {
			parts = append(parts, cutEscaped(name+"="+labels[name], 80))
		}
	}
	return strings.Join(parts, ", ")
}

func button(action, text, value string, style slackgo.Style) *slackgo.ButtonBlockElement {
	return slackgo.NewButtonBlockElement(action, value,
		slackgo.NewTextBlockObject(slackgo.PlainTextType, text, true, false)).WithStyle(style)
}
