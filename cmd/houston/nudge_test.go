package main

import (
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// asked waits for the newest message of a channel that tells a text, and gives
// it as it is then.
func (h *house) asked(channel, text string) sandbox.Message {
	h.t.Helper()
	var found sandbox.Message
	h.until("the channel is asked "+text, func() bool {
		for _, m := range h.slack.Messages(channel) {
			if strings.Contains(m.Text, text) {
				found = m
			}
		}
		return found.TS != ""
	})
	return found
}

// count counts the messages of a channel that tell a text.
func (h *house) count(channel, text string) int {
	n := 0
	for _, m := range h.slack.Messages(channel) {
		if strings.Contains(m.Text, text) {
			n++
		}
	}
	return n
}

// press clicks a button of a message.
func (h *house) press(user, channel string, m sandbox.Message, action string) {
	h.t.Helper()
	_, err := h.slack.Click(h.t.Context(), sandbox.Click{User: user, Channel: channel, MessageTS: m.TS, ActionID: action})
	if err != nil {
		h.t.Fatalf("click %s: %v", action, err)
	}
}

// closed waits until a question has no buttons any more and tells a text.
func (h *house) closed(channel string, m sandbox.Message, text string) {
	h.t.Helper()
	h.until("the question tells "+text, func() bool {
		now, ok := h.slack.Message(channel, m.TS)
		return ok && strings.Contains(now.Text, text) && !strings.Contains(string(now.Blocks), "actions")
	})
}

// inEachAt is inEach at another time, which the test moves on.
func inEachAt(t *testing.T, at time.Time, test func(t *testing.T, h *house)) {
	t.Helper()
	eachPlan(t, func(t *testing.T, p plan) {
		p.clock = clockAt(at)
		test(t, newHouse(t, p))
	})
}

// noon is that of a working day, far from any quiet hours.
func noon() time.Time { return time.Date(2027, 3, 2, 11, 0, 0, 0, time.UTC) }

// TestNudges has an incident that nobody leads, that nobody tells of, and that
// nobody works on any more.
func TestNudges(t *testing.T) {
	t.Parallel()
	inEachAt(t, noon(), func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500 --severity sev1").ID

		h.clock.move(5 * time.Minute)
		lead := h.asked(channel, "Who leads?")
		h.restart() // a question is asked once, also by the next process
		if h.env["HOUSTON_SLACK_APP_TOKEN"] != "" {
			h.connected()
		}
		h.press(ben, channel, lead, "take_lead")
		h.shows(channel, "<@"+ben+">")
		h.closed(channel, lead, "Done by <@"+ben+">")

		h.clock.move(5 * time.Minute) // 10 minutes: nobody communicates
		talk := h.asked(channel, "communications")
		h.press(anna, channel, talk, "take_communications")
		h.closed(channel, talk, "Done by <@"+anna+">")

		h.clock.move(20 * time.Minute) // 30 minutes
		first := h.asked(channel, "An update is due")
		if !strings.Contains(first.Text, "<@"+ben+">") {
			t.Errorf("the commander is not asked for the update: %s", first.Text)
		}
		h.press(ben, channel, first, "nudge_snooze")
		h.closed(channel, first, "Put off until")
		h.clock.move(31 * time.Minute)
		h.until("it is asked again after the snooze", func() bool { return h.count(channel, "An update is due") == 2 })
		again := h.asked(channel, "An update is due")
		h.say(ben, channel, "update We restart the third service")
		h.closed(channel, again, "Done by")

		h.clock.move(35 * time.Minute)
		h.until("the next update is asked for", func() bool { return h.count(channel, "An update is due") == 3 })
		third := h.asked(channel, "An update is due")
		if answer := h.say(anna, channel, "snooze until tomorrow 09:00"); !strings.Contains(answer, "09:00") {
			t.Errorf("snooze was answered %q", answer)
		}
		h.closed(channel, third, "Put off until")
		if n := h.count(channel, "Who leads?"); n != 1 {
			t.Errorf("who leads was asked %d times", n)
		}
	})
}

