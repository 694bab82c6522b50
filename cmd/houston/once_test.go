package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore"
)

// listed is an incident as the API tells of it.
type listed struct {
	Key          string
	Title        string
	Detection    string
	AlertsFiring int `json:"alerts_firing"`
	Channel      *struct{ ID, Name string }
	Owed         []string
}

// listed asks the API for all incidents.
func (h *house) listed() []listed {
	h.t.Helper()
	var page struct{ Incidents []listed }
	if status := h.api("/incidents?limit=500", &page); status != http.StatusOK {
		h.t.Logf("GET incidents answered %d", status)
	}
	return page.Incidents
}

// marked finds the app's messages by the marker they carry; those without one
// are under "".
func marked(w *sandbox.Workspace) map[string][]sandbox.Message {
	found := map[string][]sandbox.Message{}
	for _, channel := range w.Channels() {
		for _, m := range w.Messages(channel.ID) {
			if m.BotID == "" {
				continue
			}
			var payload struct{ Key string }
			if m.Metadata != nil {
				_ = json.Unmarshal(m.Metadata.EventPayload, &payload) // without a key it is unmarked
			}
			found[payload.Key] = append(found[payload.Key], m)
		}
	}
	return found
}

// wrongOutside says what in Slack is not as it must be in the end: exactly one
// channel, card, pin, bookmark and announcement for each incident, its reporter
// in the channel, no message twice, and nothing that belongs to no incident.
func wrongOutside(w *sandbox.Workspace, all []listed) []string {
	var wrong []string
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	channels := map[string][]sandbox.Channel{} // by "inc-1"
	for _, c := range w.Channels() {
		if parts := strings.SplitN(c.Name, "-", 3); parts[0] == "inc" && len(parts) > 1 {
			key := parts[0] + "-" + parts[1]
			channels[key] = append(channels[key], c)
		}
	}
	messages := marked(w)
	for marker, found := range messages {
		if marker == "" || len(found) > 1 {
			complain("%d messages with the marker %q", len(found), marker)
		}
	}
	known := map[string]bool{}
	for _, inc := range all {
		name := strings.ToLower(inc.Key)
		known[name] = true
		if len(channels[name]) != 1 || inc.Channel == nil || inc.Channel.ID != channels[name][0].ID {
			complain("%s has %d channels, recorded is %v", inc.Key, len(channels[name]), inc.Channel)
			continue
		}
		channel := channels[name][0]
		cards, pins := messages[inc.Key+"/card#1"], w.Pins(channel.ID)
		if len(cards) != 1 || len(pins) != 1 || pins[0].TS != cards[0].TS || cards[0].Channel != channel.ID {
			complain("%s has %d cards and %d pins", inc.Key, len(cards), len(pins))
		}
		if n := len(messages[inc.Key+"/announce#1"]); n != 1 {
			complain("%s has %d announcements", inc.Key, n)
		}
		if n := len(w.Bookmarks(channel.ID)); n != 1 {
			complain("%s has %d bookmarks", inc.Key, n)
		}
		if inc.Detection == "employee" && !slices.Contains(channel.Members, anna) {
			complain("%s does not have its reporter in the channel", inc.Key)
		}
		if len(inc.Owed) > 0 {
			complain("%s still owes %s", inc.Key, strings.Join(inc.Owed, ", "))
		}
	}
	for name, found := range channels {
		if !known[name] {
			complain("%s belongs to no incident", found[0].Name)
		}
	}
	slices.Sort(wrong)
	return wrong
}

// checkTruth looks into the database when Houston has ended: each incident is
// what its events make of it, each effect was made, and each message that is an
// effect stands in Slack once.
func checkTruth(t *testing.T, database string, w *sandbox.Workspace) {
	t.Helper()
	store, err := sqlstore.Open(t.Context(), sqlstore.Config{URL: database})
	if err != nil {
		t.Fatalf("open the database: %v", err)
	}
	defer func() { _ = store.Close() }()
	messages := marked(w)
	all, err := store.Incidents(t.Context(), incidents.Query{Limit: 500, Private: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, inc := range all {
		events, err := store.Events(t.Context(), inc.Number)
		if err != nil {
			t.Fatal(err)
		}
		replayed, err := incidents.Replay(events)
		if err != nil {
			t.Errorf("replay %s: %v", inc.Key(), err)
		}
		if diff := cmp.Diff(replayed, inc); diff != "" {
			t.Errorf("%s is not what its events say (-replayed +row):\n%s", inc.Key(), diff)
		}
		effects, err := store.Effects(t.Context(), inc.Number)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range effects {
			if !e.Made() || e.Failed {
				t.Errorf("effect %s is %s: %s", e.Key, e.State(), e.Reason)
			}
			found := messages[e.Marker()]
			switch e.Kind {
			case incidents.MakePin, incidents.MakeInvite, incidents.MakeTopic, incidents.MakeBookmark, incidents.MakeChannel, incidents.MakeName:
			default: // a message
				if len(found) != 1 || found[0].TS != e.ID || found[0].Channel != e.Place {
					t.Errorf("effect %s is message %s in %s; Slack has %d of them: %+v", e.Key, e.ID, e.Place, len(found), found)
				}
				delete(messages, e.Marker())
			}
		}
	}
	for marker := range messages {
		t.Errorf("a message is marked %q, which is no effect", marker)
	}
}

// The channel of an incident is found again after a lost answer, though it has
// another title by then.
func TestRenamedWhileItsChannelIsLost(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	h.slack.Inject(sandbox.Fault{Method: "conversations.create", Kind: sandbox.FaultDropAfter{}, Times: 1})
	h.say(anna, announced, "declare Offers are slow")
	h.until("the channel is made", func() bool { return len(h.slack.Calls("conversations.create")) > 0 })
	h.say(anna, announced, "rename INC-1 Offers are gone")
	h.until("it is found and used", func() bool { return len(wrongOutside(h.slack, h.listed())) == 0 })
}
