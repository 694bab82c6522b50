package slack

import (
	"context"
	"fmt"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// formRoles gives roles, and hands them over with a summary. Each role is an
// input of its name.
const formRoles = "roles"

func rolesWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("roles_title"), t.Text("form_save")
}

func (e *Edge) buildRoles(_ context.Context, f formFor) ([]slackgo.Block, error) {
	var blocks []slackgo.Block
	for _, role := range incidents.Roles() {
		blocks = append(blocks, e.personInput(string(role), f.texts.Name(role), f.inc.Roles[role]))
	}
	return append(blocks, e.textInput(inputSummary, f.texts.Text("roles_input_summary"), f.texts.Text("roles_hint_summary"), "", incidents.MaxText)), nil
}

func (e *Edge) takeRoles(ctx context.Context, s submitted) (reply, error) {
	command := incidents.SetRoles{Request: s.Request, Roles: map[incidents.Role]incidents.Person{}, Summary: s.value(e, inputSummary)}
	for _, role := range incidents.Roles() {
		id := s.in.View.input(string(role)).User
		if id == "" {
			continue // left alone: to free a role there is a command
		}
		person, err := e.config.Directory.Find(ctx, fmt.Sprintf("<@%s>", id))
		if err != nil {
			return reply{}, atField(string(role), err)
		}
		command.Roles[role] = person
	}
	r, err := e.formDid(ctx, s, command, func(inc incidents.Incident) string {
		return e.textFor(s.Actor.ID).Text("done_roles", "key", inc.Key())
	})
	if command.Summary != "" {
		err = atField(inputSummary, err)
	}
	return r, err
}
