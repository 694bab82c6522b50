package slack

import (
	"context"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// actionItem is the verb "action": "2 done <how it was met>", "2 verified", "2
// drop <why>", "2 start", "2 reopen", "2 owner @user", "2 due 2030-01-31", "2
// priority p1", "2 type detect" and "2 when <done when>" change item 2; anything
// else is the text of a new one.
func (e *Edge) actionItem(ctx context.Context, o order) (reply, error) {
	number, after := splitWord(o.rest)
	id, err := strconv.ParseInt(number, 10, 64)
	word, rest := splitWord(after)
	if err != nil || id < 1 || word == "" {
		return changes((*Edge).readAction)(e, ctx, o)
	}
	command, err := e.readActionChange(ctx, o, id, strings.ToLower(word), rest)
	switch {
	case err != nil:
		return reply{}, err
	case command == nil && rest == "" && e.hasAction(ctx, o, id):
		return reply{}, incidents.Errorf(incidents.Invalid, "%q is nothing that can be done to action item %d.", word, id)
	case command == nil:
		return changes((*Edge).readAction)(e, ctx, o)
	}
	return e.did(ctx, o.number, command, func(inc incidents.Incident) string {
		item, _ := inc.Action(id)
		return e.textFor(o.Actor.ID).Text("done_action_change", "key", inc.Key(), "number", id, "state", item.Stands())
	})
}

// hasAction reports whether the incident has an action item of that number: then
// the number and one word are a slip rather than a new item.
func (e *Edge) hasAction(ctx context.Context, o order, id int64) bool {
	inc, err := e.config.Service.Incident(ctx, o.number, o.Request)
	if err != nil {
		return false
	}
	_, has := inc.Action(id)
	return has
}

// readActionChange reads what is done to an item; nil when the words are none of
// it.
func (e *Edge) readActionChange(ctx context.Context, o order, id int64, word, rest string) (incidents.Command, error) {
	move := func(to incidents.ActionState) (incidents.Command, error) {
		return incidents.MoveAction{Request: o.Request, ID: id, To: to, Note: e.plain(rest)}, nil
	}
	change, text := incidents.ChangeAction{Request: o.Request, ID: id}, e.plain(rest)
	switch word {
	case "done", "erledigt":
		return move(incidents.ActionDone)
	case "verified", "verify", "geprüft":
		return move(incidents.ActionVerified)
	case "drop", "wont_do", "verwerfen":
		return move(incidents.ActionDropped)
	case "start", "begonnen":
		return move(incidents.ActionInProgress)
	case "reopen", "öffnen":
		return move(incidents.ActionOpen)
	case "due", "termin":
		change.Due = &text
	case "when", "wenn":
		change.DoneWhen = &text
	case "owner":
		person, err := e.config.Directory.Find(ctx, rest)
		if err != nil {
			return nil, err
		}
		change.Owner = &person
	case "priority":
		p, err := incidents.ParsePriority(text)
		if err != nil {
			return nil, err
		}
		change.Priority = &p
	case "type":
		t, err := incidents.ParseActionType(text)
		if err != nil {
			return nil, err
		}
		change.Type = &t
	default:
		return nil, nil //nolint:nilnil // the words are those of a new item
	}
	return change, nil
}
