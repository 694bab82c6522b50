package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// state is what the API says of an incident's place in its life.
type state struct {
	Title      string                       `json:"title"`
	Status     string                       `json:"status"`
	Private    bool                         `json:"private"`
	Channel    *struct{ ID, Name string }   `json:"channel"`
	MergedInto *string                      `json:"merged_into"`
	Links      []string                     `json:"links"`
	Owed       []string                     `json:"owed"`
	Times      map[string]map[string]string `json:"times"`
}

func (h *house) state(key string) state {
	h.t.Helper()
	var s state
	if status := h.api("/incidents/"+key, &s); status != http.StatusOK {
		h.t.Fatalf("%s is answered %d", key, status)
	}
	return s
}

func TestLifeOfAnIncident(t *testing.T) {
	t.Parallel()
	eachPlan(t, func(t *testing.T, p plan) {
		p.env = map[string]string{"HOUSTON_SLACK_ARCHIVE_AFTER": "1s"}
		h := newHouse(t, p)
		channel := h.declared("Offers are missing").ID
		h.say(anna, channel, "rename Scoring is slow")
		h.until("the channel has the new name", func() bool { return h.state("INC-1").Channel.Name == "inc-1-scoring-is-slow" })
		h.slack.Rename(channel, "war-room")
		h.until("people's name is known", func() bool { return h.state("INC-1").Channel.Name == "war-room" })
		for _, step := range []struct{ command, want string }{
			{"close", "`resolve` it first"},
			{"resolve", "INC-1 is now *resolved*"},
			{"close all is well", "INC-1 is now *closed*"},
		} {
			if answer := h.say(anna, channel, step.command); !strings.Contains(answer, step.want) {
				t.Errorf("%s is answered %q", step.command, answer)
			}
		}
		h.until("the channel is archived", func() bool {
			c, ok := h.slack.Channel(channel)
			return ok && c.Archived
		})
		if answer := h.say(anna, announced, "reopen INC-1 It is back"); !strings.Contains(answer, "*investigating*") {
			t.Errorf("reopen is answered %q", answer)
		}
		h.until("there is a new channel", func() bool {
			s := h.state("INC-1")
			return s.Channel.ID != channel && s.Status == "investigating"
		})
		fresh := h.state("INC-1").Channel.ID
		h.shows(fresh, "Scoring is slow")
		h.until("the new channel tells of the old one", func() bool { return h.told(fresh, "<#"+channel+">") })
		var owed []string
		t.Cleanup(func() { t.Logf("owed at last: %q", owed) })
		h.until("nothing is owed", func() bool {
			owed = h.state("INC-1").Owed
			return len(owed) == 0
		})
	})
}

func TestMergeAndLink(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		winner := h.declared("Offers are missing").ID
		loser := h.declared("Scoring is slow --severity sev2").ID
		h.say(ben, announced, "lead INC-2")
		h.say(anna, loser, "timeline Restarted the scoring service")
		if answer := h.say(anna, loser, "link INC-1"); !strings.Contains(answer, "linked") {
			t.Errorf("link is answered %q", answer)
		}
		if links := h.state("INC-1").Links; !slices.Equal(links, []string{"INC-2"}) {
			t.Errorf("INC-1 is linked to %q", links)
		}
		if answer := h.say(anna, loser, "merge INC-1"); !strings.Contains(answer, "merged into INC-1") {
			t.Errorf("merge is answered %q", answer)
		}
		if s := h.state("INC-2"); s.Status != "merged" || s.MergedInto == nil || *s.MergedInto != "INC-1" {
			t.Errorf("INC-2 is %+v", s)
		}
		h.until("the loser's channel says where to go", func() bool { return h.told(loser, "Merged into INC-1") })
		h.until("the winner's channel tells of it", func() bool { return h.told(winner, "INC-2 was merged into this incident") })
		h.until("the commander of the loser is in the winner's channel", func() bool { return slices.Contains(h.slack.Members(winner), ben) })
		if !slices.ContainsFunc(h.observed("INC-1"), func(l line) bool { return l.Text == "INC-2: Restarted the scoring service" }) {
			t.Errorf("the timeline of INC-1 is %+v", h.observed("INC-1"))
		}
		if answer := h.say(anna, winner, "merge INC-2"); !strings.Contains(answer, "was merged into INC-1") {
			t.Errorf("merging back is answered %q", answer)
		}
		if answer := h.say(anna, loser, "reopen"); !strings.Contains(answer, "work goes on there") {
			t.Errorf("reopening is answered %q", answer)
		}
	})
}

