package slack

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// nudgeMaker asks a question in the incident's channel or in a direct message,
// and edits the message once the question is closed: the buttons go, and what
// came of it is said.
type nudgeMaker struct{ *Outbound }

// neverAsked stands for the message of a question that was closed before it
// could be posted.
const neverAsked = "-"

func (m nudgeMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	q := questionOf(work)
	if !q.open() {
		return bot.Made{ID: neverAsked, Shown: work.Incident.Seq}, nil
	}
	place := q.asked.Person.ID
	if !q.asked.Direct {
		var err error
		if place, err = placeOf(work); err != nil {
			return bot.Made{}, err
		}
	}
	message, err := m.question(ctx, q)
	if err != nil {
		return bot.Made{}, err
	}
	return m.post(ctx, work, place, message, work.Incident.Seq)
}

func (m nudgeMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	q := questionOf(work)
	place, err := placeOf(work)
	if q.asked.Direct {
		place, err = m.direct(ctx, q.asked.Person.ID)
	}
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, place, 0)
}

func (m nudgeMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	if work.Effect.ID == neverAsked {
		return bot.Made{ID: neverAsked, Shown: work.Incident.Seq}, nil
	}
	message, err := m.question(ctx, questionOf(work))
	if err != nil {
		return bot.Made{}, err
	}
	return m.edit(ctx, work, message, work.Incident.Seq)
}

// direct gives the id of the channel of direct messages with a person.
func (o *Outbound) direct(ctx context.Context, person string) (string, error) {
	channel, _, _, err := o.api().OpenConversationContext(ctx, &slackgo.OpenConversationParameters{Users: []string{person}, ReturnIM: true})
	if err != nil {
		return "", failure(err)
	}
	return channel.ID, nil
}

// question is one asking of a nudge.
type question struct {
	inc    incidents.Incident
	name   string
	kind   incidents.NudgeKind
	target string
	round  int64
	asked  incidents.Nudged // as the incident remembers it now, maybe of a later round
}

// questionOf reads which question an effect asks; see [incidents.NudgeTarget].
func questionOf(work bot.Work) question {
	q := question{inc: work.Incident}
	at := strings.LastIndexByte(work.Effect.Target, '/')
	if at < 0 {
		return q
	}
	q.name = work.Effect.Target[:at]
	q.round, _ = strconv.ParseInt(work.Effect.Target[at+1:], 10, 64) // ours; 0 is no question
	q.kind, q.target = incidents.ParseNudge(q.name)
	q.asked = work.Incident.Nudges[q.name]
	return q
}

// open reports whether people are still to answer it.
func (q question) open() bool { return q.asked.Open && q.asked.Round == q.round }

// question renders what is asked, or what came of it.
func (o *Outbound) question(ctx context.Context, q question) (posting, error) {
	texts := o.text
	if q.asked.Direct {
		texts = o.textFor(q.asked.Person.ID)
	}
	text, err := o.asking(ctx, texts, q)
	if err != nil {
		return posting{}, err
	}
	if !q.open() {
		return words(text + "\n" + o.outcome(texts, q)), nil
	}
	if !q.asked.Direct && q.asked.Person.ID != "" {
		text = mention(q.asked.Person.ID, q.asked.Person.Name) + " " + text
	}
	m := words(text)
	m.Blocks = append(m.Blocks, slackgo.NewActionBlock("nudge", answers(texts.Plain(), q)...))
	return m, nil
}

// asking is the question in words.
func (o *Outbound) asking(ctx context.Context, texts *templates.Catalogue, q question) (string, error) {
	if text, ok := o.askingAfterwards(texts, q); ok {
		return text, nil
	}
	switch q.kind {
	case incidents.NudgeCommander:
		return texts.Text("nudge_commander"), nil
	case incidents.NudgeUpdate:
		return texts.Text("nudge_update"), nil
	case incidents.NudgeCommunications:
		return texts.Text("nudge_communications"), nil
	case incidents.NudgeStale:
		return texts.Text("nudge_stale", "since", slackTime(q.inc.ActiveAt)), nil
	case incidents.NudgeDraft:
		return o.askingForDraft(ctx, texts, q)
	case incidents.NudgeAction:
		return askingForAction(texts, q), nil
	default:
		return "", &bot.Failure{Reason: fmt.Sprintf("this version of Houston does not ask %s", q.kind), Terminal: true}
	}
}

