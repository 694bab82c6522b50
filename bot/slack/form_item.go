package slack

import (
	"context"
	"fmt"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// The forms about one action item, which a question about it opens.
const (
	formItemDone = "action_done"   // how its done-when was met
	formItemSeen = "action_seen"   // what shows that it works
	formItemHand = "action_handed" // who does it from now on
)

// inputDoneWhen asks for what nobody has written down yet.
const inputDoneWhen = "done_when"

// The buttons that open them; their value is the incident's key and the item's id.
const (
	ActionItemDone   = "nudge_action_done"
	ActionItemVerify = "nudge_action_verify"
	ActionItemHand   = "nudge_action_hand"
)

func itemDoneWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("item_done_title"), t.Text("form_save")
}

func itemSeenWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("item_seen_title"), t.Text("form_save")
}

func itemHandWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("item_hand_title"), t.Text("form_save")
}

// pressItem opens a form about one action item.
func pressItem(form string) pressing {
	return func(e *Edge, ctx context.Context, c click) (reply, error) {
		number, ids, ok := keyAnd(c.action.Value, 1)
		if !ok {
			return e.oldButton(c.Actor.ID), nil
		}
		e.openIncidentForm(ctx, formRequest{user: c.in.person(), trigger: c.in.TriggerID, form: form, meta: formMeta{
			origin: origin{Channel: c.In, ResponseURL: c.in.ResponseURL}, Number: number, Item: ids[0],
		}})
		return reply{}, nil
	}
}

// item gives the action item that a form is about.
func (f formFor) item() (incidents.ActionItem, error) {
	item, ok := f.inc.Action(f.meta.Item)
	if !ok {
		return item, incidents.Errorf(incidents.NotFound, "%s has no action item %d.", f.inc.Key(), f.meta.Item)
	}
	return item, nil
}

func (e *Edge) buildItemDone(_ context.Context, f formFor) ([]slackgo.Block, error) {
	item, err := f.item()
	if err != nil {
		return nil, err
	}
	blocks := []slackgo.Block{e.words(f.texts.Text("item_is", "number", item.ID, "text", cut(item.Text, 2000)))}
	if item.DoneWhen == "" {
		blocks = append(blocks, needed(e.textInput(inputDoneWhen, f.texts.Text("item_input_when"), "", "", incidents.MaxText)))
	} else {
		blocks = append(blocks, e.words(f.texts.Text("item_done_when", "text", cut(item.DoneWhen, 2000))))
	}
	return append(blocks, needed(e.textInput(inputText, f.texts.Text("item_input_outcome"), "", "", incidents.MaxText))), nil
}

func (e *Edge) buildItemSeen(_ context.Context, f formFor) ([]slackgo.Block, error) {
	item, err := f.item()
	if err != nil {
		return nil, err
	}
	return []slackgo.Block{
		e.words(f.texts.Text("item_is", "number", item.ID, "text", cut(item.Text, 2000))),
		needed(e.textInput(inputText, f.texts.Text("item_input_seen"), cut(item.Outcome, 1000), "", incidents.MaxText)),
	}, nil
}

func (e *Edge) buildItemHand(_ context.Context, f formFor) ([]slackgo.Block, error) {
	item, err := f.item()
	if err != nil {
		return nil, err
	}
	due := slackgo.NewDatePickerBlockElement(inputDue)
	due.InitialDate = item.Due
	return []slackgo.Block{
		e.words(f.texts.Text("item_is", "number", item.ID, "text", cut(item.Text, 2000))),
		needed(e.personInput(inputOwner, f.texts.Text("action_input_owner"), incidents.Person{})),
		e.input(inputDue, f.texts.Text("action_input_due"), "", due),
	}, nil
}

func (e *Edge) takeItemDone(ctx context.Context, s submitted) (reply, error) {
	return e.itemDid(ctx, s, incidents.MoveAction{Request: s.Request, ID: s.meta.Item, To: incidents.ActionDone, Note: s.value(e, inputText), DoneWhen: s.value(e, inputDoneWhen)})
}

func (e *Edge) takeItemSeen(ctx context.Context, s submitted) (reply, error) {
	return e.itemDid(ctx, s, incidents.MoveAction{Request: s.Request, ID: s.meta.Item, To: incidents.ActionVerified, Note: s.value(e, inputText)})
}

func (e *Edge) takeItemHand(ctx context.Context, s submitted) (reply, error) {
	owner, err := e.config.Directory.Find(ctx, fmt.Sprintf("<@%s>", s.in.View.input(inputOwner).User))
	if err != nil {
		return reply{}, atField(inputOwner, err)
	}
	change := incidents.ChangeAction{Request: s.Request, ID: s.meta.Item, Owner: &owner}
	if due := s.in.View.input(inputDue).Date; due != "" {
		change.Due = &due
	}
	return e.itemDid(ctx, s, change)
}

// itemDid has something done to the form's item and says how it stands then.
func (e *Edge) itemDid(ctx context.Context, s submitted, command incidents.Command) (reply, error) {
	return e.formDid(ctx, s, command, func(inc incidents.Incident) string {
		item, _ := inc.Action(s.meta.Item)
		return e.textFor(s.Actor.ID).Text("done_action_change", "key", inc.Key(), "number", item.ID, "state", item.Stands())
	})
}

// itemAnswers are the buttons of a question about an action item: what it asks
// for, somebody else, and later. Nil for the other questions.
func itemAnswers(texts *templates.Catalogue, q question, later slackgo.BlockElement) []slackgo.BlockElement {
	value := q.inc.Key() + "/" + q.target
	hand := button(ActionItemHand, texts.Text("button_hand"), value, slackgo.StyleDefault)
	switch q.kind {
	case incidents.NudgeAction, incidents.NudgeActionSoon, incidents.NudgeOverdue:
		return []slackgo.BlockElement{button(ActionItemDone, texts.Text("button_item_done"), value, slackgo.StylePrimary), hand, later}
	case incidents.NudgeVerify:
		return []slackgo.BlockElement{button(ActionItemVerify, texts.Text("button_item_verify"), value, slackgo.StylePrimary), later}
	default:
		return nil
	}
}
