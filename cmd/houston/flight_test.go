package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// injected waits until a fault has hit a call.
func (h *house) injected(fault *sandbox.Injected) {
	h.t.Helper()
	h.until("the call is under way", func() bool { return fault.Count() > 0 })
}

// TestMergedBeforeItsChannelIsThere: the channel that comes late says where to go,
// and nobody works in it in vain.
func TestMergedBeforeItsChannelIsThere(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		h.declared("Offers are missing")
		slow := h.slack.Inject(sandbox.Fault{Method: "conversations.create", Times: 1, Kind: sandbox.FaultDelay{Delay: time.Second}})
		h.say(anna, announced, "declare Scoring is slow")
		h.injected(slow)
		if answer := h.say(anna, announced, "merge INC-2 INC-1"); !strings.Contains(answer, "merged into INC-1") {
			t.Fatalf("merge is answered %q", answer)
		}
		h.until("the loser has its channel", func() bool { return h.state("INC-2").Channel != nil })
		loser := h.state("INC-2").Channel.ID
		h.until("the loser's channel says where to go", func() bool { return h.told(loser, "Merged into INC-1") })
		for _, command := range []string{"update We look", "severity sev1", "lead", "action Split the pool", "timeline Restarted", "resolve"} {
			if answer := h.say(anna, loser, command); !strings.Contains(answer, "was merged into INC-1") {
				t.Errorf("%s is answered %q", command, answer)
			}
		}
	})
}

// TestReopenedAsItsChannelIsArchived: the call that archives the channel can not
// be taken back, whether its answer comes or is lost.
func TestReopenedAsItsChannelIsArchived(t *testing.T) {
	t.Parallel()
	eachPlan(t, func(t *testing.T, p plan) {
		p.env = map[string]string{"HOUSTON_SLACK_ARCHIVE_AFTER": "1s"}
		h := newHouse(t, p)
		for i, kind := range []sandbox.FaultKind{nil, sandbox.FaultDropAfter{}} {
			key := []string{"INC-1", "INC-2"}[i]
			channel := h.declared("Offers are missing").ID
			slow := h.slack.Inject(sandbox.Fault{Method: "conversations.archive", Channel: channel, Times: 1, Kind: sandbox.FaultDelay{Delay: time.Second}})
			if kind != nil {
				h.slack.Inject(sandbox.Fault{Method: "conversations.archive", Channel: channel, Times: 1, Kind: kind})
			}
			h.say(anna, channel, "resolve")
			h.say(anna, channel, "close")
			h.injected(slow)
			if answer := h.say(anna, channel, "reopen"); !strings.Contains(answer, "*investigating*") {
				t.Errorf("reopen is answered %q", answer)
			}
			h.until("it goes on in a new channel", func() bool {
				s := h.state(key)
				return s.Channel.ID != channel && len(h.slack.Pins(s.Channel.ID)) == 1
			})
			fresh := h.state(key).Channel.ID
			h.until("the new channel tells of the old one", func() bool { return h.told(fresh, "<#"+channel+">") })
			h.until("nothing is owed", func() bool { return len(h.state(key).Owed) == 0 })
		}
		if n := len(slices.DeleteFunc(h.slack.Channels(), func(c sandbox.Channel) bool { return !strings.HasPrefix(c.Name, "inc-") })); n != 4 {
			t.Errorf("there are %d channels", n)
		}
	})
}

// TestWhatStandsInTheChannelGoesPrivate: open tasks go on in the private channel,
// and an announcement that a lost call had made is taken back however late it is
// found.
func TestWhatStandsInTheChannelGoesPrivate(t *testing.T) {
	t.Parallel()
	eachPlan(t, func(t *testing.T, p plan) {
		p.clock = &movedClock{}
		h := newHouse(t, p)
		announce := h.announceID()
		h.slack.Inject(sandbox.Fault{Method: "chat.postMessage", Channel: announce, Times: 1, Kind: sandbox.FaultDropAfter{}})
		hidden := h.slack.Inject(sandbox.Fault{Method: "conversations.history", Channel: announce, Kind: sandbox.FaultStatus{}})
		old := h.declared("Zanzibar ledger leaked").ID
		h.until("the lost announcement stands", func() bool { return h.told(announced, "Zanzibar") })
		h.say(anna, old, "task Lock the Zanzibar vault")
		h.asked(old, "Lock the Zanzibar vault")
		h.say(anna, old, "export")
		h.file(old, ".md")
		document := h.slack.Messages(old)[len(h.slack.Messages(old))-1].Files[0]
		h.say(anna, old, "private")
		h.until("it is private", func() bool { return h.inPrivate(anna) })
		fresh := privateChannel(h).ID
		task := h.asked(fresh, "Lock the Zanzibar vault")
		h.until("all is taken back that is known", func() bool {
			h.clock.move(time.Second)
			c, ok := h.slack.Channel(old)
			return ok && c.Archived
		})
		if _, there := h.slack.File(document); there {
			t.Error("the document can still be read where everybody may")
		}
		hidden.Remove()
		h.until("the announcement is gone", func() bool {
			h.clock.move(time.Second)
			return !h.told(announced, "Zanzibar")
		})
		h.press(anna, fresh, task, "task_done")
		h.tells(fresh, task, "done by <@"+anna+">")
		h.until("the card tells of no failure", func() bool {
			h.clock.move(time.Second)
			card := h.card(fresh)
			return !strings.Contains(card, "failed") && !strings.Contains(card, "failing")
		})
	})
}

// inPrivate reports whether somebody is in a private channel.
func (h *house) inPrivate(user string) bool {
	for _, c := range h.slack.Channels() {
		if c.Private && !c.IM && slices.Contains(c.Members, user) {
			return true
		}
	}
	return false
}

// TestWhoLeftComesBackWithARole: who left the channel is in it again with a role,
// given to him or taken elsewhere.
func TestWhoLeftComesBackWithARole(t *testing.T) {
	t.Parallel()
	inEach(t, func(_ *testing.T, h *house) {
		channel := h.declared("Offers are missing").ID
		in := func() bool { return slices.Contains(h.slack.Members(channel), ben) }
		for _, by := range []func(){
			func() { h.say(anna, channel, "role operations <@"+ben+"|ben>") },
			func() { h.say(ben, announced, "lead INC-1") },
			func() { h.say(anna, channel, "role scribe <@"+ben+"|ben>") },
		} {
			by()
			h.until("ben is in the channel", in)
			h.slack.Leave(ben, channel)
		}
	})
}
