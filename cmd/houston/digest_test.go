package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// boss leads the user group that ben is in.
const boss = "U0BOSS"

// TestActionItemsAreFollowedUp: an owner is asked before and on the day, his lead
// a week after it, each at nine in his own zone; the channel for it reads a digest
// on Mondays, once, whatever happens to Houston; and an item is not done before
// its done-when is answered, nor verified by who did it.
func TestActionItemsAreFollowedUp(t *testing.T) {
	t.Parallel()
	eachPlan(t, func(t *testing.T, p plan) {
		p.clock = clockAt(time.Date(2027, 3, 5, 11, 0, 0, 0, time.UTC)) // a Friday
		w, api := newSlackAt(t, p.clock)
		w.AddUser(sandbox.User{ID: boss, Name: "bo", RealName: "Bo Boss", TZ: "America/New_York"})
		w.AddUserGroup(sandbox.UserGroup{ID: "S0OPS", Handle: "ops", Users: []string{ben}})
		reviews := w.AddChannel(sandbox.Channel{Name: "reviews", Creator: anna, Members: []string{anna, ben}}).ID
		config := filepath.Join(t.TempDir(), "houston.yaml")
		text := "public_url: https://houston.example.com\npostmortem: {digest_channel: '#reviews', lead: U0NOBODY, teams: [{name: Operations, group: S0OPS, lead: " + boss + "}]}\n"
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.slack, p.api, p.args = w, api, []string{"--config", config}
		h := newHouse(t, p)
		h.until("the group is known", func() bool { return len(w.Calls("usergroups.users.list")) > 0 })
		channel := h.declared("Offers answer 500").ID
		for _, text := range []string{
			"action Give slow requests a pool <@" + ben + "|ben> due 2027-03-08", "action Look at <b> & the rest <@" + anna + "|anna> due 2027-05-20", "action Nobody has it",
		} {
			h.say(anna, channel, text)
		}
		h.say(anna, announced, "declare Customer data leaked --private")
		h.until("the private channel is there", func() bool { c, ok := w.Channel("inc-2"); return ok && len(w.Pins(c.ID)) == 1 })
		private, _ := w.Channel("inc-2")
		h.say(anna, private.ID, "action Tell the customers <@"+anna+"|anna> due 2027-03-09")

		h.clock.moveTo(time.Date(2027, 3, 6, 8, 0, 30, 0, time.UTC)) // nine in Zurich, two days before
		h.askedDirectly(ben, "In two days, on 2027-03-08")
		h.clock.moveTo(time.Date(2027, 3, 8, 7, 59, 0, 0, time.UTC))
		h.clock.moveTo(time.Date(2027, 3, 8, 8, 0, 30, 0, time.UTC))
		digest := func(text string) string {
			t.Helper()
			h.until("the digest says "+text, func() bool { return h.told(reviews, text) })
			messages := h.slack.Messages(reviews)
			return messages[len(messages)-1].Text
		}
		first := digest("Action items of the week of 2027-03-08")
		for _, want := range []string{
			"3 to be done, 0 of them overdue; 0 to be verified", "*Due this week*\n• *INC-1* 1: Give slow requests a pool · ben · due 2027-03-08",
			"*Without an owner or a date*\n• *INC-1* 3: Nobody has it", "https://houston.example.com/actions",
		} {
			if !strings.Contains(first, want) {
				t.Errorf("the digest does not say %q:\n%s", want, first)
			}
		}
		if strings.Contains(first, "INC-2") || strings.Contains(first, "customers") || strings.Contains(first, "<@") {
			t.Errorf("the digest tells of a private incident, or mentions people:\n%s", first)
		}
		h.restart()
		if h.env["HOUSTON_SLACK_APP_TOKEN"] != "" {
			h.connected()
		}

		if got := h.say(ben, channel, "action 1 done There is one"); !strings.Contains(got, "does not say when it is done") {
			t.Errorf("done without a done-when is answered %q", got)
		}
		h.say(ben, channel, "action 1 when p99 is below 1s")
		if got := h.say(ben, channel, "action 1 done"); !strings.Contains(got, "Say how that was met") {
			t.Errorf("done without an answer is answered %q", got)
		}
		h.clock.moveTo(time.Date(2027, 3, 15, 8, 0, 30, 0, time.UTC)) // nine in Zurich, four in New York
		if second := digest("Action items of the week of 2027-03-15"); !strings.Contains(second, "1 of them overdue") || !strings.Contains(second, "*Overdue*\n• *INC-1* 1: Give slow requests a pool") {
			t.Errorf("the digest of the next week is\n%s", second)
		}
		if im, told := h.slack.Direct(boss); told {
			t.Errorf("the lead was asked at night: %+v", h.slack.Messages(im.ID))
		}
		h.clock.moveTo(time.Date(2027, 3, 15, 13, 1, 0, 0, time.UTC)) // nine in New York
		h.askedDirectly(boss, "Give slow requests a pool")
		if n := h.count(reviews, "Action items of the week"); n != 2 {
			t.Errorf("there are %d digests after two Mondays", n)
		}

		h.say(ben, channel, "action 1 type prevent")
		h.say(ben, channel, "action 1 done p99 is 300 ms")
		if got := h.say(ben, channel, "action 1 verified I saw it"); !strings.Contains(got, "Somebody other than the one who did it") {
			t.Errorf("verifying one's own work is answered %q", got)
		}
		h.clock.moveTo(time.Date(2027, 3, 22, 8, 0, 30, 0, time.UTC))
		if third := digest("Action items of the week of 2027-03-22"); !strings.Contains(third, "1 to be verified") || !strings.Contains(third, "*Done, to be verified by somebody else*\n• *INC-1* 1") {
			t.Errorf("the digest of the third week is\n%s", third)
		}
		h.say(anna, channel, "action 1 verified I saw it")
		h.clock.moveTo(time.Date(2027, 3, 29, 7, 0, 30, 0, time.UTC)) // summer time
		if fourth := digest("Action items of the week of 2027-03-29"); strings.Contains(fourth, "Give slow requests") {
			t.Errorf("the digest of the fourth week tells of what is verified:\n%s", fourth)
		}
	})
}

// TestConfigOfTeams refuses what is nobody, and two teams of one name.
func TestConfigOfTeams(t *testing.T) {
	t.Parallel()
	config := defaultConfig()
	config.Postmortem.Lead, config.Postmortem.Teams = "S0OPS", []TeamConfig{{"Operations", "ops", "bo"}, {"Operations", "S0OPS", ""}}
	err := config.Validate()
	for _, want := range []string{"postmortem.lead: ", "postmortem.teams[0].lead: ", "postmortem.teams[0].group: ", "postmortem.teams[1].name: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to name %q", err, want)
		}
	}
}
