package main

import (
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// reviewable writes what the postmortem of INC-1 needs before it is reviewed.
func (h *house) reviewable() {
	h.t.Helper()
	h.must("PATCH", "/incidents/INC-1", `{"impact_start":"`+h.clock.Now().Add(-time.Hour).UTC().Format(time.RFC3339)+`"}`)
	h.must("PATCH", "/incidents/INC-1/postmortem", `{"summary":"Brokers saw no offers for an hour.","lucky":"Nowhere.",`+
		`"measures":[{"what":"brokers without offers","value":"120","unit":"brokers","kind":"users","how_measured":"access log"}],`+
		`"factors":[{"text":"Fast and slow requests shared a connection pool","category":"design"}]}`)
}

// TestPostmortemReminders: the owner is asked to go on with a draft that was
// begun, and the approver to approve, each at nine in the morning where they
// live; nobody is asked at night, and nobody twice.
func TestPostmortemReminders(t *testing.T) {
	t.Parallel()
	const cleo = "U0CLEO" // in New York
	evening := time.Date(2027, 3, 2, 19, 0, 0, 0, time.UTC)
	eachPlan(t, func(t *testing.T, p plan) {
		p.clock = clockAt(evening)
		p.slack, p.api = newSlackAt(t, p.clock)
		p.slack.AddUser(sandbox.User{ID: cleo, Name: "cleo", RealName: "Cleo Approver", TZ: "America/New_York"})
		h := newHouse(t, p)
		channel := h.declared("Offers answer 500 --severity sev2").ID
		h.slack.Join(ben, channel)
		h.say(ben, channel, "lead")
		h.say(ben, channel, "mitigated")
		h.say(ben, channel, "resolve It was the pool")
		h.reviewable() // the draft is begun
		sentTo := func(user, text string) int {
			im, told := h.slack.Direct(user)
			if !told {
				return 0
			}
			return h.count(im.ID, text)
		}

		// The second day, at nine in Zurich: not at night before it.
		h.clock.moveTo(time.Date(2027, 3, 4, 7, 50, 0, 0, time.UTC))
		h.passed()
		if n := sentTo(ben, "INC-1"); n != 0 {
			t.Errorf("the owner was asked %d times before nine", n)
		}
		h.clock.moveTo(time.Date(2027, 3, 4, 8, 0, 30, 0, time.UTC))
		first := h.askedDirectly(ben, "not in review yet")
		h.clock.moveTo(time.Date(2027, 3, 6, 8, 1, 0, 0, time.UTC)) // the fourth day
		h.until("the owner is asked again", func() bool { return sentTo(ben, "not in review yet") == 2 })

		// Sent to review in the evening; Cleo is asked at nine in New York.
		h.clock.moveTo(time.Date(2027, 3, 8, 20, 0, 0, 0, time.UTC))
		h.answered(ben, channel, "postmortem approver <@"+cleo+"|cleo>", "asked of")
		h.answered(ben, channel, "postmortem review", "in review")
		im, _ := h.slack.Direct(ben)
		h.closed(im.ID, first, "Houston asks again")
		h.closed(im.ID, h.askedDirectly(ben, "not in review yet"), "Done by")
		h.clock.moveTo(time.Date(2027, 3, 9, 13, 50, 0, 0, time.UTC)) // 08:50 in New York, 14:50 in Zurich
		h.passed()
		if n := sentTo(cleo, "INC-1"); n != 0 {
			t.Errorf("the approver was asked %d times before nine", n)
		}
		h.clock.moveTo(time.Date(2027, 3, 9, 14, 0, 30, 0, time.UTC))
		review := h.askedDirectly(cleo, "waits for")
		h.restart()
		if h.env["HOUSTON_SLACK_APP_TOKEN"] != "" {
			h.connected()
		}
		h.clock.move(2 * time.Hour)
		h.passed()
		if n := sentTo(cleo, "waits for"); n != 1 {
			t.Errorf("the approver was asked %d times in one morning", n)
		}
		h.must("POST", "/incidents/INC-1/postmortem/state", `{"to":"draft","reason":"The times are wrong"}`)
		toCleo, _ := h.slack.Direct(cleo)
		h.closed(toCleo.ID, review, "INC-1")
	})
}

// passed waits until whatever is due by now has been asked: of a new incident
// that nobody leads the channel is asked five minutes later.
func (h *house) passed() {
	h.t.Helper()
	probe := h.declared("Probe --severity sev1").ID
	h.clock.move(5*time.Minute + time.Second)
	h.asked(probe, "Who leads?")
	h.say(anna, probe, "resolve")
}
