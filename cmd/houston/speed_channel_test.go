package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents/proctest"
)

// What a call of Slack takes in these tests, and what Houston may add to the
// round trips of the critical path.
const (
	slackTakes   = 200 * time.Millisecond
	houstonTakes = 150 * time.Millisecond
)

// TestHeavyTimeToAUsableChannel prints how long it takes from the command to a
// channel with the card and the reporter in it, and to the pinned card: two and
// three calls of Slack after one another, and nothing optional beside them
// counts, be it that it fails, hangs or is not there.
func TestHeavyTimeToAUsableChannel(t *testing.T) {
	proctest.Heavy(t)
	t.Log(machine())
	databases := durableDatabases(t)
	for _, database := range []string{"sqlite", "postgres"} {
		for _, transport := range []string{"http", "socket"} {
			for _, weather := range []string{"fair", "foul"} {
				t.Run(database+"/"+transport+"/"+weather, func(t *testing.T) {
					p := plan{database: databases[database](t), socket: transport == "socket"}
					if weather == "foul" {
						p.env = map[string]string{
							"HOUSTON_SLACK_ANNOUNCE_CHANNEL": "nowhere",
							"HOUSTON_SLACK_INVITE":           "U0GONE,U0NOBODY,U0OUTSIDE,S0NOGROUP",
						}
					}
					h := newHouse(t, p)
					if weather == "foul" {
						breakOptionalParts(h.slack)
					}
					measureUsable(t, h)
					h.slack.ClearFaults() // so that it ends soon
				})
			}
		}
	}
}

// breakOptionalParts has all that Houston does beside the critical path go
// wrong, each part in its own way.
func breakOptionalParts(w *sandbox.Workspace) {
	w.AddUser(sandbox.User{ID: "U0GONE", Name: "gone", Deleted: true})
	w.AddUser(sandbox.User{ID: "U0OUTSIDE", Name: "outside", Guest: true})
	w.Inject(sandbox.Fault{Method: "bookmarks.list", Kind: sandbox.FaultDelay{Delay: 5 * time.Second}})
	w.Inject(sandbox.Fault{Method: "bookmarks.list", Kind: sandbox.FaultDropBefore{}})
	w.Inject(sandbox.Fault{Method: "conversations.setTopic", Kind: sandbox.FaultStatus{Status: 500}})
	w.Inject(sandbox.Fault{Method: "conversations.list", Kind: sandbox.FaultDelay{Delay: 3 * time.Second}})
	w.Inject(sandbox.Fault{Method: "usergroups.users.list", Kind: sandbox.FaultError{Code: "fatal_error"}})
}

func measureUsable(t *testing.T, h *house) {
	t.Helper()
	h.slack.SetLatency(slackTakes)
	declared := 0
	rounds(t, func(t *testing.T) []string {
		t.Helper()
		var answered, usable, pinned figures
		for range 10 {
			declared++
			sent := time.Now()
			reply, err := h.slack.Command(t.Context(), sandbox.Command{
				User: anna, Channel: announced, Command: "/incident", Text: fmt.Sprintf("declare Offers answer 500, case %d", declared),
			})
			if err != nil {
				t.Fatal(err)
			}
			answered = append(answered, reply.Latency)
			walk := h.walked(declared)
			usable = append(usable, walk.usable.Sub(sent))
			pinned = append(pinned, walk.pinned.Sub(sent))
		}
		t.Logf("answer:  %s", answered)
		t.Logf("usable:  %s", usable)
		t.Logf("pinned:  %s", pinned)
		const channel, card = 2*slackTakes + houstonTakes, 3*slackTakes + houstonTakes
		return slices.Concat(usable.within("usable", 0.5, channel), usable.within("usable", 0.9, channel),
			pinned.within("pinned", 0.5, card), pinned.within("pinned", 0.9, card))
	})
	const metric = "houston_declare_to_usable_channel_seconds"
	h.until("/metrics counts the channels", func() bool { return h.metric(metric+"_count") == float64(declared) })
	mean := time.Duration(h.metric(metric+"_sum") / float64(declared) * float64(time.Second))
	t.Logf("/metrics: mean of usable %s", mean.Round(time.Millisecond))
	if mean < 2*slackTakes || mean > 4*slackTakes {
		t.Errorf("%s has a mean of %s for channels that took two calls of %s", metric, mean, slackTakes)
	}
}

// walk says when the critical path of an incident got where, by Slack's time.
type walk struct{ usable, pinned time.Time }

// walked waits until the card of incident n is pinned.
func (h *house) walked(n int) walk {
	h.t.Helper()
	var channel sandbox.Channel
	h.until("the card is pinned", func() bool {
		for _, c := range h.slack.Channels() {
			if strings.HasPrefix(c.Name, fmt.Sprintf("inc-%d-", n)) {
				channel = c
			}
		}
		return channel.ID != "" && len(h.slack.Pins(channel.ID)) == 1 && slices.Contains(h.slack.Members(channel.ID), anna)
	})
	ended := func(method string, fits func(args map[string]string) bool) time.Time {
		for _, call := range h.slack.Calls(method) {
			if call.Error == "" && call.Args["channel"] == channel.ID && fits(call.Args) {
				return call.End
			}
		}
		h.t.Fatalf("no call of %s made what stands in %s", method, channel.Name)
		return time.Time{}
	}
	whichever := func(map[string]string) bool { return true }
	card := ended("chat.postMessage", func(args map[string]string) bool { return strings.Contains(args["blocks"], "take_lead") })
	invited := ended("conversations.invite", func(args map[string]string) bool { return args["users"] == anna })
	return walk{usable: slices.MaxFunc([]time.Time{card, invited}, time.Time.Compare), pinned: ended("pins.add", whichever)}
}
