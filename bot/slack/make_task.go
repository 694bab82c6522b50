package slack

import (
	"context"
	"strconv"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// taskMaker shows a task in the incident's channel, in one message that is kept
// current.
type taskMaker struct{ *Outbound }

func (m taskMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	return m.post(ctx, work, channel, m.task(work), work.Incident.Seq)
}

func (m taskMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, channel, 0)
}

func (m taskMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	return m.edit(ctx, work, m.task(work), work.Incident.Seq)
}

func (o *Outbound) task(work bot.Work) posting {
	id, _ := strconv.ParseInt(work.Effect.Target, 10, 64) // ours
	task, _ := work.Incident.Task(id)
	m := words(taskText(o.text, task))
	if buttons := o.taskButtons(work.Incident, task); len(buttons) > 0 {
		m.Blocks = append(m.Blocks, slackgo.NewActionBlock("task", buttons...))
	}
	return m
}

// taskText is a task in one paragraph.
func taskText(texts *templates.Catalogue, task incidents.Task) string {
	text := texts.Text("task_line", "number", task.ID, "text", templates.Markup(cutEscaped(task.Text, 2500)))
	owner := templates.Markup(mention(task.Owner.ID, task.Owner.Name))
	by := templates.Markup(mention(task.By.ID, task.By.Name))
	switch task.State {
	case incidents.TaskInProgress:
		return text + " · " + texts.Text("task_in_progress", "person", owner)
	case incidents.TaskDone:
		return text + " · " + texts.Text("task_done", "person", by, "time", slackTime(task.At))
	case incidents.TaskDropped:
		return text + " · " + texts.Text("task_dropped", "person", by)
	case incidents.TaskMoved:
		return text + " · " + texts.Text("task_moved", "person", by)
	default:
		return text + " · " + texts.Text("task_open")
	}
}

// taskButtons are what can be done about a task: of an incident that has ended
// an open task can become an action item.
func (o *Outbound) taskButtons(inc incidents.Incident, task incidents.Task) []slackgo.BlockElement {
	value := inc.Key() + "/" + strconv.FormatInt(task.ID, 10)
	label := o.config.Text
	if !task.Unfinished() {
		return nil
	}
	var buttons []slackgo.BlockElement
	switch {
	case !inc.Status.Open():
		buttons = append(buttons, button(ActionTaskMove, label.Text("button_task_move"), value, slackgo.StylePrimary))
	case task.State == incidents.TaskOpen:
		buttons = append(buttons, button(ActionTaskTake, label.Text("button_task_take"), value, slackgo.StylePrimary))
	}
	return append(buttons,
		button(ActionTaskDone, label.Text("button_task_done"), value, slackgo.StyleDefault),
		button(ActionTaskDrop, label.Text("button_task_drop"), value, slackgo.StyleDefault))
}
