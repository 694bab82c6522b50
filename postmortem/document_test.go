package postmortem_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// clock gives a moment of the day all tests are about.
func clock(text string) time.Time { return at(text, incidents.ToSecond).At }

// logOf numbers events as a store does; an actor without a way in is a person
// in Slack.
func logOf(t *testing.T, events ...incidents.Event) (incidents.Incident, []incidents.Event) {
	t.Helper()
	for i := range events {
		events[i].Incident, events[i].Seq = 1, int64(i+1)
		if events[i].RecordedAt.IsZero() {
			events[i].RecordedAt = events[i].At
		}
		if events[i].Precision == "" {
			events[i].Precision = incidents.ToSecond
		}
		if events[i].Actor.Via == "" {
			events[i].Actor = incidents.Actor{Person: incidents.Person{ID: "U1", Name: "Ada"}, Via: incidents.FromSlack}
		}
	}
	inc, err := incidents.Replay(events)
	if err != nil {
		t.Fatal(err)
	}
	return inc, events
}

func happened(when string, data incidents.Data) incidents.Event {
	return incidents.Event{At: clock(when), Data: data}
}

func bySender(when string, data incidents.Data) incidents.Event {
	return incidents.Event{At: clock(when), Data: data, Actor: incidents.Actor{Person: incidents.Person{Name: "Alertmanager"}, Via: incidents.FromAlert}}
}

func declared(detection incidents.Detection, times map[incidents.KeyTime]incidents.Instant) incidents.Declared {
	return incidents.Declared{Title: "Offers are missing", Severity: incidents.Sev2, Status: incidents.Investigating, Detection: detection, Times: times}
}

