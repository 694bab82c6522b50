package main

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// tells waits until a message tells a text.
func (h *house) tells(channel string, m sandbox.Message, text string) {
	h.t.Helper()
	h.until("the message tells "+text, func() bool {
		now, ok := h.slack.Message(channel, m.TS)
		return ok && strings.Contains(now.Text, text)
	})
}

// TestTasks gives tasks, takes, finishes and drops them by their buttons, and
// makes an action item of the one that is open in the end.
func TestTasks(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500").ID
		h.slack.Join(ben, channel)
		for _, command := range []string{"task Restart offers-api <!channel> & watch", "task Ask the vendor <@" + ben + "|ben>", "task Read the pool's metrics", "task Drop me"} {
			if answer := h.say(anna, channel, command); !strings.Contains(answer, "Task ") {
				t.Fatalf("%s was answered %q", command, answer)
			}
		}
		restart, vendor := h.asked(channel, "Restart offers-api"), h.asked(channel, "Ask the vendor")
		read, drop := h.asked(channel, "Read the pool"), h.asked(channel, "Drop me")
		if strings.Contains(restart.Text, "<!channel>") {
			t.Errorf("a task pings the channel: %s", restart.Text)
		}
		h.tells(channel, vendor, "<@"+ben+"> is at it")
		h.shows(channel, "*Tasks open:* 4")

		reply, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, Channel: channel, MessageTS: restart.TS, ActionID: "task_take"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := reply.Redeliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.tells(channel, restart, "<@"+ben+"> is at it")
		h.press(anna, channel, restart, "task_done")
		h.press(anna, channel, drop, "task_drop")
		h.tells(channel, restart, "done by <@"+anna+">")
		h.tells(channel, drop, "dropped by <@"+anna+">")
		h.shows(channel, "*Tasks open:* 2")
		if answer := h.say(anna, channel, "catchup"); !strings.Contains(answer, "Ask the vendor") || !strings.Contains(answer, "Done: Restart offers-api") {
			t.Errorf("catchup tells %q", answer)
		}

		h.say(anna, channel, "resolve")
		h.until("the open task can become an action item", func() bool {
			now, _ := h.slack.Message(channel, read.TS)
			return strings.Contains(string(now.Blocks), "task_move")
		})
		h.press(anna, channel, read, "task_move")
		h.tells(channel, read, "an action item now")

		var tasks struct {
			Tasks []struct{ Text, State string }
		}
		h.api("/incidents/INC-1/tasks", &tasks)
		var states []string
		for _, task := range tasks.Tasks {
			states = append(states, task.State)
		}
		if got := strings.Join(states, " "); got != "done in_progress moved dropped" {
			t.Errorf("the tasks are %s", got)
		}
		var actions struct{ Actions []struct{ Text string } }
		h.api("/incidents/INC-1/actions", &actions)
		if n := len(actions.Actions); n == 0 || actions.Actions[n-1].Text != "Read the pool's metrics" {
			t.Errorf("the action items are %+v", actions.Actions)
		}
		if answer := h.say(anna, channel, "task Too late"); !strings.Contains(answer, "action") {
			t.Errorf("a task of a resolved incident was answered %q", answer)
		}
	})
}
