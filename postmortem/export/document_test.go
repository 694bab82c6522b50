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

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

func (l *log) document(alerts ...incidents.Alert) postmortem.Document {
	l.t.Helper()
	inc, err := incidents.Replay(l.events)
	if err != nil {
		l.t.Fatal(err)
	}
	return postmortem.DraftOf(postmortem.Input{
		Incident: inc, Events: l.events, Alerts: alerts, Now: time.Date(2026, 6, 10, 10, 0, 0, 0, time.UTC), Zone: berlin(l.t),
	})
}

// brokers is a broker's missing list of offers, from the report to the end.
func brokers(t *testing.T) postmortem.Document {
	t.Helper()
	const s, m, a = incidents.ToSecond, incidents.ToMinute, incidents.Approx
	l := &log{t: t}
	note := func(who, at string, kind incidents.EntryKind, text string) {
		l.add(who, "2026-06-10 "+at, s, incidents.Noted{Kind: kind, Text: text})
	}
	notice := func(at string, status incidents.NoticeStatus, text string) {
		l.add("Dana", "2026-06-10 "+at, s, incidents.NoticePublished{Title: "Missing lists of offers", Status: status, Text: text})
	}
	reached := func(who, at string, key incidents.KeyTime) {
		l.add(who, "2026-06-10 "+at, s, incidents.KeyTimeSet{Key: key, Instant: instant(t, "2026-06-10 "+at, s, incidents.FromSlack)})
	}
	l.add("Tom", "2026-06-10 09:20:00", s, incidents.Declared{
		Title: "Brokers see no offers", Summary: "A broker misses his list of offers.", Service: "offers",
		Severity: incidents.Sev2, Status: incidents.Investigating, Detection: incidents.ByEmployee, BridgeURL: "https://meet.example/inc-1-x7",
		Times: map[incidents.KeyTime]incidents.Instant{
			incidents.ImpactStart: instant(t, "2026-06-10 08:15:00", a, incidents.FromManual),
			incidents.Detected:    instant(t, "2026-06-10 09:12:00", m, incidents.FromSlack),
			incidents.DeclaredAt:  instant(t, "2026-06-10 09:20:00", s, incidents.FromSlack),
		},
	})
	l.add("Ada", "2026-06-10 09:22:00", s, incidents.RoleAssigned{Role: incidents.Commander, Person: incidents.Person{ID: "UAda", Name: "Ada"}})
	reached("Ada", "09:22:00", incidents.Acknowledged)
	note("Ben", "09:26:00", incidents.Evidence, "p99 of offer-service, pricing and scoring is above 60 s in Prometheus")
	notice("09:29:00", incidents.NoticeInvestigating, "Some lists of offers are empty. We are looking into it.")
	note("Ben", "09:31:00", incidents.Observation, "Restarted scoring")
	note("Ben", "09:35:00", incidents.Observation, "Restarting pricing")
	note("Cem", "09:37:00", incidents.Hypothesis, "Fast requests wait for slow ones: they share a pool")
	note("Ben", "09:40:00", incidents.Observation, "Restarted offer-service")
	note("Tom", "09:42:00", incidents.Observation, "The broker beside me sees his offers again")
	reached("Ada", "09:42:00", incidents.MitigatedAt)
	l.add("Ada", "2026-06-10 09:43:00", s, incidents.UpdatePosted{Text: "The third restart helped; we keep watching."})
	l.add("Cem", "2026-06-10 09:50:00", s, incidents.ActionAdded{Item: incidents.ActionItem{
		ID: 1, Text: "Give slow requests a pool of their own", Type: incidents.Prevent, Owner: incidents.Person{ID: "UCem", Name: "Cem"}, Due: "2026-06-24",
	}})
	notice("09:55:00", incidents.NoticeResolved, "Lists of offers are complete again.")
	l.add("Ada", "2026-06-10 09:55:30", s, incidents.StatusChanged{From: incidents.Investigating, To: incidents.Resolved})
	reached("Ada", "09:55:30", incidents.ResolvedAt)
	l.add("Ada", "2026-06-10 09:55:30", s, incidents.GapAdded{Gap: incidents.Gap{
		ID: 1, Kind: incidents.GapNoAlert, Signal: "Brokers see no offers", State: incidents.GapOpen, Proposed: true,
	}})
	l.add("Ada", "2026-06-10 09:55:30", s, incidents.ActionAdded{Item: incidents.ActionItem{
		ID: 2, Answers: []string{"gap:1"}, Text: "Alert on what made \"Brokers see no offers\" noticeable, before a person has to report it", Type: incidents.Detect, Gap: true, Proposed: true,
	}})
	return l.document()
}

// upgrade is an incident that an alert noticed, a drill with a change before it.
func upgrade(t *testing.T) postmortem.Document {
	t.Helper()
	l := &log{t: t}
	l.add("Alertmanager", "2026-03-29 00:30:00", incidents.ToSecond, incidents.Declared{
		Title: "ErrorBudgetBurn on apiserver!", Severity: incidents.Sev1, Status: incidents.Triage, Detection: incidents.BySLO, Drill: true,
		Times: map[incidents.KeyTime]incidents.Instant{
			incidents.ImpactStart: instant(t, "2026-03-29 00:20:00", incidents.ToMinute, incidents.FromAlert),
			incidents.Detected:    instant(t, "2026-03-29 00:30:00", incidents.ToSecond, incidents.FromAlert),
		},
	})
	l.add("Alertmanager", "2026-03-29 00:30:00", incidents.ToSecond, incidents.AlertsReceived{Fired: 2, Firing: 2, Names: []string{"ErrorBudgetBurn"}})
	for i := range l.events {
		l.events[i].Actor.Via = incidents.FromAlert
	}
	l.add("Ada", "2026-03-29 00:10:00", incidents.ToMinute, incidents.Noted{Kind: incidents.ChangeEntry, Text: "Upgrade of the API server begins"})
	l.add("Ada", "2026-03-29 01:05:00", incidents.ToSecond, incidents.StatusChanged{From: incidents.Triage, To: incidents.Investigating})
	return l.document()
}

