package slack

import (
	"fmt"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// Action ids of the card's buttons; their value is the incident's key.
const (
	actionTakeLead   = "take_lead"
	actionPostUpdate = "post_update"
	actionMitigated  = "mitigated"
	actionResolve    = "resolve"
	actionMore       = "more"
)

// cardBlock is the id of the block that holds the card's buttons.
const cardBlock = "card"

// cardMessage renders a card: a header, at most seven lines, and the buttons
// that fit the status. Whatever is put in, Slack takes it.
func (o *Outbound) cardMessage(c bot.Card) posting {
	title := c.Key + " " + c.Title
	lines := o.cardLines(c)
	m := posting{
		Text: cutEscaped(fmt.Sprintf("%s (%s, %s)", title, o.config.Text.Name(c.Severity), o.config.Text.Name(c.Status)), maxText),
		Blocks: []slackgo.Block{
			slackgo.NewHeaderBlock(slackgo.NewTextBlockObject(slackgo.PlainTextType, cut(clean(title), maxHeader), false, false)),
			section(strings.Join(lines, "\n")),
		},
	}
	if buttons := o.cardButtons(c); len(buttons) > 0 {
		m.Blocks = append(m.Blocks, slackgo.NewActionBlock(cardBlock, buttons...))
	}
	return m
}

// cardLines are the card's lines under its title; each is bounded, so that all
// of them fit a section.
func (o *Outbound) cardLines(c bot.Card) []string {
	state := fmt.Sprintf("%s *%s* · *%s*", statusEmoji(incidents.Incident{Status: c.Status, Severity: c.Severity, Drill: c.Drill}), o.text.Name(c.Status), o.text.Name(c.Severity))
	if c.Service != "" {
		state += " · " + cutEscaped(c.Service, 200)
	}
	if c.Private {
		state += " · " + o.text.Text("card_private")
	}
	if c.Drill {
		state += " · " + o.text.Text("card_drill")
	}
	commander := o.text.Text("card_no_commander")
	if c.Commander.ID != "" {
		commander = o.text.Text("card_commander", "person", templates.Markup(mention(c.Commander.ID, c.Commander.Name)))
	}
	if c.Notice != "" {
		commander += " · " + o.text.Text("card_notice", "status", c.Notice)
	}
	if c.Tasks > 0 {
		commander += " · " + o.text.Text("card_tasks", "count", c.Tasks)
	}
	lines := []string{state, commander}
	if c.BridgeURL != "" {
		lines = append(lines, o.text.Text("card_bridge", "link", templates.Markup(link(c.BridgeURL, c.BridgeURL))))
	}
	if c.Firing > 0 || c.Unseen > 0 {
		lines = append(lines, o.text.Text("card_alerts", "firing", o.firingText(c.Firing))+o.unseenText(c.Unseen))
	}
	if c.Impact != "" {
		lines = append(lines, o.text.Text("card_impact", "text", templates.Markup(cutEscaped(oneLine(c.Impact), 500))))
	}
	if c.Update != "" {
		update := o.text.Text("card_update", "text", templates.Markup(cutEscaped(oneLine(c.Update), 500)))
		if !c.UpdateDue.IsZero() {
			update += " · " + o.text.Text("card_next_update", "time", clockMarkup(c.UpdateDue))
		}
		lines = append(lines, update)
	}
	if len(c.Owed) > 0 {
		owed := make([]string, len(c.Owed))
		for i, what := range c.Owed {
			owed[i] = o.config.Text.Say(what)
		}
		lines = append(lines, ":warning: "+cutEscaped(strings.Join(owed, " · "), 700))
	}
	return lines
}

func (o *Outbound) cardButtons(c bot.Card) []slackgo.BlockElement {
	label := o.config.Text // a button's text is plain
	more := button(actionMore, label.Text("button_more"), c.Key, slackgo.StyleDefault)
	if !c.Open {
		return []slackgo.BlockElement{more}
	}
	buttons := []slackgo.BlockElement{
		button(actionTakeLead, label.Text("button_take_lead"), c.Key, slackgo.StylePrimary),
		button(actionPostUpdate, label.Text("button_post_update"), c.Key, slackgo.StyleDefault),
	}
	if c.Status != incidents.Monitoring {
		buttons = append(buttons, button(actionMitigated, label.Text("button_mitigated"), c.Key, slackgo.StyleDefault))
	}
	return append(buttons, button(actionResolve, label.Text("button_resolve"), c.Key, slackgo.StyleDefault), more)
}

// statusEmoji is one sign that can be read from afar.
func statusEmoji(inc incidents.Incident) string {
	switch {
	case inc.Drill:
		return ":test_tube:"
	case inc.Status == incidents.Resolved || inc.Status == incidents.Closed:
		return ":large_green_circle:"
	case inc.Status == incidents.Declined || inc.Status == incidents.Merged:
		return ":white_circle:"
	case inc.Severity == incidents.Sev1 || inc.Severity == incidents.Sev2:
		return ":red_circle:"
	default:
		return ":large_orange_circle:"
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
