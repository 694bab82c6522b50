package incidents

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func sameIncident(t *testing.T, want, got Incident) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-row +events):\n%s", want.Key(), diff)
	}
}

// at puts an incident into a state before the command that is tested.
func at(status Status) func(*Incident) { return func(inc *Incident) { inc.Status = status } }

func TestCommands(t *testing.T) {
	t.Parallel()
	req := Request{Actor: ada(), In: "C1"}
	long := strings.Repeat("ü", MaxText+1)
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
		{name: "status moves on", command: SetStatus{req, Identified, "the pool"}, events: []string{"status_changed"}, after: statusAndUpdate, want: "identified the pool"},
		{name: "status goes back", before: at(Monitoring), command: SetStatus{req, Investigating, ""}, events: []string{"status_changed"}, after: statusAndUpdate, want: "investigating "},
		{name: "status out of triage", before: at(Triage), command: SetStatus{req, Investigating, ""}, events: []string{"status_changed"}, after: statusAndUpdate, want: "investigating "},
		{name: "status it has", command: SetStatus{req, Investigating, ""}, kind: Conflict, says: "is investigating already"},
		{name: "status resolved is resolve", command: SetStatus{req, Resolved, "done"}, events: []string{"status_changed", "key_time_set", "gap_added", "action_added", "draft_ready"}, after: statusAndUpdate, want: "resolved done"},
		{name: "status declined is decline", before: at(Triage), command: SetStatus{req, Declined, ""}, events: []string{"status_changed", "key_time_set"}, after: statusAndUpdate, want: "declined "},
		{name: "status closed is close", command: SetStatus{req, Closed, ""}, kind: Conflict, says: "`resolve` it first"},
		{name: "status merged has its own way", command: SetStatus{req, Merged, ""}, kind: Invalid, says: "merged"},
		{name: "status triage is only a beginning", command: SetStatus{req, Triage, ""}, kind: Invalid, says: "triage"},
		{name: "status of an ended one", before: at(Resolved), command: SetStatus{req, Monitoring, ""}, kind: Conflict, says: "`reopen`"},
		{name: "status with a long text", command: SetStatus{req, Identified, long}, kind: Invalid, says: "3001"},

		{name: "resolve", command: Resolve{Request: req}, events: []string{"status_changed", "key_time_set", "gap_added", "action_added", "draft_ready"}, after: timeOf(ResolvedAt), want: "14:00 second slack"},
		{name: "resolve since when", command: Resolve{Request: req, At: clockAt(13, 45)}, events: []string{"status_changed", "key_time_set", "gap_added", "action_added", "draft_ready"}, after: timeOf(ResolvedAt), want: "13:45 minute slack"},
		{name: "resolve in the future", command: Resolve{Request: req, At: clockAt(14, 5)}, kind: Invalid, says: "in the future"},
		{name: "resolve twice", before: at(Resolved), command: Resolve{Request: req}, kind: Conflict, says: "is resolved already"},
		{name: "resolve a closed one", before: at(Closed), command: Resolve{Request: req}, kind: Conflict, says: "is closed already"},

		{name: "mitigate", command: Mitigate{Request: req}, events: []string{"key_time_set", "status_changed"}, after: statusAndUpdate, want: "monitoring "},
		{name: "mitigate since when", command: Mitigate{req, clockAt(13, 55)}, events: []string{"key_time_set", "status_changed"}, after: timeOf(MitigatedAt), want: "13:55 minute slack"},
		{name: "mitigate while monitoring", before: at(Monitoring), command: Mitigate{Request: req}, events: []string{"key_time_set"}, after: statusAndUpdate, want: "monitoring "},
		{name: "mitigate after the end", before: at(Resolved), command: Mitigate{req, clockAt(13, 0)}, events: []string{"key_time_set"}, after: statusAndUpdate, want: "resolved "},
		{name: "mitigate after the end without a time", before: at(Resolved), command: Mitigate{Request: req}, kind: Conflict, says: "Say when"},
		{name: "mitigate a declined one", before: at(Declined), command: Mitigate{Request: req}, kind: Conflict, says: "is declined"},
		{name: "mitigate twice", before: mitigated, command: Mitigate{Request: req}, kind: Conflict, says: "mitigated 5m ago"},
		{name: "mitigate corrected", before: mitigated, command: Mitigate{req, clockAt(13, 0)}, events: []string{"key_time_set"}, after: timeOf(MitigatedAt), want: "13:00 minute slack"},

		{name: "reopen", before: func(inc *Incident) { mitigated(inc); inc.Status = Resolved }, command: Reopen{Request: req}, events: []string{"status_changed", "key_time_set"}, after: timeOf(MitigatedAt), want: "unknown"},
		{name: "reopen a declined one", before: at(Declined), command: Reopen{Request: req}, events: []string{"status_changed"}, after: statusAndUpdate, want: "investigating "},
		{name: "reopen an open one", command: Reopen{Request: req}, kind: Conflict, says: "is open already"},
		{name: "reopen a merged one", before: at(Merged), command: Reopen{Request: req}, kind: Conflict, says: "merged"},

		{name: "decline", before: at(Triage), command: Decline{req, "a test"}, events: []string{"status_changed", "key_time_set"}, after: statusAndUpdate, want: "declined a test"},
		{name: "close", before: at(Resolved), command: Close{req, "all done"}, events: []string{"status_changed", "key_time_set"}, after: statusAndUpdate, want: "closed all done"},
		{name: "close an open one", command: Close{Request: req}, kind: Conflict, says: "`resolve` it first"},
		{name: "close a closed one", before: at(Closed), command: Close{Request: req}, kind: Conflict, says: "closed already"},
		{name: "close what owes a postmortem", before: func(inc *Incident) { inc.Status, inc.Severity = Resolved, Sev1 }, command: Close{Request: req}, kind: Conflict, says: "owes a postmortem"},
		{name: "close a drill", before: func(inc *Incident) { inc.Status, inc.Severity, inc.Drill = Resolved, Sev1, true }, command: Close{Request: req}, events: []string{"status_changed", "key_time_set"}, after: statusAndUpdate, want: "closed "},
		{name: "decline later", command: Decline{Request: req}, kind: Conflict, says: "`resolve`"},

		{name: "severity", command: SetSeverity{req, Sev1}, events: []string{"severity_changed"}, after: func(inc Incident) any { return inc.Severity }, want: Sev1},
		{name: "severity it has", command: SetSeverity{req, Sev3}, kind: Conflict, says: "sev3 already"},

		{name: "first update", command: Update{Request: req, Text: " we look \n"}, events: []string{"update_posted", "key_time_set"}, after: statusAndUpdate, want: "investigating we look"},
		{name: "second update", before: func(inc *Incident) { inc.setTime(FirstUpdate, Instant{At: clockAt(13, 0)}) }, command: Update{Request: req, Text: "b"}, events: []string{"update_posted"}, after: statusAndUpdate, want: "investigating b"},
		{name: "update without text", command: Update{Request: req, Text: " \n "}, kind: Invalid, says: "Write it like: update"},
		{name: "update too long", command: Update{Request: req, Text: long}, kind: Invalid, says: "3001"},

		{name: "take the lead", command: Assign{Request: req, Role: Commander, Person: ada().Person}, events: []string{"role_assigned", "key_time_set"}, after: commander, want: "Ada"},
		{name: "take the lead in triage", before: at(Triage), command: Assign{Request: req, Role: Commander, Person: ada().Person}, events: []string{"role_assigned", "key_time_set", "status_changed"}, after: statusAndUpdate, want: "investigating "},
		{name: "lead it has", before: led, command: Assign{Request: req, Role: Commander, Person: ada().Person}, kind: Conflict, says: "Ada has the role commander already"},
		{name: "hand the lead over", before: led, command: Assign{Request: req, Role: Commander, Person: Person{"U2", "Ben"}}, events: []string{"role_assigned"}, after: commander, want: "Ben"},
		{name: "give the lead up", before: led, command: Assign{Request: req, Role: Commander, Person: Person{}}, events: []string{"role_assigned"}, after: commander, want: ""},
		{name: "give up what nobody has", command: Assign{Request: req, Role: Scribe, Person: Person{}}, kind: Conflict, says: "nobody has the role scribe"},
		{name: "another role", command: Assign{Request: req, Role: Scribe, Person: ada().Person}, events: []string{"role_assigned"}, after: commander, want: ""},

		{name: "note", command: Note{Request: req, Text: "Restarted it"}, events: []string{"noted"}, after: statusAndUpdate, want: "investigating "},
		{name: "note on an ended one", before: at(Closed), command: Note{Request: req, Text: "Restarted it"}, events: []string{"noted"}, after: statusAndUpdate, want: "closed "},
		{name: "note without text", command: Note{Request: req, Text: "\t"}, kind: Invalid, says: "Write it like: timeline"},
		{name: "note of the future", command: Note{Request: req, Text: "a", At: clockAt(14, 2)}, kind: Invalid, says: "2026-03-29 14:02 UTC is in the future"},

		{name: "rename", command: Rename{req, " A\n new \x00 title "}, events: []string{"renamed"}, after: func(inc Incident) any { return inc.Title }, want: "A new title"},
		{name: "rename to what it has", command: Rename{req, "Checkout  answers 500"}, kind: Conflict, says: "this title already"},
		{name: "rename to nothing", command: Rename{req, " \n"}, kind: Invalid, says: "needs a title"},
		{name: "rename too long", command: Rename{req, strings.Repeat("ü", MaxTitle+1)}, kind: Invalid, says: "201"},

		{name: "repair", command: Repair{req}, events: []string{"repair_asked"}, after: statusAndUpdate, want: "investigating "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &stage{t: t, memory: newMemory(), clock: &hand{clockAt(14, 0)}}
			s.Service = NewService(Config{Store: s.memory, Clock: s.clock, PostmortemFor: []Severity{Sev1, Sev2}})
			s.declared()
			inc := s.incident(1).Clone()
			if tt.before != nil {
				tt.before(&inc)
				s.memory.incidents[1] = inc
			}
			count := len(s.memory.events[1])
			result, err := s.Do(t.Context(), 1, tt.command)
			if KindOf(err) != tt.kind || (err != nil && !strings.Contains(err.Error(), tt.says)) {
				t.Fatalf("got error %v (%s), want kind %q saying %q", err, KindOf(err), tt.kind, tt.says)
			}
			if diff := cmp.Diff(tt.events, s.newest(1, count)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if tt.kind != "" {
				sameIncident(t, inc, s.incident(1))
				return
			}
			if got := tt.after(result.Incident); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			sameIncident(t, result.Incident, s.incident(1))
		})
	}
}

