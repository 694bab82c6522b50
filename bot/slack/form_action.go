package slack

import (
	"context"
	"fmt"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// formAction notes an action item.
const formAction = "action_item"

// Its inputs.
const (
	inputOwner    = "owner"
	inputDue      = "due"
	inputType     = "type"
	inputPriority = "priority"
)

func actionWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("action_title"), t.Text("form_save")
}

func (e *Edge) buildAction(_ context.Context, f formFor) ([]slackgo.Block, error) {
	due := e.input(inputDue, f.texts.Text("action_input_due"), "", slackgo.NewDatePickerBlockElement(inputDue))
	return []slackgo.Block{
		needed(e.textInput(inputText, f.texts.Text("action_input_text"), f.texts.Text("action_hint_text"), f.text, incidents.MaxText)),
		e.personInput(inputOwner, f.texts.Text("action_input_owner"), incidents.Person{}),
		due,
		e.menuInput(inputType, f.texts.Text("action_input_type"), choicesOf(f.texts, incidents.ActionTypes()...), string(incidents.Prevent)),
		e.menuInput(inputPriority, f.texts.Text("action_input_priority"), choicesOf(f.texts, incidents.Priorities()...), ""),
	}, nil
}

func (e *Edge) takeAction(ctx context.Context, s submitted) (reply, error) {
	command := incidents.AddAction{
		Request: s.Request, Text: s.value(e, inputText), Due: s.in.View.input(inputDue).Date,
		Type: incidents.ActionType(s.in.View.input(inputType).Selected.Value), Priority: incidents.Priority(s.in.View.input(inputPriority).Selected.Value),
	}
	if s.meta.TS != "" {
		command.Message, command.Permalink = &incidents.Message{Channel: s.meta.Channel, TS: s.meta.TS}, s.meta.Link
	}
	if id := s.in.View.input(inputOwner).User; id != "" {
		owner, err := e.config.Directory.Find(ctx, fmt.Sprintf("<@%s>", id))
		if err != nil {
			return reply{}, atField(inputOwner, err)
		}
		command.Owner = owner
	}
	return e.formDid(ctx, s, command, func(inc incidents.Incident) string {
		return e.textFor(s.Actor.ID).Text("done_action", "key", inc.Key(), "number", inc.LastAction)
	})
}
