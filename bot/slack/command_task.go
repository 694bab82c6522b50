package slack

import (
	"context"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

const verbTask verb = "task"

// The buttons of a task; their value is the incident's key and the task's id.
const (
	ActionTaskTake = "task_take"
	ActionTaskDone = "task_done"
	ActionTaskDrop = "task_drop"
	ActionTaskMove = "task_move"
)

// readTask reads "<text> [@user]".
func (e *Edge) readTask(ctx context.Context, o order) (incidents.Command, sayer, error) {
	text := strings.TrimSpace(o.rest)
	command := incidents.AddTask{Request: o.Request}
	if m := ownerPattern.FindStringSubmatchIndex(text); m != nil {
		person, err := e.config.Directory.Find(ctx, text[m[2]:m[3]])
		if err != nil {
			return nil, nil, err
		}
		command.Owner, text = person, strings.TrimSpace(text[:m[0]])
	}
	command.Text = e.plain(text)
	return command, func(inc incidents.Incident) string {
		return e.textFor(o.Actor.ID).Text("done_task", "key", inc.Key(), "number", len(inc.Tasks))
	}, nil
}

// pressTask is the pressing of a button that brings a task to a state.
func pressTask(state incidents.TaskState) pressing {
	return func(e *Edge, ctx context.Context, c click) (reply, error) {
		number, ids, ok := keyAnd(c.action.Value, 1)
		if !ok {
			return e.oldButton(c.Actor.ID), nil
		}
		// The message says what came of it; nothing is said twice.
		_, err := e.config.Service.Do(ctx, number, incidents.ChangeTask{Request: c.Request, ID: ids[0], State: state})
		return reply{}, err
	}
}
