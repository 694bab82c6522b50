package postmortem_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

func at(clock string, precision incidents.Precision) incidents.Instant {
	t, err := time.Parse("15:04:05", clock)
	if err != nil {
		panic(err)
	}
	t = time.Date(2026, 3, 29, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	return incidents.Instant{At: t, Precision: precision, Source: incidents.FromSlack}
}

func TestDurations(t *testing.T) {
	t.Parallel()
	const s, m, a = incidents.ToSecond, incidents.ToMinute, incidents.Approx
	times := map[incidents.KeyTime]incidents.Instant{
		incidents.ImpactStart: at("11:07:00", a), incidents.FirstEvidence: at("11:07:30", s), incidents.Detected: at("12:15:00", s),
		incidents.Paged: at("12:16:00", s), incidents.Acknowledged: at("12:15:30", s),
		incidents.DeclaredAt: at("12:16:05", s), incidents.MitigatedAt: at("12:20:00", m),
	}
	type row struct {
		Name, Definition, Text string
		Seconds                any
		Finding                string
	}
	var got []row
	for _, d := range postmortem.FactsOf(incidents.Incident{Times: times}, nil, postmortem.English).Durations {
		r := row{Name: d.Name, Definition: d.Definition, Text: d.Text, Finding: d.Finding}
		if d.Seconds != nil {
			r.Seconds = *d.Seconds
		}
		got = append(got, r)
	}
	want := []row{
		{"time_to_detect", "detected − start of impact", "about 1 h 8 min", 4080.0, ""},
		{"time_to_acknowledge", "acknowledged − paged", "−30 s", -30.0, "acknowledged lies before paged: one of the two times is wrong"},
		{"time_to_declare", "declared − detected", "1 min 5 s", 65.0, ""},
		{"time_to_mitigate", "mitigated − start of impact", "about 1 h 13 min", 4380.0, ""},
		{"time_to_resolve", "resolved − start of impact", "n/a (resolved unknown)", nil, ""},
		{"response_time", "mitigated − detected", "about 5 min", 300.0, ""},
		{"avoidable_detection_lag", "detected − first evidence", "1 h 7 min 30 s", 4050.0, ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("durations (-want +got):\n%s", diff)
	}
}

func TestUnknownIsNeverZero(t *testing.T) {
	t.Parallel()
	for name, times := range map[string]map[incidents.KeyTime]incidents.Instant{
		"absent":            nil,
		"zero":              {incidents.Detected: {}},
		"said to be so":     {incidents.Detected: {At: time.Now(), Precision: incidents.Unknown}},
		"of no known begin": {incidents.Detected: at("12:00:00", incidents.ToSecond)},
	} {
		facts := postmortem.FactsOf(incidents.Incident{Times: times}, nil, postmortem.English)
		if d := facts.Durations[0]; d.Seconds != nil {
			t.Errorf("%s: got %v seconds, want none", name, *d.Seconds)
		}
		if m := facts.Times[0]; m.At != nil || m.Precision != incidents.Unknown || m.Key != incidents.ImpactStart {
			t.Errorf("%s: got %+v, want an unknown impact_start", name, m)
		}
	}
	if got, want := postmortem.FactsOf(incidents.Incident{}, nil, postmortem.English).Durations[1].Text, "n/a (paged and acknowledged unknown)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSpelling(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		end       string
		precision incidents.Precision
		want      string
	}{
		{"11:00:00", incidents.ToSecond, "0 s"},
		{"11:00:00", incidents.ToMinute, "less than a minute"},
		{"11:00:29", incidents.Approx, "less than a minute"},
		{"11:01:31", incidents.ToMinute, "about 1 min"},
		{"12:00:01", incidents.ToSecond, "1 h 1 s"},
		{"10:30:00", incidents.ToMinute, "about −30 min"},
	} {
		facts := postmortem.FactsOf(incidents.Incident{Times: map[incidents.KeyTime]incidents.Instant{
			incidents.ImpactStart: at("11:00:00", incidents.ToSecond), incidents.Detected: at(tt.end, tt.precision),
		}}, nil, postmortem.English)
		if got := facts.Durations[0].Text; got != tt.want {
			t.Errorf("%s to the %s: got %q, want %q", tt.end, tt.precision, got, tt.want)
		}
	}
}

func TestFactsFollowTheEvents(t *testing.T) {
	t.Parallel()
	when := func(minute int) time.Time { return time.Date(2026, 3, 29, 14, minute, 0, 0, time.UTC) }
	events := []incidents.Event{
		{Seq: 1, At: when(0), Data: incidents.Declared{Title: "A", Severity: incidents.Sev3, Status: incidents.Investigating}},
		{Seq: 2, At: when(1), Data: incidents.SeverityChanged{From: incidents.Sev3, To: incidents.Sev1}},
		{Seq: 3, At: when(2), Data: incidents.Noted{Kind: incidents.Action, Text: "wrong"}},
		{Seq: 4, At: when(3), Data: incidents.Redacted{Seq: 3}},
		{Seq: 5, At: when(4), Data: incidents.RoleAssigned{Role: incidents.Scribe, Person: incidents.Person{ID: "U2", Name: "Ben"}}},
		{Seq: 6, At: when(5), Data: incidents.RoleAssigned{Role: incidents.Commander, Person: incidents.Person{ID: "U1", Name: "Ada"}}},
	}
	inc, err := incidents.Replay(events)
	if err != nil {
		t.Fatal(err)
	}
	facts := postmortem.FactsOf(inc, events, postmortem.English)
	if diff := cmp.Diff([]postmortem.SeveritySince{{incidents.Sev3, when(0)}, {incidents.Sev1, when(1)}}, facts.Severities); diff != "" {
		t.Errorf("severities (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]postmortem.Holder{
		{incidents.Commander, incidents.Person{ID: "U1", Name: "Ada"}}, {incidents.Scribe, incidents.Person{ID: "U2", Name: "Ben"}},
	}, facts.Roles); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
	if got := len(facts.Timeline); got != 4 {
		t.Errorf("got %d entries, want 4 without the redacted one", got)
	}
}