func (o *Outbound) askingForDraft(ctx context.Context, texts *templates.Catalogue, q question) (string, error) {
	events, err := o.config.Store.Events(ctx, q.inc.Number)
	if err != nil {
		return "", fmt.Errorf("load events of %s: %w", q.inc.Key(), err)
	}
	gaps := 0
	for _, item := range q.inc.Actions {
		if item.Gap {
			gaps++
		}
	}
	text := texts.Text("nudge_draft", "incident", templates.Markup(named(q.inc)),
		"entries", len(incidents.Timeline(events)), "actions", len(q.inc.Actions)-gaps)
	if gaps > 0 {
		text += " " + texts.Text("nudge_draft_gap")
	}
	return text + " " + texts.Text("nudge_draft_ask"), nil
}

func askingForAction(texts *templates.Catalogue, q question) string {
	id, _ := strconv.ParseInt(q.target, 10, 64)
	for _, item := range q.inc.Actions {
		if item.ID == id {
			return texts.Text("nudge_action", "incident", templates.Markup(named(q.inc)),
				"number", item.ID, "due", item.Due, "text", templates.Markup(cutEscaped(item.Text, 2000)))
		}
	}
	return texts.Text("nudge_action_gone", "key", q.inc.Key())
}

// named is an incident with its title.
func named(inc incidents.Incident) string {
	return "*" + inc.Key() + "* " + cutEscaped(inc.Title, 300)
}

// outcome says how a question ended.
func (o *Outbound) outcome(texts *templates.Catalogue, q question) string {
	switch {
	case q.asked.Round != q.round || q.asked.Outcome == incidents.NudgePassed:
		return texts.Text("nudge_passed")
	case q.asked.Outcome == incidents.NudgeSnoozed:
		until := q.asked.Until
		if every := q.inc.Nudges[incidents.EveryNudge].Until; !q.asked.Direct && every.After(until) {
			until = every
		}
		return texts.Text("nudge_snoozed", "time", slackTime(until))
	case q.asked.By.ID == "":
		return texts.Text("nudge_over")
	default:
		return texts.Text("nudge_done", "person", templates.Markup(mention(q.asked.By.ID, q.asked.By.Name)))
	}
}

// answers are the buttons of an open question: what it asks for, and later.
func answers(texts *templates.Catalogue, q question) []slackgo.BlockElement {
	key := q.inc.Key()
	later := func(label string) slackgo.BlockElement {
		return button(ActionSnooze, label, key+" "+q.name, slackgo.StyleDefault)
	}
	if buttons := answersAfterwards(texts, q, later(texts.Text("button_tomorrow"))); buttons != nil {
		return buttons
	}
	switch q.kind {
	case incidents.NudgeCommander:
		return []slackgo.BlockElement{
			button(ActionTakeLead, texts.Text("button_take_lead"), key, slackgo.StylePrimary), later(texts.Text("button_snooze")),
		}
	case incidents.NudgeUpdate:
		return []slackgo.BlockElement{
			button(ActionPostUpdate, texts.Text("button_post_update"), key, slackgo.StylePrimary), later(texts.Text("button_snooze")),
		}
	case incidents.NudgeCommunications:
		return []slackgo.BlockElement{
			button(ActionTakeCommunications, texts.Text("button_take_communications"), key, slackgo.StylePrimary), later(texts.Text("button_snooze")),
		}
	case incidents.NudgeStale:
		return []slackgo.BlockElement{
			button(ActionResolve, texts.Text("button_resolve"), key, slackgo.StyleDefault), later(texts.Text("button_still_working")),
		}
	case incidents.NudgeDraft:
		return []slackgo.BlockElement{
			button(ActionOpenDraft, texts.Text("button_open_draft"), key, slackgo.StylePrimary), later(texts.Text("button_tomorrow")),
		}
	default:
		return []slackgo.BlockElement{later(texts.Text("button_tomorrow"))}
	}
}