func draft(t *testing.T, alerts []incidents.Alert, events ...incidents.Event) postmortem.Document {
	t.Helper()
	inc, events := logOf(t, events...)
	return postmortem.DraftOf(postmortem.Input{Incident: inc, Events: events, Alerts: alerts, Now: clock("23:00:00")})
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	noticed := map[incidents.KeyTime]incidents.Instant{
		incidents.Detected:   at("12:00:00", incidents.ToMinute),
		incidents.DeclaredAt: at("12:10:00", incidents.ToSecond),
	}
	onlyDeclared := map[incidents.KeyTime]incidents.Instant{incidents.DeclaredAt: at("12:10:00", incidents.ToSecond)}
	fired := func(when string) incidents.Event {
		return bySender(when, incidents.AlertsReceived{Group: "g", Fired: 1, Firing: 1, Names: []string{"PoolExhausted"}})
	}
	alert := func(starts, received string) incidents.Alert {
		return incidents.Alert{Labels: map[string]string{"alertname": "OffersEmpty"}, StartsAt: clock(starts), ReceivedAt: clock(received)}
	}
	type want struct {
		First postmortem.Noticer
		Gap   incidents.GapKind
		Ahead any
		Text  string
	}
	for _, tt := range []struct {
		name   string
		alerts []incidents.Alert
		events []incidents.Event
		want   want
	}{
		{
			"a person, and never an alert", nil,
			[]incidents.Event{happened("12:10:00", declared(incidents.ByEmployee, noticed))},
			want{postmortem.PersonFirst, incidents.GapNoAlert, nil, "A person noticed this before any alert did (employee). No alert fired before 2026-03-29 12:00 UTC; monitoring would not have told."},
		},
		{
			"a person, of whom only the report is known", nil,
			[]incidents.Event{happened("12:10:00", declared(incidents.ByCustomer, onlyDeclared))},
			want{postmortem.PersonFirst, incidents.GapNoAlert, nil, "A person noticed this before any alert did (customer). No alert fired before 2026-03-29 12:10:00 UTC; monitoring would not have told."},
		},
		{
			"a person, then an alert", nil,
			[]incidents.Event{happened("12:10:00", declared(incidents.ByEmployee, noticed)), fired("12:25:00")},
			want{postmortem.PersonFirst, incidents.GapTooSlow, -1500.0, "A person noticed this before any alert did (employee). No alert fired before 2026-03-29 12:00 UTC; the first (PoolExhausted) fired at 2026-03-29 12:25:00 UTC, about 25 min later. Monitoring would have told, but late."},
		},
		{
			"a person, though an alert was firing",
			[]incidents.Alert{alert("11:45:00", "12:25:00")},
			[]incidents.Event{happened("12:10:00", declared(incidents.ByEmployee, noticed)), fired("12:25:00")},
			want{postmortem.PersonFirst, incidents.GapLostInNoise, 900.0, "A person reported this first (employee), at 2026-03-29 12:00 UTC. An alert (OffersEmpty) had been firing since 2026-03-29 11:45:00 UTC, about 15 min before: monitoring knew, and nobody acted on it."},
		},
		{
			"an alert", nil,
			[]incidents.Event{bySender("12:00:00", declared(incidents.ByAlert, nil)), fired("12:00:00"), happened("12:04:00", incidents.UpdatePosted{Text: "looking"})},
			want{postmortem.AlertFirst, "", 240.0, "An alert noticed it first (PoolExhausted), at 2026-03-29 12:00:00 UTC, 4 min before a person first acted on it."},
		},
		{
			"an alert whose sender has a clock of 1970",
			[]incidents.Alert{{StartsAt: time.Unix(0, 0), ReceivedAt: clock("12:00:00")}, alert("13:00:00", "12:00:00")},
			[]incidents.Event{bySender("12:00:00", declared(incidents.ByAlert, nil)), fired("12:00:00")},
			want{postmortem.AlertFirst, "", nil, "An alert noticed it first (PoolExhausted), at 2026-03-29 12:00:00 UTC. No person has acted on it in Houston yet."},
		},
		{
			"an alert that nobody has seen", nil,
			[]incidents.Event{happened("12:00:00", declared(incidents.BySLO, noticed))},
			want{postmortem.AlertFirst, "", nil, "An alert noticed it first, it is said (slo). Houston received no alert of it."},
		},
		{
			"an alert that came later", nil,
			[]incidents.Event{happened("12:00:00", declared(incidents.ByAlert, noticed)), fired("12:02:00")},
			want{postmortem.AlertFirst, "", -120.0, "An alert is said to have noticed it first (alert), but a person acted at 2026-03-29 12:00:00 UTC and the first alert (PoolExhausted) fired 2 min later."},
		},
		{
			"nobody knows", nil,
			[]incidents.Event{happened("12:00:00", declared("", noticed))},
			want{postmortem.NobodyKnows, "", nil, "Nobody has said who or what noticed this first."},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := draft(t, tt.alerts, tt.events...).Verdict
			got := want{First: v.First, Gap: v.Gap, Text: v.Text}
			if v.AheadSeconds != nil {
				got.Ahead = *v.AheadSeconds
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// An empty section has its question, and no document has a root cause.
func TestEmptySectionsAsk(t *testing.T) {
	t.Parallel()
	doc := draft(t, nil, happened("12:00:00", declared(incidents.ByEmployee, nil)))
	asked := map[postmortem.SectionID]bool{}
	for _, s := range doc.Sections {
		asked[s.ID] = s.Question != ""
		if s.Title == "" || strings.Contains(strings.ToLower(s.Title+s.Question), "root cause") {
			t.Errorf("%s: title %q, question %q", s.ID, s.Title, s.Question)
		}
	}
	if diff := cmp.Diff(map[postmortem.SectionID]bool{
		postmortem.Summary: false, postmortem.ImpactSection: true, postmortem.DetectionSection: true, postmortem.Trigger: true,
		postmortem.ContributingFactors: true, postmortem.Response: true, postmortem.WentWell: true, postmortem.WentPoorly: true,
		postmortem.Lucky: true, postmortem.TimelineSection: false, postmortem.MonitoringGaps: false, postmortem.ActionItems: true,
		postmortem.CommunicationSent: true, postmortem.Background: true, postmortem.OpenQuestions: true, postmortem.Lessons: true,
		postmortem.InternalMessage: false, postmortem.PublicMessage: true, postmortem.EvidenceSection: true, postmortem.ReviewSection: true,
	}, asked); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}

func TestKindsOfTheTimeline(t *testing.T) {
	t.Parallel()
	note := func(kind incidents.EntryKind, text string) incidents.Event {
		return happened("12:30:00", incidents.Noted{Kind: kind, Text: text})
	}
	doc := draft(t, nil,
		happened("12:00:00", declared(incidents.ByEmployee, nil)),
		note(incidents.Observation, "Restarted the broker"),
		note(incidents.Hypothesis, "Restarting the broker helps"),
		note(incidents.Observation, "Restarted by itself, we saw"),
		happened("12:31:00", incidents.Amended{Seq: 4, Kind: incidents.Observation}),
		note(incidents.Action, "Called the vendor"),
		note(incidents.Observation, "Offers are back"),
	)
	got := map[int64]incidents.EntryKind{}
	for _, e := range doc.Facts.Timeline {
		got[e.Seq] = e.Kind
	}
	if diff := cmp.Diff(map[int64]incidents.EntryKind{
		1: incidents.StateChange, 2: incidents.Action, 3: incidents.Hypothesis, 4: incidents.Observation,
		6: incidents.Action, 7: incidents.Observation,
	}, got); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
}

func TestCommunication(t *testing.T) {
	t.Parallel()
	publish := func(text string) incidents.NoticePublished {
		return incidents.NoticePublished{Title: "Some offers are missing", Status: incidents.NoticeInvestigating, Text: text}
	}
	doc := draft(t, nil,
		happened("12:00:00", declared(incidents.ByEmployee, nil)),
		happened("12:05:00", publish("We look into it")),
		happened("12:06:00", incidents.UpdatePosted{Text: "Restarting"}),
		happened("12:07:00", publish("Wrong text")),
		happened("12:08:00", incidents.NoticeWithdrawn{Seq: 4}),
		happened("12:09:00", incidents.UpdatePosted{Text: "A secret"}),
		happened("12:10:00", incidents.Redacted{Seq: 6}),
		happened("12:11:00", incidents.Amended{Seq: 3, Text: "Restarting the broker"}),
	)
	withdrawn := clock("12:08:00")
	want := []postmortem.Message{
		{Where: postmortem.OnStatusPage, Status: incidents.NoticeInvestigating, Text: "We look into it", At: clock("12:05:00")},
		{Where: postmortem.InChannel, Text: "Restarting the broker", At: clock("12:06:00")},
		{Where: postmortem.OnStatusPage, Status: incidents.NoticeInvestigating, Text: "Wrong text", At: clock("12:07:00"), WithdrawnAt: &withdrawn},
	}
	if diff := cmp.Diff(want, doc.Communication); diff != "" {
		t.Errorf("communication (-want +got):\n%s", diff)
	}
}

func TestGapAndItsAction(t *testing.T) {
	t.Parallel()
	times := map[incidents.KeyTime]incidents.Instant{
		incidents.FirstEvidence: at("11:30:00", incidents.ToSecond), incidents.Detected: at("12:00:00", incidents.ToSecond),
	}
	item := incidents.ActionItem{ID: 2, Text: "Alert on missing offers", Type: incidents.Detect, Gap: true, Proposed: true, Answers: []string{incidents.AnswersGap(1)}}
	doc := draft(t, nil,
		happened("12:00:00", declared(incidents.ByPartner, times)),
		happened("12:40:00", incidents.ActionAdded{Item: incidents.ActionItem{
			ID: 1, Text: "Own pool for slow requests", Type: incidents.Prevent, Owner: incidents.Person{ID: "U2", Name: "Ben"}, Due: "2026-04-10",
		}}),
		happened("12:41:00", incidents.GapAdded{Gap: incidents.Gap{ID: 1, Kind: incidents.GapNoAlert, Signal: "Offers are missing", State: incidents.GapOpen}}),
		happened("12:41:00", incidents.ActionAdded{Item: item}),
	)
	lost, id := 1800.0, int64(2)
	if diff := cmp.Diff([]postmortem.Gap{{
		ID: 1, Signal: "Offers are missing", Type: incidents.GapNoAlert, SecondsLost: &lost, Action: &id, State: incidents.GapOpen,
		Labels: []postmortem.Tag{}, Checks: []incidents.GapCheck{},
	}}, doc.Gaps); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]postmortem.ActionItem{
		{ID: 1, Text: "Own pool for slow requests", Type: incidents.Prevent, Owner: &incidents.Person{ID: "U2", Name: "Ben"}, Due: "2026-04-10", State: incidents.ActionOpen, Answers: []string{}},
		{ID: 2, Text: "Alert on missing offers", Type: incidents.Detect, Gap: true, Proposed: true, State: incidents.ActionOpen, Answers: []string{"gap:1"}},
	}, doc.Actions); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	times[incidents.FirstEvidence], times[incidents.ImpactStart] = at("12:30:00", incidents.ToSecond), at("12:40:00", incidents.ToSecond)
	if gaps := draft(t, nil, happened("12:00:00", declared(incidents.ByPartner, times))).Gaps; len(gaps) != 1 || gaps[0].SecondsLost != nil || gaps[0].AtMostSeconds != nil {
		t.Errorf("got gaps %+v of times that contradict each other, want one of unknown length", gaps)
	}
	drill := declared(incidents.ByPartner, times)
	drill.Drill = true
	if gaps := draft(t, nil, happened("12:00:00", drill)).Gaps; len(gaps) != 0 {
		t.Errorf("got gaps %+v of a drill, want none", gaps)
	}
}

// section gives the text of one section, a line each.
func section(doc postmortem.Document, id postmortem.SectionID) []string {
	var lines []string
	for _, b := range postmortem.BlocksOf(doc.Section(id).Text) {
		lines = append(lines, b.Lines...)
	}
	return lines
}

func TestSectionsFromTheTimeline(t *testing.T) {
	t.Parallel()
	change := func(when, text string) incidents.Event {
		return happened(when, incidents.Noted{Kind: incidents.ChangeEntry, Text: text})
	}
	doc := draft(t, nil,
		happened("12:10:00", declared(incidents.ByChance, map[incidents.KeyTime]incidents.Instant{incidents.Detected: at("12:00:00", incidents.ToMinute)})),
		change("11:50:00", "Released 4.2"), change("12:20:00", "Released 4.3"),
		happened("12:15:00", incidents.Noted{Kind: incidents.Hypothesis, Text: "The pool is too small"}),
		happened("12:20:00", incidents.Noted{Kind: incidents.Observation, Text: "Restarted the broker"}),
		happened("12:25:00", incidents.KeyTimeSet{Key: incidents.MitigatedAt, Instant: at("12:25:00", incidents.ToSecond)}),
	)
	for id, want := range map[postmortem.SectionID][]string{
		postmortem.Summary: {
			"Offers are missing.", "It affected users; since when is not known yet.", "A person noticed it before any alert did (chance).",
			"It was mitigated at 2026-03-29 12:25:00 UTC; the last action noted before that: “Restarted the broker”.",
		},
		postmortem.Trigger:             {"Changes in the day before; each may be the trigger, or not:", "2026-03-29 11:50:00 UTC: Released 4.2"},
		postmortem.ContributingFactors: {"Hypotheses noted during the incident; keep what proved true:", "2026-03-29 12:15:00 UTC: The pool is too small"},
		postmortem.Response:            {"Actions noted during the incident:", "2026-03-29 12:20:00 UTC: Restarted the broker"},
		postmortem.WentPoorly:          {"Monitoring told nobody: a person had to notice and report it."},
		postmortem.Lucky:               {"It was noticed by chance."},
	} {
		if diff := cmp.Diff(want, section(doc, id)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}
