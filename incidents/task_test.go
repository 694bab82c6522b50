package incidents

import (
	"strings"
	"testing"
)

func TestTasks(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	req := Request{Actor: ada()}
	for _, step := range []struct {
		name    string
		command Command
		state   TaskState // of task 1 afterwards
		owner   string
		says    string // the refusal
	}{
		{"without text", AddTask{Request: req, Text: " "}, "", "", "needs a text"},
		{"added", AddTask{Request: req, Text: "Restart it"}, TaskOpen, "", ""},
		{"no such task", ChangeTask{Request: req, ID: 2, State: TaskDone}, TaskOpen, "", "has no task 2"},
		{"no such state", ChangeTask{Request: req, ID: 1, State: "lost"}, TaskOpen, "", "no state"},
		{"taken", ChangeTask{Request: req, ID: 1, State: TaskInProgress}, TaskInProgress, "U1", ""},
		{"taken twice", ChangeTask{Request: req, ID: 1, State: TaskInProgress}, TaskInProgress, "U1", ""},
		{"done", ChangeTask{Request: req, ID: 1, State: TaskDone}, TaskDone, "U1", ""},
		{"dropped too late", ChangeTask{Request: req, ID: 1, State: TaskDropped}, TaskDone, "U1", "finished already"},
		{"taken up again", ChangeTask{Request: req, ID: 1, State: TaskOpen}, TaskOpen, "U1", ""},
		{"moved", ChangeTask{Request: req, ID: 1, State: TaskMoved}, TaskMoved, "U1", ""},
	} {
		_, err := s.Do(t.Context(), 1, step.command)
		if (err == nil) != (step.says == "") || (err != nil && !strings.Contains(err.Error(), step.says)) {
			t.Errorf("%s: got error %v, want %q", step.name, err, step.says)
		}
		task, _ := s.incident(1).Task(1)
		if task.State != step.state || task.Owner.ID != step.owner {
			t.Errorf("%s: got %s of %q, want %s of %q", step.name, task.State, task.Owner.ID, step.state, step.owner)
		}
	}
	if items := s.incident(1).Actions; len(items) != 1 || items[0].Text != "Restart it" || items[0].Owner.ID != "U1" {
		t.Errorf("the task became %+v", items)
	}
	var told []string
	for _, entry := range Timeline(s.memory.events[1]) {
		if entry.Kind == Action {
			told = append(told, entry.Text)
		}
	}
	if len(told) != 1 || told[0] != "Done: Restart it" {
		t.Errorf("the timeline tells %q", told)
	}
}