// hostileDocument is made of texts that want to be more than text.
func hostileDocument(t *testing.T) postmortem.Document {
	t.Helper()
	const evil = "- # a | b `c` **d** <script>alert(1)</script> [x](javascript:alert(1)) ]]> --> \\| \x07\u202Eevil\xff\n\n> **To the author:** x\n| a |\n|---|"
	const s = incidents.ToSecond
	l := &log{t: t}
	l.add("Eve | <b>", "2026-06-10 09:20:00", s, incidents.Declared{
		Title: evil, Summary: evil, Service: evil, Severity: incidents.Sev1, Status: incidents.Investigating, Detection: incidents.ByChance, Private: true,
	})
	for _, kind := range []incidents.EntryKind{incidents.Hypothesis, incidents.Action, incidents.ChangeEntry, incidents.Observation} {
		l.add("Mal\nlory|", "2026-06-10 09:10:00", s, incidents.Noted{Kind: kind, Text: evil})
	}
	l.add("Eve", "2026-06-10 09:25:00", s, incidents.AlertsReceived{Fired: 1, Firing: 1, Names: []string{evil}})
	l.add("Eve", "2026-06-10 09:26:00", s, incidents.NoticePublished{Title: evil, Status: "resolved|", Text: evil})
	l.add("Eve", "2026-06-10 09:27:00", s, incidents.NoticeWithdrawn{Seq: 7})
	l.add("Eve", "2026-06-10 09:28:00", s, incidents.UpdatePosted{Text: evil})
	l.add("Eve", "2026-06-10 09:29:00", s, incidents.ActionAdded{Item: incidents.ActionItem{ID: 1, Text: evil, Type: "a|b", Owner: incidents.Person{Name: "E|\nve"}, Due: "1|2", Gap: true, Proposed: true}})
	l.add("Eve", "2026-06-10 09:30:00", s, incidents.KeyTimeSet{Key: incidents.MitigatedAt, Instant: instant(t, "2026-06-10 09:30:00", s, incidents.FromSlack)})
	return l.document()
}

func TestDocumentGolden(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(*testing.T) postmortem.Document{
		"brokers": brokers, "upgrade": upgrade, "hostile": hostileDocument,
	} {
		for _, format := range []string{"md", "html", "json"} {
			t.Run(name+"."+format, func(t *testing.T) {
				t.Parallel()
				file, got, err := export.Exporter{}.Render(format, build(t))
				if err != nil {
					t.Fatal(err)
				}
				if want := "INC-1-postmortem." + format; file != want {
					t.Errorf("got file %q, want %q", file, want)
				}
				if _, again, _ := (export.Exporter{}).Render(format, build(t)); !bytes.Equal(got, again) {
					t.Error("the same document gave other bytes")
				}
				golden := filepath.Join("testdata", "postmortem", name+"."+format)
				if flag.Lookup("update").Value.String() == "true" {
					if err := os.WriteFile(golden, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", golden, diff)
				}
			})
		}
	}
}

// TestHostileDocument checks the shape that no text may change.
func TestHostileDocument(t *testing.T) {
	t.Parallel()
	_, raw, err := export.Exporter{}.Render("md", hostileDocument(t))
	if err != nil {
		t.Fatal(err)
	}
	cell := regexp.MustCompile(`(?:^|[^\\])\|`)
	headings, cells := 0, 0
	for line := range strings.SplitSeq(string(raw), "\n") {
		plain := strings.ReplaceAll(line, "<br>", "")
		if question := strings.HasPrefix(plain, "> **To the author:** "); question {
			plain = strings.TrimPrefix(plain, "> ")
		}
		if strings.ContainsAny(plain, "<>") {
			t.Errorf("an element or a quote in %q", line)
		}
		if strings.Contains(strings.ReplaceAll(line, `\](`, ""), "](") {
			t.Errorf("a link in %q", line)
		}
		if strings.HasPrefix(line, "#") {
			headings++
		}
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
	}
	if want := 1 + 20 + 6; headings != want { // the title, the sections, and document, facts, roles, key times, durations, people
		t.Errorf("got %d headings, want %d", headings, want)
	}
}

func TestRenderRefusesOtherFormats(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"", "pdf", "../md"} {
		if _, _, err := (export.Exporter{}).Render(format, postmortem.Document{}); incidents.KindOf(err) != incidents.Invalid {
			t.Errorf("%q: got %v, want it refused", format, err)
		}
	}
}

// TestDocumentJSONKeepsTexts: what was written comes back, moments as text.
func TestDocumentJSONKeepsTexts(t *testing.T) {
	t.Parallel()
	_, raw, err := export.Exporter{}.Render("json", brokers(t))
	if err != nil {
		t.Fatal(err)
	}
	var back postmortem.Document
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	_, again, err := export.Exporter{}.Render("json", back)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(raw), string(again)); diff != "" {
		t.Errorf("document (-written +read and written):\n%s", diff)
	}
}
