package incidents

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestEdits holds the commands that change several things in one go: which
// events they make of an incident, or how they refuse.
func TestEdits(t *testing.T) {
	t.Parallel()
	req := Request{Actor: ada(), In: "C1"}
	long := strings.Repeat("ü", MaxText+1)
	impact := func(inc Incident) any { return inc.Impact }
	due := func(inc Incident) any { return inc.UpdateDue.Format("15:04") }
	notice := func(inc Incident) any { return string(inc.Notice.Status()) + " " + inc.Notice.Updates[0].Text }
	for _, tt := range []struct {
		name    string
		before  func(*Incident)
		command Command
		events  []string
		after   func(Incident) any
		want    any
		kind    ErrorKind
		says    string
	}{
		{
			name: "an update in one go", command: Update{Request: req, Text: "We restart", Status: Identified, Impact: new("No offers"), Next: 30 * time.Minute},
			events: []string{"facts_changed", "status_changed", "update_posted", "key_time_set"}, after: due, want: "14:30",
		},
		{name: "an impact alone", command: Update{Request: req, Impact: new("No offers ")}, events: []string{"facts_changed"}, after: impact, want: "No offers"},
		{name: "a status alone", command: Update{Request: req, Status: Identified}, events: []string{"status_changed"}, after: statusAndUpdate, want: "identified "},
		{name: "an update promises nothing by itself", before: promised, command: Update{Request: req, Text: "x"}, events: []string{"update_posted", "key_time_set"}, after: due, want: "00:00"},
		{
			name: "an update that ends it", before: promised, command: Update{Request: req, Text: "It is over", Status: Resolved, Next: time.Hour},
			events: []string{"status_changed", "key_time_set", "gap_added", "action_added", "draft_ready"}, after: due, want: "00:00",
		},
		{
			name: "an update for the public too", command: Update{Request: req, Text: "We look", Publish: true},
			events: []string{"update_posted", "key_time_set", "notice_published"}, after: notice, want: "investigating We look",
		},
		{name: "an update of nothing", command: Update{Request: req, Status: Investigating, Impact: new("")}, kind: Invalid, says: "needs a text"},
		{name: "nothing for the public", command: Update{Request: req, Status: Identified, Publish: true}, kind: Invalid, says: "needs a text"},
		{name: "an update to a status that has its own way", command: Update{Request: req, Text: "x", Status: Closed}, kind: Invalid, says: "can not be set to closed"},
		{name: "an update of an ended one that moves it", before: at(Resolved), command: Update{Request: req, Text: "x", Status: Monitoring}, kind: Conflict, says: "`reopen`"},
		{name: "a promise too far", command: Update{Request: req, Text: "x", Next: 8 * 24 * time.Hour}, kind: Invalid, says: "seven days"},

		{
			name: "facts", command: EditFacts{Request: req, Title: new("Offers are missing"), Severity: new(Sev1), Service: new("offers"), Detection: new(ByCustomer)},
			events: []string{"renamed", "severity_changed", "facts_changed"}, after: func(inc Incident) any { return inc.Title + string(inc.Severity) + inc.Service + string(inc.Detection) },
			want: "Offers are missingsev1offerscustomer",
		},
		{name: "facts it has", command: EditFacts{Request: req, Title: new("Checkout answers 500"), Severity: new(Sev3), Impact: new("")}, after: impact, want: ""},
		{name: "facts too long", command: EditFacts{Request: req, Impact: &long}, kind: Invalid, says: "3001"},
		{name: "a service too long", command: EditFacts{Request: req, Service: new(strings.Repeat("ü", MaxTitle+1))}, kind: Invalid, says: "201"},
		{
			name: "a key time", command: EditFacts{Request: req, Times: map[KeyTime]Instant{ImpactStart: {At: clockAt(12, 30), Precision: Approx}}},
			events: []string{"key_time_set"}, after: timeOf(ImpactStart), want: "12:30 approx slack",
		},
		{name: "a key time forgotten", before: mitigated, command: EditFacts{Request: req, Times: map[KeyTime]Instant{MitigatedAt: {}}}, events: []string{"key_time_set"}, after: timeOf(MitigatedAt), want: "unknown"},
		{name: "a key time of the future", command: EditFacts{Request: req, Times: map[KeyTime]Instant{Detected: {At: clockAt(15, 0)}}}, kind: Invalid, says: "in the future"},
		{name: "a key time of Houston", command: EditFacts{Request: req, Times: map[KeyTime]Instant{DeclaredAt: {At: clockAt(12, 0)}}}, kind: Invalid, says: "can not be set"},

		{
			name: "hand over", before: led, command: SetRoles{Request: req, Summary: "The pool is full", Roles: map[Role]Person{Commander: {"U2", "Ben"}, Scribe: {"U3", "Cy"}}},
			events: []string{"role_assigned", "role_assigned"}, after: commander, want: "Ben",
		},
		{name: "free a role", before: led, command: SetRoles{Request: req, Roles: map[Role]Person{Commander: {}, Scribe: {}}}, events: []string{"role_assigned"}, after: commander, want: ""},
		{name: "roles they have", before: led, command: SetRoles{Request: req, Roles: map[Role]Person{Commander: ada().Person}}, after: commander, want: "Ada"},
		{name: "a summary for nobody", before: led, command: SetRoles{Request: req, Summary: "x"}, kind: Invalid, says: "Choose who takes over"},

		{
			name: "another video call", command: SetBridge{Request: req, URL: " https://meet.example.com/b "}, events: []string{"bridge_set"},
			after: func(inc Incident) any { return inc.BridgeURL }, want: "https://meet.example.com/b",
		},
		{name: "a video call that is none", command: SetBridge{Request: req, URL: "javascript:alert(1)"}, kind: Invalid, says: "no link"},
		{name: "a link with a line break", command: SetBridge{Request: req, URL: "https://meet.example.com/\n"}, events: []string{"bridge_set"}, after: impact, want: ""},
		{name: "a link with a space", command: SetBridge{Request: req, URL: "https://meet.example.com/ a"}, kind: Invalid, says: "no link"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &stage{t: t, memory: newMemory(), clock: &hand{clockAt(14, 0)}}
			s.Service = NewService(Config{Store: s.memory, Clock: s.clock})
			s.declared()
			inc := s.incident(1).Clone()
			if tt.before != nil {
				tt.before(&inc)
				s.memory.incidents[1] = inc
			}
			count := len(s.memory.events[1])
			result, err := s.Do(t.Context(), 1, tt.command)
			if KindOf(err) != tt.kind || (err != nil && !strings.Contains(err.Error(), tt.says)) {
				t.Fatalf("got error %v, want %q that says %q", err, tt.kind, tt.says)
			}
			var events []string
			for _, e := range s.memory.events[1][count:] {
				events = append(events, e.Data.Type())
			}
			if diff := cmp.Diff(tt.events, events); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if err == nil && tt.after(result.Incident) != tt.want {
				t.Errorf("got %v, want %v", tt.after(result.Incident), tt.want)
			}
		})
	}
}

// promised is an incident whose next update is due.
func promised(inc *Incident) { inc.UpdateDue = clockAt(14, 10) }