// TestAnIncidentGoesPrivate holds that after it nothing that Houston wrote
// outside of the private channel holds a word of the title, and that what is not
// its own stays.
func TestAnIncidentGoesPrivate(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		const title = "Zanzibar ledger leaked"
		h.slack.Join(ben, announced)
		old := h.declared(title).ID
		h.until("it is announced", func() bool { return h.told(announced, title) })
		h.slack.Join(ben, old)
		if _, err := h.slack.Post(t.Context(), ben, old, "I saw it in the ledger", ""); err != nil {
			t.Fatal(err)
		}
		h.say(anna, old, "update We closed the Zanzibar door")
		h.until("the update is told", func() bool { return h.told(old, "Zanzibar door") })
		if _, err := h.slack.OpenHome(t.Context(), ben); err != nil {
			t.Fatal(err)
		}
		atHome := func() bool {
			home, ok := h.slack.Home(ben)
			return ok && strings.Contains(string(home.Blocks), "Zanzibar")
		}
		h.until("ben sees it in his home tab", atHome)
		if answer := h.say(anna, old, "private"); !strings.Contains(answer, "going private") {
			t.Errorf("private is answered %q", answer)
		}
		h.until("it is private", func() bool {
			c, ok := h.slack.Channel(old)
			return ok && c.Archived
		})
		h.until("the announcement is gone", func() bool { return !h.told(announced, "Zanzibar") })
		h.until("ben's home tab has lost it", func() bool { return !atHome() })
		left, _ := h.slack.Channel(old)
		if left.Name != "inc-1-left" || left.Topic != "" {
			t.Errorf("the old channel is %q with the topic %q", left.Name, left.Topic)
		}
		for _, m := range h.slack.Messages(old) {
			if m.User != ben && strings.Contains(m.Text, "Zanzibar") {
				t.Errorf("in the old channel stands %q", m.Text)
			}
		}
		if !h.told(old, "I saw it in the ledger") || !h.told(old, "goes on elsewhere") {
			t.Error("what ben wrote, or where it goes on, does not stand in the old channel")
		}
		if status := h.api("/incidents/INC-1", nil); status != http.StatusNotFound {
			t.Errorf("the API answers %d", status)
		}
		if answer := h.say(ben, announced, "list"); strings.Contains(answer, "Zanzibar") {
			t.Errorf("the list says %q", answer)
		}
		fresh := privateChannel(h)
		if fresh.Name != "inc-1" || !slices.Contains(fresh.Members, anna) || slices.Contains(fresh.Members, ben) {
			t.Errorf("the private channel is %+v", fresh)
		}
		h.shows(fresh.ID, title)
		h.until("what can not be taken back is said", func() bool { return h.told(fresh.ID, "can not be taken back") })
	})
}

func privateChannel(h *house) sandbox.Channel {
	h.t.Helper()
	for _, c := range h.slack.Channels() {
		if c.Private && !c.IM {
			return c
		}
	}
	h.t.Fatal("there is no private channel")
	return sandbox.Channel{}
}

func TestAnIncidentStaysPublicWithoutAPrivateChannel(t *testing.T) {
	t.Parallel()
	eachPlan(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		channel := h.declared("Offers are missing").ID
		h.slack.Inject(sandbox.Fault{Method: "conversations.create", Kind: sandbox.FaultError{Code: "restricted_action"}})
		h.say(anna, channel, "private")
		h.until("anna is told", func() bool {
			direct, ok := h.slack.Direct(anna)
			return ok && h.told(direct.ID, "could not be made private")
		})
		if s := h.state("INC-1"); s.Private || s.Channel.ID != channel {
			t.Errorf("it is %+v", s)
		}
		h.shows(channel, "Offers are missing")
	})
}
