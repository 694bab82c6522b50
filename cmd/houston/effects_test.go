package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestLostAnswersMakeNothingTwice drops the answer of each kind of call after
// Slack has carried it out.
func TestLostAnswersMakeNothingTwice(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		for _, method := range []string{
			"conversations.create", "chat.postMessage", "pins.add", "conversations.invite",
			"conversations.setTopic", "bookmarks.add",
		} {
			h.slack.Inject(sandbox.Fault{Method: method, Times: 1, Kind: sandbox.FaultDropAfter{}})
			h.slack.Inject(sandbox.Fault{Method: method, Times: 1, After: 1, Kind: sandbox.FaultDropBefore{}})
		}
		h.say(anna, announced, "declare Offers answer 500")
		deadline := time.Now().Add(90 * time.Second)
		done := func() bool {
			c, ok := h.slack.Channel("inc-1-offers-answer-500")
			return ok && len(h.slack.Pins(c.ID)) == 1 && slices.Contains(h.slack.Members(c.ID), anna) &&
				len(h.slack.Messages(announced)) >= 1 && len(h.slack.Bookmarks(c.ID)) >= 1 && c.Topic != ""
		}
		for !done() && time.Now().Before(deadline) {
			h.pause(50 * time.Millisecond)
		}
		c, _ := h.slack.Channel("inc-1-offers-answer-500")
		count := map[string]int{
			"channels":      len(h.slack.Channels()) - 2, // general and incidents
			"cards":         len(h.slack.Messages(c.ID)),
			"pins":          len(h.slack.Pins(c.ID)),
			"announcements": len(h.slack.Messages(announced)),
			"bookmarks":     len(h.slack.Bookmarks(c.ID)),
		}
		for what, n := range count {
			if n != 1 {
				t.Errorf("%d %s, want 1", n, what)
			}
		}
	})
}

func TestTerminalFailuresAreSaidOnceAndRepaired(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{env: map[string]string{"HOUSTON_SLACK_INVITE": "U0BEN,U0GONE"}})
	h.slack.AddUser(sandbox.User{ID: "U0GONE", Name: "gone", RealName: "Gone Person", Deleted: true})
	broken := h.slack.Inject(sandbox.Fault{Method: "bookmarks.add", Kind: sandbox.FaultError{Code: "permission_denied"}})
	channel := h.declared("Checkout is slow").ID
	h.until("who can come is there", func() bool { return slices.Contains(h.slack.Members(channel), ben) })
	h.shows(channel, "invitation of ")
	h.shows(channel, "bridge bookmark: failing")
	var inc struct{ Owed []string }
	h.api("/incidents/1", &inc)
	if len(inc.Owed) < 2 {
		t.Errorf("the API says owed %q, want the invitation and the bookmark", inc.Owed)
	}
	broken.Remove()
	if answer := h.say(anna, channel, "repair"); strings.Contains(answer, "could not") {
		t.Fatalf("repair: %s", answer)
	}
	h.until("the bookmark is there", func() bool { return len(h.slack.Bookmarks(channel)) == 1 })
}

func TestRepairMakesADeletedCardAndAnArchivedChannelAnew(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	channel := h.declared("Checkout is slow").ID
	h.until("it is announced", func() bool { return len(h.slack.Messages(announced)) == 1 })
	h.slack.Archive(channel)
	if answer := h.say(anna, announced, "repair INC-1"); strings.Contains(answer, "could not") {
		t.Fatalf("repair: %s", answer)
	}
	h.until("a new channel with a pinned card is there", func() bool {
		c, ok := h.slack.Channel("inc-1-checkout-is-slow-2")
		return ok && len(h.slack.Pins(c.ID)) == 1 && slices.Contains(h.slack.Members(c.ID), anna)
	})
	if n := len(h.slack.Messages(announced)); n != 1 {
		t.Errorf("%d announcements after the repair, want the one, edited", n)
	}
}

