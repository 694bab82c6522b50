package export_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // Berlin's clocks on any machine

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// TestMain registers -update, which rewrites the golden files.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "rewrite golden files")
	flag.Parse()
	os.Exit(m.Run())
}

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// log builds an incident from events.
type log struct {
	t      *testing.T
	events []incidents.Event
}

func (l *log) add(actor string, at string, precision incidents.Precision, data incidents.Data) {
	l.t.Helper()
	when, err := time.Parse("2006-01-02 15:04:05", at)
	if err != nil {
		l.t.Fatal(err)
	}
	l.events = append(l.events, incidents.Event{
		Incident: 1, Seq: int64(len(l.events) + 1), At: when, RecordedAt: when, Precision: precision, Data: data,
		Actor: incidents.Actor{Person: incidents.Person{ID: "U" + actor, Name: actor}, Via: incidents.FromSlack},
	})
}

func (l *log) facts() postmortem.Facts {
	l.t.Helper()
	inc, err := incidents.Replay(l.events)
	if err != nil {
		l.t.Fatal(err)
	}
	return postmortem.FactsOf(inc, l.events)
}

func instant(t *testing.T, at string, precision incidents.Precision, source incidents.Source) incidents.Instant {
	t.Helper()
	when, err := time.Parse("2006-01-02 15:04:05", at)
	if err != nil {
		t.Fatal(err)
	}
	return incidents.Instant{At: when, Precision: precision, Source: source}
}

// offers is a broker's missing list of offers.
func offers(t *testing.T) postmortem.Facts {
	t.Helper()
	const s, m, a = incidents.ToSecond, incidents.ToMinute, incidents.Approx
	l := &log{t: t}
	l.add("Tom", "2026-06-10 09:20:00", s, incidents.Declared{
		Title: "Brokers see no offers", Summary: "A broker misses his list of offers.\nOthers may too.", Service: "offers",
		Severity: incidents.Sev3, Status: incidents.Investigating, Detection: incidents.ByPartner, BridgeURL: "https://meet.example/inc-1-x7",
		Times: map[incidents.KeyTime]incidents.Instant{
			incidents.ImpactStart: instant(t, "2026-06-10 08:15:00", a, incidents.FromManual),
			incidents.Detected:    instant(t, "2026-06-10 09:05:00", m, incidents.FromSlack),
			incidents.DeclaredAt:  instant(t, "2026-06-10 09:20:00", s, incidents.FromSlack),
		},
	})
	l.add("Houston", "2026-06-10 09:20:01", s, incidents.ChannelOpened{Channel: incidents.Channel{ID: "C1", Name: "inc-1-brokers-see-no-offers"}})
	l.add("Ada", "2026-06-10 09:22:00", s, incidents.RoleAssigned{Role: incidents.Commander, Person: incidents.Person{ID: "UAda", Name: "Ada"}})
	l.add("Ada", "2026-06-10 09:23:10", s, incidents.SeverityChanged{From: incidents.Sev3, To: incidents.Sev2})
	l.add("Ben", "2026-06-10 09:40:00", m, incidents.Noted{
		Kind: incidents.Action, Text: "Restarted the third service", Permalink: "https://chat.example/archives/C1/p1(2)|3",
	})
	l.add("Ben", "2026-06-10 09:30:00", m, incidents.Noted{Kind: incidents.Hypothesis, Text: "Slow requests hold the connections"})
	l.add("Ben", "2026-06-10 09:41:00", s, incidents.KeyTimeSet{
		Key: incidents.MitigatedAt, Instant: instant(t, "2026-06-10 09:41:00", s, incidents.FromSlack),
	})
	return l.facts()
}

// clocksGoBack spans the hour that Berlin has twice.
func clocksGoBack(t *testing.T) postmortem.Facts {
	t.Helper()
	l := &log{t: t}
	l.add("Ada", "2026-10-25 00:30:00", incidents.ToSecond, incidents.Declared{
		Title: "Night run stuck", Severity: incidents.Sev2, Status: incidents.Investigating, Detection: incidents.ByEmployee, Drill: true,
		Times: map[incidents.KeyTime]incidents.Instant{
			incidents.ImpactStart: instant(t, "2026-10-24 22:00:00", incidents.ToDay, incidents.FromManual),
			incidents.Detected:    instant(t, "2026-10-25 01:30:00", incidents.ToSecond, incidents.FromSlack),
			incidents.MitigatedAt: instant(t, "2026-10-25 00:30:00", incidents.ToSecond, incidents.FromSlack),
		},
	})
	l.add("Ada", "2026-10-25 01:30:00", incidents.ToSecond, incidents.Noted{Kind: incidents.Observation, Text: "One hour later by the sun, the same by the clock"})
	return l.facts()
}

