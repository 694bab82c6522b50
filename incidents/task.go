package incidents

import (
	"slices"
	"strconv"
	"time"
)

// TaskState is where a task stands.
type TaskState string

// The states of a task.
const (
	TaskOpen       TaskState = "open"
	TaskInProgress TaskState = "in_progress"
	TaskDone       TaskState = "done"
	TaskDropped    TaskState = "dropped"
	TaskMoved      TaskState = "moved" // it became an action item
)

// maxTasks bounds the tasks of one incident.
const maxTasks = 200

// Task is something to be done while the incident lasts. What is to be done
// afterwards is an [ActionItem].
type Task struct {
	ID    int64     `json:"id"` // 1, 2, … within the incident
	Text  string    `json:"text"`
	Owner Person    `json:"owner"`
	State TaskState `json:"state"`
	By    Person    `json:"by"` // who changed it last
	At    time.Time `json:"at"` // and when
}

// Unfinished reports whether somebody still has to do it.
func (t Task) Unfinished() bool { return t.State == TaskOpen || t.State == TaskInProgress }

// OpenTasks lists the tasks that are still to be done.
func (inc Incident) OpenTasks() []Task {
	return slices.DeleteFunc(slices.Clone(inc.Tasks), func(t Task) bool { return !t.Unfinished() })
}

// Task gives a task by its id, false when there is none.
func (inc Incident) Task(id int64) (Task, bool) {
	if id < 1 || id > int64(len(inc.Tasks)) {
		return Task{}, false
	}
	return inc.Tasks[id-1], true
}

// TaskAdded adds a task.
type TaskAdded struct {
	ID    int64     `json:"id"`
	Text  string    `json:"text"`
	Owner Person    `json:"owner,omitzero"`
	State TaskState `json:"state"`
}

// TaskChanged says what a task is from now on. Text is the task's, for reading.
type TaskChanged struct {
	ID    int64     `json:"id"`
	Text  string    `json:"text"`
	Owner Person    `json:"owner,omitzero"`
	State TaskState `json:"state"`
}

// Type is the name the event is stored under.
func (TaskAdded) Type() string { return "task_added" }

// Type is the name the event is stored under.
func (TaskChanged) Type() string { return "task_changed" }

// Entry of a new task: none, nothing was done yet.
func (TaskAdded) Entry() (EntryKind, string) { return "", "" }

// Entry of a task: what was done belongs to what happened.
func (d TaskChanged) Entry() (EntryKind, string) {
	if d.State != TaskDone {
		return "", ""
	}
	return Action, d.Told().String()
}

// Told is the entry of a task that was done.
func (d TaskChanged) Told() Phrase { return Phrasef("Done: %s", d.Text) }

func (d TaskAdded) apply(inc *Incident, e Event) {
	task := Task{ID: d.ID, Text: d.Text, Owner: d.Owner, State: d.State, By: e.Actor.Person, At: e.RecordedAt}
	inc.Tasks = append(slices.Clone(inc.Tasks), task)
}

func (d TaskChanged) apply(inc *Incident, e Event) {
	inc.Tasks = slices.Clone(inc.Tasks)
	t := &inc.Tasks[d.ID-1]
	t.Owner, t.State, t.By, t.At = d.Owner, d.State, e.Actor.Person, e.RecordedAt
}

// AddTask adds a task to an incident that people work on.
type AddTask struct {
	Request

	Text  string
	Owner Person // empty: nobody yet
}

func (c AddTask) decide(d *decision) error {
	text, err := requireText(c.Text, "A task needs a text. Write it like: task Look at the pool's metrics @owner")
	switch {
	case err != nil:
		return err
	case !d.inc.Status.Open():
		return Errorf(Conflict, "%s is %s. What is to be done now is an action item: `action`.", d.inc.Key(), d.inc.Status)
	case len(d.inc.Tasks) >= maxTasks:
		return Errorf(Conflict, "%s has %d tasks already.", d.inc.Key(), maxTasks)
	}
	state := TaskOpen
	if c.Owner.ID != "" {
		state = TaskInProgress
	}
	task := TaskAdded{ID: int64(len(d.inc.Tasks)) + 1, Text: text, Owner: c.Owner, State: state}
	d.record(task)
	d.showTask(task.ID)
	return nil
}

// ChangeTask takes a task, says that it is done, drops it, or makes an action
// item of it ([TaskMoved]). Taking gives it to the one who asks.
type ChangeTask struct {
	Request

	ID    int64
	State TaskState
}

func (c ChangeTask) decide(d *decision) error {
	task, ok := d.inc.Task(c.ID)
	switch {
	case !ok:
		return Errorf(NotFound, "%s has no task %d.", d.inc.Key(), c.ID)
	case task.State == c.State && (c.State != TaskInProgress || task.Owner.ID == c.Actor.ID):
		return nil // clicked twice
	case !task.Unfinished() && c.State != TaskOpen:
		return Errorf(Conflict, "Task %d of %s is finished already.", c.ID, d.inc.Key())
	}
	owner := task.Owner
	switch c.State {
	case TaskInProgress:
		owner = c.Actor.Person
	case TaskDone:
		if owner.ID == "" {
			owner = c.Actor.Person
		}
	case TaskMoved:
		d.addAction(ActionItem{Text: task.Text, Owner: task.Owner, Type: Prevent})
	case TaskOpen, TaskDropped:
	default:
		return Errorf(Invalid, "%q is no state of a task.", c.State)
	}
	d.record(TaskChanged{ID: task.ID, Text: task.Text, Owner: owner, State: c.State})
	d.showTask(task.ID)
	return nil
}

// showTask has the message of a task posted or brought up to date; in the archive
// nothing can be.
func (d *decision) showTask(id int64) {
	if d.inc.writable() {
		d.run(MakeTask, strconv.FormatInt(id, 10), d.inc.Seq)
	}
}

// offerTasks has the messages of open tasks offer what fits, when an incident
// ends or is taken up again, and posted again in another channel.
func (d *decision) offerTasks() {
	moved := d.any(isChannel) && d.before.Channel != nil
	if d.before.Number == 0 || d.before.Status.Open() == d.inc.Status.Open() && !moved {
		return
	}
	for _, task := range d.inc.OpenTasks() {
		d.showTask(task.ID)
	}
}
