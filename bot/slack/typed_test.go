package slack_test

import (
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// TestResolvedSince takes a time after resolve for a time, and all else for a text.
func TestResolvedSince(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"5m ago", "5m", "vor 5 min"} {
		w := newWorld(t, setup{})
		inc, channel := w.opened(t, "Offers missing", false)
		reply := w.answers(t, w.ann, channel.ID, "resolve "+typed, "*resolved*")
		at, ago := w.incident(t, inc.Number).Times[incidents.ResolvedAt].At, 5*time.Minute
		if since := time.Since(at); since < ago || since > ago+time.Minute {
			t.Errorf("resolve %s: resolved %s ago, want %s", typed, since, ago)
		}
		if strings.Contains(string(reply.Body), "since_5") {
			t.Errorf("resolve %s: asks since when, which was said", typed)
		}
	}
	w := newWorld(t, setup{})
	inc, channel := w.opened(t, "Offers missing", false)
	if reply := w.answers(t, w.ann, channel.ID, "resolve Restarted 5m ago", "*resolved*"); !strings.Contains(string(reply.Body), "since_5") {
		t.Errorf("does not ask since when: %s", reply.Body)
	}
	if since := time.Since(w.incident(t, inc.Number).Times[incidents.ResolvedAt].At); since > time.Minute {
		t.Errorf("a text with a time in it: resolved %s ago, want now", since)
	}
}

// TestKeyFirst names the incident before the verb, in another incident's channel
// as well as elsewhere.
func TestKeyFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	offers, _ := w.opened(t, "Offers missing", false)
	logins, channel := w.opened(t, "Logins fail", false)
	for _, in := range []string{w.ops.ID, channel.ID} {
		w.answers(t, w.ann, in, offers.Key(), "*"+offers.Key()+"* Offers missing")
	}
	w.answers(t, w.ann, channel.ID, offers.Key()+" status identified The pool is full", offers.Key(), "*identified*")
	w.answers(t, w.ann, channel.ID, strings.ToLower(offers.Key())+" severity sev1", offers.Key(), "*sev1*")
	if got := w.incident(t, offers.Number); got.Status != incidents.Identified || got.Severity != incidents.Sev1 {
		t.Errorf("%s is %s, %s; want identified, sev1", got.Key(), got.Status, got.Severity)
	}
	if got := w.incident(t, logins.Number); got.Status != incidents.Investigating || got.Severity == incidents.Sev1 {
		t.Errorf("%s, in whose channel it was typed, is %s, %s now", got.Key(), got.Status, got.Severity)
	}
	w.answers(t, w.ann, w.ops.ID, "INC-99", "There is no INC-99")
}

// TestSlipsOfActions asks back rather than making an item of a slip.
func TestSlipsOfActions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	inc, channel := w.opened(t, "Offers missing", false)
	w.answers(t, w.ann, channel.ID, "action Alert on the pool's waiting time", "is noted")
	before := len(w.incident(t, inc.Number).Actions)
	w.answers(t, w.ann, channel.ID, "action Give slow requests a pool due 2020-01-01", "2020-01-01 is over", "still to come")
	w.answers(t, w.ann, channel.ID, "action 1 wobble", `"wobble" is nothing that can be done to action item 1`, "/incident action")
	if got := len(w.incident(t, inc.Number).Actions); got != before {
		t.Errorf("the slips made %d action items", got-before)
	}
	w.answers(t, w.ann, channel.ID, "action 1 dashboard for both pools", "is noted")
}

func TestHelpOnWhatIsNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	w.answers(t, w.ann, w.ops.ID, "help frobnicate", "`frobnicate` is no command", "`timeline`")
}