func clockAt(hour, minute int) time.Time { return time.Date(2026, 3, 29, hour, minute, 0, 0, time.UTC) }

func statusAndUpdate(inc Incident) any { return string(inc.Status) + " " + inc.LastUpdate }

func commander(inc Incident) any {
	person, _ := inc.Commander()
	return person.Name
}

func timeOf(key KeyTime) func(Incident) any {
	return func(inc Incident) any {
		at, ok := inc.Times[key]
		if !ok {
			return "unknown"
		}
		return at.At.Format("15:04 ") + string(at.Precision) + " " + string(at.Source)
	}
}

func mitigated(inc *Incident) {
	inc.Status = Monitoring
	inc.setTime(MitigatedAt, Instant{At: clockAt(13, 30), Precision: ToSecond, Source: FromSlack})
}

func led(inc *Incident) {
	inc.Roles = map[Role]Person{Commander: ada().Person}
	inc.setTime(Acknowledged, Instant{At: clockAt(13, 30), Precision: ToSecond, Source: FromSlack})
}

// TestWhatCommandsOwe: what is seen of an incident is brought up to date, and no
// more than that.
func TestWhatCommandsOwe(t *testing.T) {
	t.Parallel()
	req := Request{Actor: ada(), In: "C1"}
	for _, tt := range []struct {
		name    string
		command Command
		want    string
	}{
		{"status", SetStatus{req, Identified, ""}, "post card topic announce"},
		{"severity", SetSeverity{req, Sev1}, "post card topic announce"},
		{"update", Update{Request: req, Text: "a"}, "post card"},
		{"note", Note{Request: req, Text: "a"}, ""},
		{"lead by oneself", Assign{Request: req, Role: Commander, Person: ada().Person}, "post card topic announce"},
		{"lead by another", Assign{Request: req, Role: Commander, Person: Person{"U2", "Ben"}}, "post invite card topic announce"},
		{"rename", Rename{req, "B"}, "card topic announce name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{Announce: true})
			s.declared()
			if _, err := s.Do(t.Context(), 1, tt.command); err != nil {
				t.Fatal(err)
			}
			var kinds []string
			for _, job := range s.memory.jobs {
				run, ok := job.(RunEffect)
				if !ok {
					t.Fatalf("got job %T, want RunEffect", job)
				}
				kinds = append(kinds, string(s.memory.effects[run.Effect].Kind))
			}
			if got := strings.Join(kinds, " "); got != tt.want {
				t.Errorf("got jobs for %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCommandsActOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	req := Request{Actor: ada(), In: "C1", Once: Once{Key: "command/T1", Digest: "a"}}
	first, err := s.Do(t.Context(), 1, Update{Request: req, Text: "a"})
	if err != nil || first.Repeated {
		t.Fatalf("got %+v, %v, want it done", first.Repeated, err)
	}
	count := len(s.memory.events[1])
	if again, err := s.Do(t.Context(), 1, Update{Request: req, Text: "a"}); err != nil || !again.Repeated || len(s.memory.events[1]) != count {
		t.Errorf("got repeated %v, %v and %d events, want a repeat that does nothing", again.Repeated, err, len(s.memory.events[1]))
	}
	req.Once.Digest = "b"
	if _, err := s.Do(t.Context(), 1, Update{Request: req, Text: "b"}); KindOf(err) != Mismatch {
		t.Errorf("got %v, want a mismatch", err)
	}
	if _, err := s.Do(t.Context(), 7, Update{Request: req, Text: "b"}); KindOf(err) != NotFound {
		t.Errorf("got %v, want not found", err)
	}
}