func TestRateLimitsHoldBackOnlyTheirMethodAndChannel(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	first := h.declared("First").ID
	h.slack.Inject(sandbox.Fault{Method: "chat.postMessage", Channel: first, Times: 1, Kind: sandbox.FaultRateLimit{RetryAfter: 4 * time.Second}})
	h.say(anna, first, "update We look into it")
	h.until("the limit was met", func() bool {
		calls := h.slack.Calls("chat.postMessage")
		return calls[len(calls)-1].Status == http.StatusTooManyRequests
	})
	began := time.Now()
	h.declared("Second") // another channel is not held back
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("another incident waited %s for the first one's rate limit", took)
	}
	h.until("the update is posted after the wait", func() bool { return h.told(first, "We look into it") })
	if strings.Contains(h.card(first), "failing") {
		t.Error("a rate limit is shown as a failure")
	}
}

func TestPrivateFailsClosed(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		broken := h.slack.Inject(sandbox.Fault{Method: "conversations.create", Kind: sandbox.FaultError{Code: "restricted_action"}})
		h.say(anna, announced, "declare Customer data leaked --private")
		h.until("the reporter is told alone", func() bool {
			c, ok := h.slack.Direct(anna)
			return ok && len(h.slack.Messages(c.ID)) == 1
		})
		broken.Remove()
		h.say(anna, announced, "repair INC-1")
		h.until("the private channel is there", func() bool {
			c, ok := h.slack.Channel("inc-1")
			return ok && c.Private && len(h.slack.Pins(c.ID)) == 1
		})
		h.neverTold(announced, "Customer data")
		for _, c := range h.slack.Channels() {
			if !c.Private && strings.HasPrefix(c.Name, "inc-") {
				t.Errorf("a public channel %s was made", c.Name)
			}
			if strings.Contains(c.Name, "customer") {
				t.Errorf("the channel %s has the title in its name", c.Name)
			}
		}
		if answer := h.say(ben, announced, "list"); strings.Contains(answer, "Customer data") {
			t.Errorf("the list shows a private incident: %s", answer)
		}
		if answer := h.say(ben, announced, "status INC-1 identified"); !strings.Contains(answer, "no INC-1") {
			t.Errorf("who does not see it is answered %q, want that there is no such incident", answer)
		}
		if status := h.api("/incidents/INC-1", nil); status != http.StatusNotFound {
			t.Errorf("the API token gets %d for a private incident, want 404", status)
		}
		if _, metrics := h.call(http.MethodGet, "/metrics", "", nil); strings.Contains(string(metrics), "Customer") {
			t.Error("the metrics show the title of a private incident")
		}
		if strings.Contains(h.log.String(), "Customer data") {
			t.Error("the log shows the title of a private incident")
		}
	})
}

func TestGuestsActOnlyWhereTheyAre(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	channel := h.declared("Checkout is slow").ID
	h.slack.Join(guest, announced)
	if answer := h.say(guest, announced, "declare Something"); !strings.Contains(answer, "Guests") {
		t.Errorf("a guest's declare is answered %q", answer)
	}
	if answer := h.say(guest, announced, "resolve INC-1"); strings.Contains(answer, "resolved") {
		t.Errorf("a guest outside of the channel could resolve: %q", answer)
	}
	h.slack.Join(guest, channel)
	if answer := h.say(guest, channel, "timeline I see errors too"); strings.Contains(answer, "guest") {
		t.Errorf("a guest in the channel is refused: %q", answer)
	}
}

// neverTold checks that a channel has no message with a text.
func (h *house) neverTold(channel, text string) {
	h.t.Helper()
	if h.told(channel, text) {
		h.t.Errorf("#%s was told %q", channel, text)
	}
}

// pause waits a moment between two looks.
func (h *house) pause(d time.Duration) {
	h.t.Helper()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-h.t.Context().Done():
	}
}
