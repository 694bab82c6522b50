package slack

import (
	"fmt"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// Action ids of the card's buttons; their value is the incident's key.
const (
	actionTakeLead   = "take_lead"
	actionPostUpdate = "post_update"
	actionMitigated  = "mitigated"
	actionResolve    = "resolve"
	actionMore       = "more"
)

// cardMessage renders a card: a header, at most seven lines, and the buttons
// that fit the status. Whatever is put in, Slack takes it.
func cardMessage(c bot.Card) posting {
	title := c.Key + " " + c.Title
	lines := cardLines(c)
	m := posting{
		Text: cutEscaped(fmt.Sprintf("%s (%s, %s)", title, c.Severity, c.Status), maxText),
		Blocks: []slackgo.Block{
			slackgo.NewHeaderBlock(slackgo.NewTextBlockObject(slackgo.PlainTextType, cut(clean(title), maxHeader), false, false)),
			section(strings.Join(lines, "\n")),
		},
	}
	if buttons := cardButtons(c); len(buttons) > 0 {
		m.Blocks = append(m.Blocks, slackgo.NewActionBlock("card", buttons...))
	}
	return m
}

// cardLines are the card's lines under its title; each is bounded, so that all
// of them fit a section.
func cardLines(c bot.Card) []string {
	state := fmt.Sprintf("%s *%s* · *%s*", statusEmoji(incidents.Incident{Status: c.Status, Severity: c.Severity, Drill: c.Drill}), c.Status, c.Severity)
	if c.Service != "" {
		state += " · " + cutEscaped(c.Service, 200)
	}
	if c.Private {
		state += " · :lock: private"
	}
	if c.Drill {
		state += " · drill"
	}
	commander := "*Commander:* nobody yet"
	if c.Commander.ID != "" {
		commander = "*Commander:* " + mention(c.Commander.ID, c.Commander.Name)
	}
	if c.Notice != "" {
		commander += " · *Status page:* " + string(c.Notice)
	}
	lines := []string{state, commander}
	if c.BridgeURL != "" {
		lines = append(lines, "*Video call:* "+link(c.BridgeURL, c.BridgeURL))
	}
	if c.Firing > 0 {
		lines = append(lines, "*Alerts:* "+firingText(c.Firing))
	}
	if c.Impact != "" {
		lines = append(lines, "*Impact:* "+cutEscaped(oneLine(c.Impact), 500))
	}
	if c.Update != "" {
		lines = append(lines, "*Last update:* "+cutEscaped(oneLine(c.Update), 500))
	}
	if len(c.Owed) > 0 {
		lines = append(lines, ":warning: "+cutEscaped(strings.Join(c.Owed, " · "), 700))
	}
	return lines
}

func cardButtons(c bot.Card) []slackgo.BlockElement {
	if !c.Open {
		return []slackgo.BlockElement{button(actionMore, "More", c.Key, slackgo.StyleDefault)}
	}
	buttons := []slackgo.BlockElement{
		button(actionTakeLead, "Take the lead", c.Key, slackgo.StylePrimary),
		button(actionPostUpdate, "Post an update", c.Key, slackgo.StyleDefault),
	}
	if c.Status != incidents.Monitoring {
		buttons = append(buttons, button(actionMitigated, "Mitigated", c.Key, slackgo.StyleDefault))
	}
	return append(buttons,
		button(actionResolve, "Resolve", c.Key, slackgo.StyleDefault),
		button(actionMore, "More", c.Key, slackgo.StyleDefault))
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
