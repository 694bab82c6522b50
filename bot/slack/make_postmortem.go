package slack

import (
	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// postmortemMessage tells of a step of the postmortem, with the buttons for the
// next one; false for other events. The buttons are those of the state it came
// to then: one that is pressed too late is refused in words.
func (o *Outbound) postmortemMessage(inc incidents.Incident, e incidents.Event, who templates.Markup) (posting, bool) {
	switch data := e.Data.(type) {
	case incidents.PostmortemMoved:
		m := words(o.movedText(inc, data.To, who))
		if data.Reason != "" {
			m = words(m.Text + "\n" + o.text.Text("post_postmortem_reason", "reason", cut(data.Reason, 2000)))
		}
		switch data.To {
		case incidents.PostmortemInReview, incidents.PostmortemApproved:
			then := inc
			then.Postmortem.State = data.To
			return withSteps(m, nextSteps(o.config.Text, then)), true
		default:
			return m, true
		}
	case incidents.DraftReady:
		m := words(o.text.Text("post_draft_ready", "command", o.config.Command))
		then := inc
		then.Postmortem.State, then.Status = incidents.PostmortemDraft, incidents.Resolved
		return withSteps(m, nextSteps(o.config.Text, then)), true
	case incidents.ReviewPlanned:
		return words(o.text.Text("post_review_planned", "key", inc.Key(), "person", who, "when", slackTime(data.Meeting.At), "minutes", data.Meeting.Minutes)), true
	case incidents.ActionChanged:
		item := data.Item
		note := item.Outcome
		switch item.Stands() {
		case incidents.ActionVerified:
			note = item.Verification
		case incidents.ActionDropped:
			note = item.Reason
		case incidents.ActionOpen, incidents.ActionInProgress, incidents.ActionDone:
		}
		text := o.text.Text("post_action_moved", "number", item.ID, "text", cut(item.Text, 300), "state", item.Stands(), "person", who)
		if note != "" {
			text += "\n" + o.text.Text("post_action_note", "note", cut(note, 2000))
		}
		return words(text), true
	default:
		return posting{}, false
	}
}

func withSteps(m posting, steps *slackgo.ActionBlock) posting {
	if steps != nil {
		m.Blocks = []slackgo.Block{section(m.Text), steps}
	}
	return m
}

func (o *Outbound) movedText(inc incidents.Incident, to incidents.PostmortemState, who templates.Markup) string {
	switch to {
	case incidents.PostmortemInReview:
		return o.text.Text("post_postmortem_in_review", "key", inc.Key(), "person", who)
	case incidents.PostmortemApproved:
		return o.text.Text("post_postmortem_approved", "key", inc.Key(), "person", who)
	case incidents.PostmortemPublished:
		return o.text.Text("post_postmortem_published", "key", inc.Key(), "person", who)
	case incidents.PostmortemWaived:
		return o.text.Text("post_postmortem_waived", "key", inc.Key(), "person", who)
	default:
		return o.text.Text("post_postmortem_draft", "key", inc.Key(), "person", who)
	}
}