// hostile is an incident whose every text wants to be more than text.
func hostile(t *testing.T) postmortem.Facts {
	t.Helper()
	const evil = "# a | b `c` **d** <script>alert(1)</script> &lt; [x](javascript:alert(1)) ![i](http://e/p.png) ]]> --> $x^2$ ~~e~~ \\| \x07\u202Eevil\u202C שלום \xff"
	l := &log{t: t}
	l.add("Eve | <b>", "2026-06-10 09:20:00", incidents.ToSecond, incidents.Declared{
		Title: "#\n" + evil, Summary: "- " + evil + "\r\n# heading\n---\n\u2028```\n| a | b |", Service: evil, Severity: incidents.Sev1,
		Status: incidents.Triage, Detection: incidents.ByAlert, Private: true, BridgeURL: "javascript:alert(1)|<x>",
	})
	l.add("", "2026-06-10 09:21:00", incidents.ToSecond, incidents.Noted{Kind: "x|y", Text: "1. " + evil + "\n\n| a |\n|---|", Permalink: "data:text/html,<script>"})
	l.add("Mallory", "2026-06-10 09:22:00", incidents.ToSecond, incidents.RoleAssigned{
		Role: incidents.Scribe, Person: incidents.Person{ID: "U|", Name: "Mal\nlory|"},
	})
	l.add("Houston", "2026-06-10 09:23:00", incidents.ToSecond, incidents.ChannelOpened{Channel: incidents.Channel{ID: "C1", Name: "inc-1|<x>"}})
	return l.facts()
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(*testing.T) postmortem.Facts{
		"offers": offers, "clocks_go_back": clocksGoBack, "hostile": hostile,
	} {
		for kind, write := range map[string]func(*bytes.Buffer, postmortem.Facts) error{
			"md":     func(b *bytes.Buffer, f postmortem.Facts) error { return export.Markdown(b, f, berlin(t)) },
			"utc.md": func(b *bytes.Buffer, f postmortem.Facts) error { return export.Markdown(b, f, nil) },
			"json":   func(b *bytes.Buffer, f postmortem.Facts) error { return export.JSON(b, f) },
		} {
			t.Run(name+"."+kind, func(t *testing.T) {
				t.Parallel()
				var got, again bytes.Buffer
				if err := write(&got, build(t)); err != nil {
					t.Fatal(err)
				}
				if err := write(&again, build(t)); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Bytes(), again.Bytes()) {
					t.Error("the same facts gave other bytes")
				}
				golden := filepath.Join("testdata", name+"."+kind)
				if flag.Lookup("update").Value.String() == "true" {
					if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got.String()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", golden, diff)
				}
			})
		}
	}
}

// TestHostileTextStaysText checks the document's shape, not its bytes: no
// element but our <br>, no line of a table with more cells than its head, no
// heading, list, rule or fence but ours.
func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := export.Markdown(&b, hostile(t), berlin(t)); err != nil {
		t.Fatal(err)
	}
	cell := regexp.MustCompile(`(?:^|[^\\])\|`)
	cells := 0
	for line := range strings.SplitSeq(b.String(), "\n") {
		if plain := strings.ReplaceAll(line, "<br>", ""); strings.ContainsAny(plain, "<>") {
			t.Errorf("an element in %q", line)
		}
		if strings.Contains(strings.ReplaceAll(line, `\](`, ""), "](") {
			t.Errorf("a link in %q", line)
		}
		for _, r := range line {
			if r < ' ' || r == '\u202E' || r == '\uFFFE' {
				t.Errorf("the character %U in %q", r, line)
			}
		}
		// \\| would be an escaped backslash before a border
		n := len(cell.FindAllString(strings.ReplaceAll(line, `\\`, ""), -1))
		switch {
		case !strings.HasPrefix(line, "|"):
			cells = 0
			if n > 0 {
				t.Errorf("a border in %q", line)
			}
		case cells == 0:
			cells = n
		case n != cells:
			t.Errorf("got %d borders, want %d, in %q", n, cells, line)
		}
		if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "---") || strings.Contains(line, "```") || strings.HasPrefix(line, " ") {
			t.Errorf("structure of its own in %q", line)
		}
	}
	headings := regexp.MustCompile(`(?m)^#.*$`).FindAllString(b.String(), -1)
	if len(headings) != 6 {
		t.Errorf("got headings %q, want the title and five sections", headings)
	}
}

// TestJSONKeepsTexts: what was written comes back as it was.
func TestJSONKeepsTexts(t *testing.T) {
	t.Parallel()
	facts := offers(t)
	facts.Title = "a | <b> \"c\" \u2028 \u202E"
	var b bytes.Buffer
	if err := export.JSON(&b, facts); err != nil {
		t.Fatal(err)
	}
	var back postmortem.Facts
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(facts, back); diff != "" {
		t.Errorf("facts (-written +read):\n%s", diff)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWritingFails(t *testing.T) {
	t.Parallel()
	if err := export.Markdown(full{}, offers(t), nil); err == nil {
		t.Error("got no error from Markdown on a closed file")
	}
	if err := export.JSON(full{}, offers(t)); err == nil {
		t.Error("got no error from JSON on a closed file")
	}
}