// TestNudgesAtNight asks on a sev3 nobody before the morning, the postmortem's
// owner at nine in his own zone, and the owner of an action item on its day and
// weekly.
func TestNudgesAtNight(t *testing.T) {
	t.Parallel()
	night := time.Date(2027, 3, 2, 22, 0, 0, 0, time.UTC) // 23:00 in Zurich
	inEachAt(t, night, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500 --severity sev3").ID
		grave := h.declared("Checkout is down --severity sev2").ID
		h.clock.move(10 * time.Minute)
		h.asked(grave, "Who leads?")
		h.say(anna, channel, "action Give slow requests a pool of their own <@"+ben+"|ben> due 2027-03-05")
		h.say(anna, grave, "resolve It was the pool")
		h.clock.moveTo(time.Date(2027, 3, 3, 7, 1, 0, 0, time.UTC)) // 08:01 in Zurich
		h.asked(channel, "Who leads?")
		if _, told := h.slack.Direct(anna); told {
			t.Error("the reporter was asked for the draft before nine")
		}
		h.clock.moveTo(time.Date(2027, 3, 3, 8, 0, 30, 0, time.UTC))
		draft := h.askedDirectly(anna, "the draft of the postmortem is ready")
		im, _ := h.slack.Direct(anna)
		h.press(anna, im.ID, draft, "nudge_snooze")
		h.closed(im.ID, draft, "Put off until")
		h.clock.moveTo(time.Date(2027, 3, 4, 8, 0, 30, 0, time.UTC))
		h.until("the draft is asked for again", func() bool { return h.count(im.ID, "the draft of the postmortem") == 2 })
		h.press(anna, im.ID, h.askedDirectly(anna, "the draft of the postmortem"), "open_draft")
		h.until("the draft is in the channel", func() bool {
			for _, m := range h.slack.History(grave) {
				if len(m.Files) > 0 {
					return true
				}
			}
			return false
		})
		h.closed(im.ID, h.askedDirectly(anna, "the draft of the postmortem"), "Done by")

		h.clock.moveTo(time.Date(2027, 3, 5, 8, 0, 30, 0, time.UTC))
		h.askedDirectly(ben, "Give slow requests a pool of their own")
		h.clock.moveTo(time.Date(2027, 3, 12, 8, 1, 0, 0, time.UTC))
		toBen, _ := h.slack.Direct(ben)
		h.until("the owner is asked a week later", func() bool { return h.count(toBen.ID, "Give slow requests") == 2 })
		again := h.askedDirectly(ben, "Give slow requests a pool of their own")
		h.press(ben, toBen.ID, again, "nudge_action_hand")
		h.filled(ben, "action_handed", "owner")
		h.submit(ben, map[string]string{"owner": anna, "due": "2027-03-12"})
		h.clock.moveTo(time.Date(2027, 3, 19, 8, 1, 0, 0, time.UTC))
		h.toldDirectly(anna, "Give slow requests a pool of their own")
		mine := h.askedDirectly(anna, "Give slow requests a pool of their own")
		h.press(anna, im.ID, mine, "nudge_action_done")
		if form := h.filled(anna, "action_done", "text"); !strings.Contains(string(form.Blocks), "Give slow requests") {
			t.Errorf("the form does not say what is done: %s", form.Blocks)
		}
		h.submit(anna, map[string]string{"done_when": "Slow requests keep nobody waiting", "text": "Load test with two pools: no waiting"})
		h.closed(im.ID, mine, "Done by")
		if n := h.count(grave, "Who leads?"); n != 1 {
			t.Errorf("of the resolved incident it was asked %d times who leads", n)
		}
	})
}

// TestNudgesOfADrill stay in its channel.
func TestNudgesOfADrill(t *testing.T) {
	t.Parallel()
	inEachAt(t, noon(), func(t *testing.T, h *house) {
		before := len(h.slack.Channels())
		h.say(anna, announced, "drill The pool is exhausted --severity sev1")
		h.until("a channel is made", func() bool { return len(h.slack.Channels()) > before })
		drill := h.slack.Channels()[before].ID
		h.until("the card is pinned", func() bool { return len(h.slack.Pins(drill)) == 1 })
		h.clock.move(6 * time.Minute)
		h.asked(drill, "Who leads?")
		h.say(anna, drill, "action Try the real thing <@"+anna+"|anna> due 2027-03-03")
		h.say(anna, drill, "resolve")
		channel := h.declared("Offers answer 500 --severity sev1").ID
		h.clock.move(48 * time.Hour)
		h.asked(channel, "Who leads?") // whatever was due has been asked by now
		if im, told := h.slack.Direct(anna); told {
			t.Errorf("a drill wrote to a person: %+v", h.slack.Messages(im.ID))
		}
	})
}

// askedDirectly waits for the newest direct message to a person that tells a text.
func (h *house) askedDirectly(person, text string) sandbox.Message {
	h.t.Helper()
	h.until("a direct message is opened", func() bool { _, ok := h.slack.Direct(person); return ok })
	im, _ := h.slack.Direct(person)
	return h.asked(im.ID, text)
}

// connected waits until Houston takes deliveries over Socket Mode.
func (h *house) connected() {
	h.t.Helper()
	if err := h.slack.WaitSockets(h.t.Context(), 1); err != nil {
		h.t.Fatal(err)
	}
}
