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

// inputFree holds the roles that are to be free.
const inputFree = "free"

func rolesWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("roles_title"), t.Text("form_save")
}

func (e *Edge) buildRoles(_ context.Context, f formFor) ([]slackgo.Block, error) {
	var blocks []slackgo.Block
	for _, role := range incidents.Roles() {
		blocks = append(blocks, e.personInput(string(role), f.texts.Name(role), f.inc.Roles[role]))
	}
	if held := e.heldInput(f); held != nil {
		blocks = append(blocks, held)
	}
	return append(blocks, e.textInput(inputSummary, f.texts.Text("roles_input_summary"), f.texts.Text("roles_hint_summary"), "", incidents.MaxText)), nil
}

// heldInput lists the roles that somebody has, to be freed: a menu of people can
// not be emptied again. Nil when all are free.
func (e *Edge) heldInput(f formFor) slackgo.Block {
	var held []*slackgo.OptionBlockObject
	for _, role := range incidents.Roles() {
		if person := f.inc.Roles[role]; person.ID != "" {
			label := f.texts.Text("roles_free_one", "role", role, "person", person.Name)
			held = append(held, slackgo.NewOptionBlockObject(string(role), e.label(cut(label, maxButton)), nil))
		}
	}
	if len(held) == 0 {
		return nil
	}
	return e.input(inputFree, f.texts.Text("roles_input_free"), "", slackgo.NewCheckboxGroupsBlockElement(inputFree, held...))
}

// freed reads which roles are to be free. One that is given to somebody else at
// once is a slip, which stays in the form.
func (e *Edge) freed(ctx context.Context, s submitted, roles map[incidents.Role]incidents.Person) error {
	ticked := s.in.View.input(inputFree).Checked
	if len(ticked) == 0 {
		return nil
	}
	inc, err := e.config.Service.Incident(ctx, s.meta.Number, s.Request)
	if err != nil {
		return err
	}
	for _, option := range ticked {
		role := incidents.Role(option.Value)
		if held := inc.Roles[role]; held.ID != "" && held.ID != s.in.View.shown(option.Value).User {
			return atField(inputFree, incidents.Errorf(incidents.Conflict, "%s has the role %s by now. Open the form again to free it.", held.Name, role))
		}
		if person, given := roles[role]; given && person.ID != inc.Roles[role].ID {
			return atField(inputFree, incidents.Errorf(incidents.Invalid, "The role %s is given to %s here. Give it or free it, not both.", role, person.Name))
		}
		roles[role] = incidents.Person{}
	}
	return nil
}

func (e *Edge) takeRoles(ctx context.Context, s submitted) (reply, error) {
	command := incidents.SetRoles{Request: s.Request, Roles: map[incidents.Role]incidents.Person{}, Summary: s.value(e, inputSummary)}
	for _, role := range incidents.Roles() {
		id := s.in.View.input(string(role)).User
		if id == "" || !s.changed(e, string(role)) {
			continue // left alone: to free a role there is a box to tick
		}
		person, err := e.config.Directory.Find(ctx, fmt.Sprintf("<@%s>", id))
		if err != nil {
			return reply{}, atField(string(role), err)
		}
		command.Roles[role] = person
	}
	if err := e.freed(ctx, s, command.Roles); err != nil {
		return reply{}, err
	}
	r, err := e.formDid(ctx, s, command, func(inc incidents.Incident) string {
		return e.textFor(s.Actor.ID).Text("done_roles", "key", inc.Key())
	})
	if command.Summary != "" {
		err = atField(inputSummary, err)
	}
	return r, err
}
