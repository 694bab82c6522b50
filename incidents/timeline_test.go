package incidents

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTimelineFolds(t *testing.T) {
	t.Parallel()
	noted := func(seq int64, minute int, text string) Event {
		return Event{
			Incident: 1, Seq: seq, At: clockAt(14, minute), RecordedAt: clockAt(14, 30), Precision: ToMinute,
			Actor: ada(), Data: Noted{Kind: Observation, Text: text, Permalink: "p"},
		}
	}
	about := func(seq int64, data Data) Event {
		return Event{Incident: 1, Seq: seq, At: clockAt(14, 40), RecordedAt: clockAt(14, 40), Data: data}
	}
	back := clockAt(13, 0)
	for _, tt := range []struct {
		name   string
		events []Event
		want   []string
	}{
		{"by when it happened", []Event{noted(1, 5, "later"), noted(2, 1, "earlier")}, []string{"14:01 observation earlier", "14:05 observation later"}},
		{"at the same time by Seq", []Event{noted(1, 5, "a"), noted(2, 5, "b"), noted(3, 5, "c")}, []string{"14:05 observation a", "14:05 observation b", "14:05 observation c"}},
		{"redacted", []Event{noted(1, 1, "a"), noted(2, 2, "b"), about(3, Redacted{Seq: 1})}, []string{"14:02 observation b"}},
		{"redacted twice", []Event{noted(1, 1, "a"), about(2, Redacted{Seq: 1}), about(3, Redacted{Seq: 1})}, []string{}},
		{"amended text", []Event{noted(1, 1, "a"), about(2, Amended{Seq: 1, Text: "b"})}, []string{"14:01 observation b"}},
		{"amended kind", []Event{noted(1, 1, "a"), about(2, Amended{Seq: 1, Kind: Action})}, []string{"14:01 action a"}},
		{"amended time", []Event{noted(1, 1, "a"), noted(2, 0, "b"), about(3, Amended{Seq: 2, At: &back}), about(4, Amended{Seq: 1, At: &back})}, []string{"13:00 observation a", "13:00 observation b"}},
		{"amended again", []Event{noted(1, 1, "a"), about(2, Amended{Seq: 1, Text: "b"}), about(3, Amended{Seq: 1, Text: "c"})}, []string{"14:01 observation c"}},
		{"amended after it was redacted", []Event{noted(1, 1, "a"), about(2, Redacted{Seq: 1}), about(3, Amended{Seq: 1, Text: "b"})}, []string{}},
		{"amendment of nothing", []Event{about(1, Amended{Seq: 7, Text: "b"}), about(2, Redacted{Seq: 8})}, []string{}},
		{"what is for Houston only", []Event{
			about(1, ChannelOpened{}), about(2, CardPosted{}), about(3, EffectFailed{}), about(4, EffectMended{}), about(5, RepairAsked{}),
			about(6, KeyTimeSet{Key: Acknowledged, Instant: Instant{At: back}}), about(7, KeyTimeSet{Key: MitigatedAt}),
		}, []string{}},
		{"state", []Event{
			about(1, Declared{Title: "A", Severity: Sev3, Status: Investigating, Summary: "s", Follows: 4}),
			about(2, StatusChanged{Investigating, Identified, "the pool"}), about(3, SeverityChanged{Sev3, Sev1}), about(4, Renamed{"A", "B"}),
			about(5, RoleAssigned{Role: Commander, Person: Person{"U1", "Ada"}, Previous: Person{}}), about(6, RoleAssigned{Role: Commander, Person: Person{"U2", "Ben"}, Previous: Person{"U1", "Ada"}}),
			about(7, RoleAssigned{Role: Commander, Person: Person{}, Previous: Person{"U2", "Ben"}}), about(8, KeyTimeSet{MitigatedAt, Instant{At: back}}),
		}, []string{
			"14:40 state Declared as sev3: A\ns\nFollows INC-4", "14:40 state Status: investigating → identified. the pool",
			"14:40 state Severity: sev3 → sev1", "14:40 state Renamed to B", "14:40 state Ada took the role commander",
			"14:40 state Ben took the role commander over from Ada", "14:40 state Ben gave up the role commander", "14:40 state Mitigated",
		}},
		{"alerts", []Event{
			about(1, AlertsReceived{Fired: 2, Firing: 2, Names: []string{"A", "B"}}), about(2, AlertsReceived{Fired: 1, Resolved: 2, Firing: 1}),
			about(3, AlertsReceived{Resolved: 1, Names: []string{"A"}}), about(4, AlertsReceived{}), about(5, UpdatePosted{Text: "u"}),
		}, []string{
			"14:40 alert 2 alerts fired (A, B); 2 firing now", "14:40 alert 1 alert fired, 2 alerts resolved; 1 firing now",
			"14:40 alert 1 alert resolved (A); 0 firing now", "14:40 alert 0 alerts firing now", "14:40 communication u",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := []string{}
			for _, e := range Timeline(tt.events) {
				got = append(got, e.At.Format("15:04 ")+string(e.Kind)+" "+e.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("timeline (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEntryKeepsWhoAndWhere(t *testing.T) {
	t.Parallel()
	e := Event{Seq: 3, At: clockAt(13, 0), RecordedAt: clockAt(14, 0), Precision: ToMinute, Actor: ada(), Data: Noted{Kind: Action, Text: "a", Permalink: "p"}}
	want := []Entry{{
		Seq: 3, At: clockAt(13, 0), RecordedAt: clockAt(14, 0), Precision: ToMinute, Kind: Action,
		Actor: Person{"U1", "Ada"}, Text: "a", Permalink: "p",
	}}
	if diff := cmp.Diff(want, Timeline([]Event{e})); diff != "" {
		t.Errorf("entry (-want +got):\n%s", diff)
	}
}

// TestEventsSurviveStoring: each type comes back from its stored form as it was.
func TestEventsSurviveStoring(t *testing.T) {
	t.Parallel()
	at := clockAt(13, 0)
	instant := Instant{At: at, Precision: Approx, Source: FromManual}
	for _, data := range []Data{
		Declared{
			Title: "A", Summary: "s", Service: "svc", Severity: Sev1, Status: Triage, Detection: BySLO, Private: true, Drill: true,
			BridgeURL: "b", ReportedIn: "C0", Follows: 4, Times: map[KeyTime]Instant{Detected: instant},
			Storm: true, Runbook: "r", Invite: []string{"U1"}, Page: []string{"lending"},
		},
		StatusChanged{Triage, Investigating, "t"},
		SeverityChanged{Sev1, Sev2},
		UpdatePosted{Text: "u"},
		RoleAssigned{Role: Scribe, Person: Person{"U1", "Ada"}, Previous: Person{"U2", "Ben"}},
		KeyTimeSet{MitigatedAt, instant},
		Renamed{"A", "B"},
		Noted{Action, "t", "p", &Message{"C1", "1.2"}, Person{"U2", "Ben"}, MarkInternal, []File{{"F1", "a.png", "image/png", 3, "", ""}}, instant, true},
		CaptureShared{Message{"C1", "1.2"}, MarkAction},
		CaptureReleased{Message{"C1", "1.2"}, MarkEvidence},
		FileStored{1, "F1", "abc"},
		FileLost{1, "F1", "r"},
		ActionWithdrawn{1, &Message{"C1", "1.2"}},
		ActionAdded{ActionItem{
			1, "t", Detect,
			Person{"U1", "Ada"},
			"2030-01-31", true, true, P1, "d",
			[]string{"gap:1"},
			"l", ActionVerified, "r", "o",
			Person{"U1", "Ada"},
			at,
			Person{"U2", "Ben"},
			"v",
			&Message{"C1", "1.2"},
			"p",
		}},
		ActionChanged{ActionItem{ID: 1, Text: "t"}, []string{"text"}},
		GapAdded{Gap{
			1, GapNoAlert, "s", "up", "5m",
			map[string]string{"a": "b"},
			GapClosed, "r", true,
			[]GapCheck{{at, CheckFires, "r", "u", Person{"U1", "Ada"}}},
			at,
		}},
		GapChanged{Gap{ID: 1}, []string{"state"}},
		PostmortemWritten{1, []string{"summary"}},
		PostmortemMoved{PostmortemDraft, PostmortemPublished, 1, "r", 2, "h"},
		PostmortemStaffed{Person{"U1", "Ada"}, []Person{{"U2", "Ben"}}, Person{"U3", "Cleo"}},
		ReviewPlanned{Meeting{at, 60, Person{"U1", "Ada"}, 1}},
		NoticePublished{"A", NoticeIdentified, "t"},
		NoticeWithdrawn{3},
		DraftReady{},
		ExportAsked{"md"},
		ChannelOpened{Channel{ID: "C1", Name: "n"}},
		AlertsReceived{"g", 1, 2, 3, 6, []string{"A"}, true, false, false},
		AlertsReceived{Group: "g", Resolved: 2, Lapsed: true},
		AlertsReceived{Group: "g", Resolved: 2, Elsewhere: true},
		AlertsCleared{2},
		SilenceAsked{"berlin", map[string]string{"a": "b"}, time.Hour, at},
		SilenceExtended{3, at, map[string]string{"a": "b"}},
		SilenceEnded{Silence: 3, Matchers: map[string]string{"a": "b"}},
		SilenceEnded{Silence: 3, Matchers: map[string]string{"a": "b"}, Elsewhere: true},
		ForeignSilence{"id", "berlin", "bob", "c", at, "A"},
		HeartbeatLost{"g", "Watchdog", "berlin", at, time.Minute, true},
		HeartbeatBack{"g", "Watchdog", "berlin", time.Minute},
		StillGoingOn{},
		CardPosted{Message{"C1", "1.2"}},
		EffectFailed{"e", "r", true},
		EffectMended{"e"},
		RepairAsked{},
		Amended{1, "t", Action, &at, ToMinute, &instant, "p", new(true), new(true), true},
		Redacted{1, "r", true, []string{"update"}},
	} {
		raw, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(data.Type(), raw)
		if err != nil {
			t.Errorf("%s: %v", data.Type(), err)
		}
		if diff := cmp.Diff(data, back); diff != "" {
			t.Errorf("%s (-before +after):\n%s", data.Type(), diff)
		}
	}
	if _, err := Decode("of_tomorrow", nil); err == nil {
		t.Error("got no error for an unknown type")
	}
	if _, err := Decode("noted", []byte("{")); err == nil {
		t.Error("got no error for broken data")
	}
}

func TestApplyRefusesGaps(t *testing.T) {
	t.Parallel()
	for _, seqs := range [][]int64{{2}, {1, 3}, {1, 1}} {
		var events []Event
		for _, seq := range seqs {
			events = append(events, Event{Incident: 1, Seq: seq, At: time.Time{}, Data: RepairAsked{}})
		}
		if _, err := Replay(events); err == nil {
			t.Errorf("got no error for events %v", seqs)
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	t.Parallel()
	build := func() Incident {
		return Incident{
			Roles: map[Role]Person{Commander: {ID: "U1"}}, Times: map[KeyTime]Instant{Detected: {}}, Firing: map[string]int{"g": 1},
			Channel: &Channel{ID: "C1"}, Card: &Message{TS: "1"}, Reporter: Actor{Groups: []string{"S1"}},
		}
	}
	inc := build()
	clone := inc.Clone()
	delete(clone.Roles, Commander)
	delete(clone.Times, Detected)
	clone.Firing["g"], clone.Channel.ID, clone.Card.TS, clone.Reporter.Groups[0] = 9, "C9", "9", "S9"
	if diff := cmp.Diff(build(), inc); diff != "" {
		t.Errorf("the original changed with its clone (-before +after):\n%s", diff)
	}
}
