package postmortem_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

func TestTimeInEachSeverity(t *testing.T) {
	t.Parallel()
	begin := happened("12:00:00", declared(incidents.ByEmployee, nil)) // sev2
	rated := func(when string, from, to incidents.Severity) incidents.Event {
		return happened(when, incidents.SeverityChanged{From: from, To: to})
	}
	status := func(when string, from, to incidents.Status) incidents.Event {
		return happened(when, incidents.StatusChanged{From: from, To: to})
	}
	reached := func(when string, key incidents.KeyTime, precision incidents.Precision) incidents.Event {
		return happened(when, incidents.KeyTimeSet{Key: key, Instant: at(when, precision)})
	}
	forgot := func(when string, key incidents.KeyTime) incidents.Event {
		return happened(when, incidents.KeyTimeSet{Key: key})
	}
	const s = incidents.ToSecond
	type row struct {
		Severity         incidents.Severity
		Seconds          any
		Text, Definition string
	}
	for _, tt := range []struct {
		name   string
		events []incidents.Event
		want   []row
	}{
		{"still open", []incidents.Event{begin}, []row{
			{"sev2", nil, "n/a (not over yet)", "while it had this severity, from declared until mitigated"},
		}},
		{"still open, raised before", []incidents.Event{begin, rated("12:10:30", "sev2", "sev1")}, []row{
			{"sev2", 630.0, "10 min 30 s", "while it had this severity, from declared until mitigated"},
			{"sev1", nil, "n/a (not over yet)", "while it had this severity, from declared until mitigated"},
		}},
		{"the same twice, mitigated before it was lowered", []incidents.Event{
			begin, rated("12:10:00", "sev2", "sev1"), rated("12:20:00", "sev1", "sev2"), reached("12:25:00", incidents.MitigatedAt, s),
			rated("12:30:00", "sev2", "sev4"), status("12:40:00", incidents.Monitoring, incidents.Resolved), reached("12:40:00", incidents.ResolvedAt, s),
		}, []row{
			{"sev2", 900.0, "15 min", "while it had this severity, from declared until mitigated"},
			{"sev1", 600.0, "10 min", "while it had this severity, from declared until mitigated"},
			{"sev4", nil, "n/a (given after it was mitigated)", "while it had this severity, from declared until mitigated"},
		}},
		{"resolved, never mitigated, to the minute", []incidents.Event{
			begin, status("12:40:00", incidents.Investigating, incidents.Resolved), reached("12:40:20", incidents.ResolvedAt, incidents.ToMinute),
		}, []row{{"sev2", 2400.0, "about 40 min", "while it had this severity, from declared until resolved"}}},
		{"resolved, and nobody knows when", []incidents.Event{
			begin, status("12:40:00", incidents.Investigating, incidents.Resolved), reached("12:40:00", incidents.ResolvedAt, s), forgot("12:41:00", incidents.ResolvedAt),
		}, []row{{"sev2", nil, "n/a (mitigated and resolved unknown)", "while it had this severity, from declared until mitigated"}}},
		{"mitigated before it was declared", []incidents.Event{begin, reached("11:50:00", incidents.MitigatedAt, s)}, []row{
			{"sev2", nil, "n/a (given after it was mitigated)", "while it had this severity, from declared until mitigated"},
		}},
		{"over within the second", []incidents.Event{begin, reached("12:00:00", incidents.MitigatedAt, s)}, []row{
			{"sev2", 0.0, "0 s", "while it had this severity, from declared until mitigated"},
		}},
		{"re-opened", []incidents.Event{
			begin, reached("12:20:00", incidents.MitigatedAt, s), status("12:30:00", incidents.Monitoring, incidents.Resolved), reached("12:30:00", incidents.ResolvedAt, s),
			status("13:00:00", incidents.Resolved, incidents.Investigating), forgot("13:00:00", incidents.MitigatedAt), forgot("13:00:00", incidents.ResolvedAt),
			rated("13:05:00", "sev2", "sev1"), reached("13:15:00", incidents.MitigatedAt, s),
		}, []row{
			{"sev2", 1500.0, "25 min", "while it had this severity, from declared until mitigated, less the time until it was re-opened"},
			{"sev1", 600.0, "10 min", "while it had this severity, from declared until mitigated, less the time until it was re-opened"},
		}},
		{"declined", []incidents.Event{begin, status("12:05:00", incidents.Triage, incidents.Declined)}, []row{
			{"sev2", 300.0, "5 min", "while it had this severity, from declared until declined"},
		}},
		{"merged", []incidents.Event{begin, happened("12:07:00", incidents.MergedInto{From: incidents.Investigating, Into: 2})}, []row{
			{"sev2", 420.0, "7 min", "while it had this severity, from declared until merged"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inc, events := logOf(t, tt.events...)
			got := []row{}
			for _, d := range postmortem.SeverityDurations(inc, events, postmortem.English) {
				r := row{Severity: d.Severity, Text: d.Text, Definition: d.Definition}
				if d.Seconds != nil {
					r.Seconds = *d.Seconds
				}
				got = append(got, r)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("time in each severity (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSeverityDurationsSumUp lives random lives and counts each second of them:
// those between the declaration and the end, less those in which it was over.
func TestSeverityDurationsSumUp(t *testing.T) {
	t.Parallel()
	begin := clock("00:00:00")
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		now, inc := 0, incidents.Incident{}
		after := func() time.Time { return begin.Add(time.Duration(now) * time.Second) }
		var events []incidents.Event
		add := func(data incidents.Data, at time.Time) {
			e := incidents.Event{Incident: 1, Seq: int64(len(events) + 1), At: at, RecordedAt: after(), Precision: incidents.ToSecond, Data: data}
			if err := inc.Apply(e); err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
		}
		set := func(key incidents.KeyTime, at time.Time) {
			add(incidents.KeyTimeSet{Key: key, Instant: incidents.Instant{At: at, Precision: incidents.ToSecond}}, at)
		}
		add(declared(incidents.ByEmployee, nil), begin)
		impactEnd := func() time.Time { // as it stands now
			for _, key := range []incidents.KeyTime{incidents.MitigatedAt, incidents.ResolvedAt} {
				if at, ok := inc.Times[key]; ok {
					return at.At
				}
			}
			return time.Time{}
		}
		over := map[int]bool{} // seconds in which it was over, and open again later
		for range r.IntN(12) {
			now += r.IntN(100)
			ago := after().Add(-time.Duration(r.IntN(now+50)) * time.Second) // people say when, sometimes of a time before all this
			switch r.IntN(6) {
			case 0, 1:
				to := incidents.Severities()[r.IntN(4)]
				add(incidents.SeverityChanged{From: inc.Severity, To: to}, after())
			case 2:
				set(incidents.MitigatedAt, ago)
			case 3:
				if inc.Status.Open() {
					add(incidents.StatusChanged{From: inc.Status, To: incidents.Resolved}, ago)
					set(incidents.ResolvedAt, ago)
				}
			case 4:
				if inc.Status.Open() {
					continue
				}
				for second := range now {
					if at := begin.Add(time.Duration(second) * time.Second); !at.Before(impactEnd()) {
						over[second] = true
					}
				}
				add(incidents.StatusChanged{From: inc.Status, To: incidents.Investigating}, after())
				add(incidents.KeyTimeSet{Key: incidents.MitigatedAt}, after())
				add(incidents.KeyTimeSet{Key: incidents.ResolvedAt}, after())
			case 5:
				if inc.Status.Open() && r.IntN(3) == 0 {
					add(incidents.StatusChanged{From: inc.Status, To: incidents.Declined}, after())
					set(incidents.ResolvedAt, after())
				}
			}
		}
		end := impactEnd()
		sum, unknown := 0.0, ""
		for _, d := range postmortem.SeverityDurations(inc, events, postmortem.English) {
			switch {
			case d.Seconds == nil:
				unknown += fmt.Sprintf("%s %s; ", d.Severity, d.Text)
			case *d.Seconds < 0:
				t.Fatalf("seed %d: %s took %s", seed, d.Severity, d.Text)
			default:
				sum += *d.Seconds
			}
		}
		if end.IsZero() {
			if unknown == "" {
				t.Fatalf("seed %d: it is not over, and every severity is", seed)
			}
			continue
		}
		want := 0.0
		for second := range 20 * 100 {
			if begin.Add(time.Duration(second)*time.Second).Before(end) && !over[second] {
				want++
			}
		}
		if sum != want {
			t.Fatalf("seed %d: got %v seconds in all severities, want %v (%s)", seed, sum, want, unknown)
		}
	}
}
