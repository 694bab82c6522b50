package slack

import (
	"strconv"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// askingAfterwards is the question about a postmortem or an action item in
// words; false for the other kinds.
func (o *Outbound) askingAfterwards(texts *templates.Catalogue, q question) (string, bool) {
	name := templates.Markup(named(q.inc))
	id, _ := strconv.ParseInt(q.target, 10, 64)
	item, there := q.inc.Action(id)
	text := templates.Markup(cutEscaped(item.Text, 2000))
	owner := templates.Markup(mention(item.Owner.ID, item.Owner.Name))
	switch q.kind {
	case incidents.NudgeWriting:
		return texts.Text("nudge_writing", "incident", name), true
	case incidents.NudgeReview:
		return texts.Text("nudge_review", "incident", name), true
	case incidents.NudgeActionSoon, incidents.NudgeVerify, incidents.NudgeOverdue:
	default:
		return "", false
	}
	switch {
	case !there:
		return texts.Text("nudge_action_gone", "key", q.inc.Key()), true
	case q.kind == incidents.NudgeActionSoon:
		return texts.Text("nudge_action_soon", "incident", name, "number", id, "due", item.Due, "text", text), true
	case q.kind == incidents.NudgeVerify:
		return texts.Text("nudge_action_verify", "incident", name, "number", id, "text", text, "command", o.config.Command), true
	default:
		return texts.Text("nudge_action_overdue", "incident", name, "number", id, "due", item.Due, "text", text, "owner", owner), true
	}
}

// answersAfterwards are the buttons of those questions; nil for the other kinds.
func answersAfterwards(texts *templates.Catalogue, q question, later slackgo.BlockElement) []slackgo.BlockElement {
	key := q.inc.Key()
	switch q.kind {
	case incidents.NudgeWriting:
		return []slackgo.BlockElement{button(ActionPostmortemReview, texts.Text("button_postmortem_review"), key, slackgo.StylePrimary), later}
	case incidents.NudgeReview:
		return []slackgo.BlockElement{button(ActionPostmortemApprove, texts.Text("button_postmortem_approve"), key, slackgo.StylePrimary), later}
	default:
		return itemAnswers(texts, q, later)
	}
}
