package export_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// again writes a document, reads it, and writes that.
func again(t *testing.T, doc postmortem.Document) (first string, read postmortem.Document) {
	t.Helper()
	var a, b bytes.Buffer
	if err := export.Markdown(&a, doc); err != nil {
		t.Fatal(err)
	}
	read, err := export.Parse(strings.NewReader(a.String()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, a.String())
	}
	if err := export.Markdown(&b, read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a.String(), b.String()); diff != "" {
		t.Fatalf("Markdown → model → Markdown (-first +again):\n%s", diff)
	}
	return a.String(), read
}

func TestMarkdownComesBack(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(*testing.T) postmortem.Document{"brokers": brokers, "upgrade": upgrade, "hostile": hostileDocument} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			again(t, build(t))
		})
	}
}

// TestWhatIsReadIsTheDocument: it is the model that comes back, not the text.
func TestWhatIsReadIsTheDocument(t *testing.T) {
	t.Parallel()
	doc := brokers(t)
	fill(&doc)
	_, read := again(t, doc)
	for i := range doc.Facts.Timeline { // what a page does not hold
		doc.Facts.Timeline[i].Seq, doc.Facts.Timeline[i].RecordedAt = 0, time.Time{}
		doc.Facts.Timeline[i].Actor.ID = ""
	}
	for _, compared := range []struct {
		name      string
		got, want any
	}{
		{"timeline", read.Facts.Timeline, doc.Facts.Timeline},
		{"key times", read.Facts.Times, doc.Facts.Times},
		{"durations", read.Facts.Durations, doc.Facts.Durations},
		{"time in each severity", read.Facts.SeverityDurations, doc.Facts.SeverityDurations},
		{"impact", read.Impact, doc.Impact},
		{"factors", read.Factors, doc.Factors},
		{"lessons", read.Lessons, doc.Lessons},
		{"links", read.Links, doc.Links},
		{"review", read.Review, doc.Review},
		{"glossary", read.Glossary, doc.Glossary},
		{"gaps", read.Gaps, doc.Gaps},
		{"communication", read.Communication, doc.Communication},
		{"tags", read.Tags, doc.Tags},
		{"services", read.Services, doc.Services},
		{"summary", read.Section(postmortem.Summary).Text, doc.Section(postmortem.Summary).Text},
		{"response", read.Section(postmortem.Response).Text, doc.Section(postmortem.Response).Text},
		{"zone", read.Zone, doc.Zone},
		{"trigger", read.Trigger, doc.Trigger},
	} {
		if diff := cmp.Diff(compared.want, compared.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", compared.name, diff)
		}
	}
}

// fill writes into everything that people can write.
func fill(doc *postmortem.Document) {
	doc.Impact = postmortem.Impact{
		Measures: []postmortem.Measure{{What: "brokers", Value: "120", Unit: "people", OfTotal: "900", Kind: "users", How: "access log", Estimated: true}, {What: "orders", Kind: "requests"}},
		Reason:   "none", DataLoss: postmortem.No, Objective: postmortem.Yes, Regions: []string{"eu", "ch"},
	}
	doc.Trigger = "load"
	doc.Factors = []postmortem.Factor{{Text: "A shared pool", Category: "design", Evidence: "https://grafana.example.com/d/pool_1?x=(1)", LatentSince: "2025-01-01", Whys: []postmortem.Why{
		{Level: 1, Text: "It was simpler"}, {Level: 2, Text: "Nobody measured the wait"}, {Level: 2, Text: "Two - pools cost twice"}, {Level: 3, Text: "- of what?"}, {Level: 1, Text: "Load had grown"},
	}}, {Text: "Monitoring was blind", Category: "observability"}, {Text: "A deploy", Category: "process", Whys: []postmortem.Why{{Level: 1, Text: "**Why factor 9**"}}}}
	doc.Lessons = []postmortem.Lesson{{Text: "Blind", Answers: "gap:1"}}
	doc.Glossary = []postmortem.Term{{Term: "Pool", Meaning: "of connections"}}
	doc.Tags, doc.Services = []postmortem.Tag{{Key: "team", Value: "offers"}, {Key: "q2"}}, []string{"offers", "scoring"}
	lost := 1800.0
	doc.Gaps[0].SecondsLost, doc.Gaps[0].AtMostSeconds = &lost, nil
	doc.Gaps[0].Expr, doc.Gaps[0].For, doc.Gaps[0].Labels = "max(pool_wait) > 1", "5m", []postmortem.Tag{{Key: "severity", Value: "critical"}}
	at := doc.DraftedAt
	doc.Meeting = &postmortem.Meeting{At: at.Truncate(time.Minute), Minutes: 45}
	doc.Waived = &postmortem.Waiver{Reason: "a (test)", By: incidents.Person{Name: "Ada"}}
	doc.Communication[0].WithdrawnAt = &at
	doc.Links = []postmortem.Link{{Kind: postmortem.ToRecording, Text: "the call", URL: "https://video.example.com/a_(1)"}, {Kind: postmortem.ToTicket, URL: "https://help.example.com/7"}}
	doc.Review = &postmortem.Review{
		Facilitator: "Eva", Participants: []postmortem.Participant{{Name: "Ada", As: "commander"}, {Name: "Ben"}}, Decisions: []postmortem.Decision{{Text: "Split the pool"}},
		Survey: []postmortem.SurveyCount{{Question: postmortem.DidYouLearn, Yes: "5", No: "1", Unsure: "0"}, {Question: postmortem.WouldReturn, Yes: "6"}},
	}
	doc.Facts.Timeline[2].Internal, doc.Facts.Timeline[2].Permalink = true, "https://example.slack.com/archives/C1/p1"
	minutes, days := at.Truncate(time.Minute).Add(time.Minute), at.AddDate(0, 0, 2)
	for i, until := range map[int]*time.Time{1: &minutes, 2: &days, 4: &at, 6: &minutes} { // to the minute, the second and roughly; on another day
		e := &doc.Facts.Timeline[i]
		e.Until, e.UntilPrecision, e.Significant = until, incidents.ToMinute, i != 4
		if i == 2 {
			e.UntilPrecision = incidents.ToSecond
		}
		if i == 6 {
			e.UntilPrecision = incidents.Approx
		}
	}
	doc.Facts.Severities = append(doc.Facts.Severities, postmortem.SeveritySince{Severity: incidents.Sev1, Since: at})
}

// TestAnyTextComesBack writes random nonsense into every field and reads it back.
// A failure names the seed.
func TestAnyTextComesBack(t *testing.T) { //nolint:tparallel // the first seed that fails ends it
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		doc := brokers(t)
		fill(&doc)
		if seed%2 == 1 {
			doc.Language = postmortem.German
			times := map[incidents.KeyTime]incidents.Instant{}
			for _, m := range doc.Facts.Times {
				if m.At != nil {
					times[m.Key] = incidents.Instant{At: *m.At, Precision: m.Precision}
				}
			}
			doc.Facts.Durations = postmortem.FactsOf(incidents.Incident{Times: times}, nil, postmortem.German).Durations
			for i := range doc.Sections {
				doc.Sections[i].Title = doc.Language.Title(doc.Sections[i].ID)
			}
		}
		nonsense(&doc, func() string { return babble(r) })
		if !t.Run("", func(t *testing.T) { again(t, doc) }) {
			t.Fatalf("seed %d", seed)
		}
	}
}

func babble(r *rand.Rand) string {
	pieces := []string{
		"a", "Ö", "|", "\\", "`", "```", "*", "**", "_", "<", ">", "&", "&amp;", "[", "](", ")", "(", " ", "  ", "\n", "\n\n", "- ", "# ", "1. ", ": ", ", ", "=",
		"]]>", "<br>", "\u202e", "\x00", "\t", "https://example.com/a_b?c=d&e=(f)", "http://", "unknown", "not set", "(internal)", "---", "> ", "\u2028", "~", "$", "about ", "\xff", "😀",
		"*(internal)*", "**To the author:** ", "0", "+", "\r\n",
	}
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func nonsense(doc *postmortem.Document, word func() string) {
	f := &doc.Facts
	f.Title, f.Summary, f.Service, f.Reporter.Name = word(), word(), word(), word()
	for i := range f.Timeline {
		f.Timeline[i].Text, f.Timeline[i].Actor.Name = word(), word()
	}
	for i := range doc.Review.Participants {
		doc.Review.Participants[i] = postmortem.Participant{Name: word(), As: word()}
	}
	for i := range doc.Factors {
		for j := range doc.Factors[i].Whys {
			doc.Factors[i].Whys[j].Text = word()
		}
	}
	doc.Links[0].Text, doc.Links[0].URL, doc.Links[1].Text = word(), word(), word()
	doc.Review.Facilitator, doc.Review.Decisions[0].Text = word(), word()
	for i := range f.SeverityDurations {
		d := &f.SeverityDurations[i]
		d.Severity, d.Definition, d.Text = incidents.Severity(word()), word(), word()
	}
	for i := range doc.Sections {
		doc.Sections[i].Text = word() + "\n\n" + word() + "\n- " + word()
	}
	for i := range doc.Actions {
		a := &doc.Actions[i]
		a.Text, a.DoneWhen, a.Outcome, a.Link = word(), word(), word(), word()
		a.Owner, a.Answers = &incidents.Person{Name: word()}, []string{word(), word()}
	}
	for i := range doc.Gaps {
		g := &doc.Gaps[i]
		g.Signal, g.Expr, g.For, g.Reason = word(), word(), word(), word()
		g.Labels = []postmortem.Tag{{Key: word(), Value: word()}, {Key: word(), Value: word()}}
	}
	for i := range doc.Communication {
		doc.Communication[i].Text = word()
	}
	for i := range doc.Evidence {
		doc.Evidence[i].Text, doc.Evidence[i].URL = word(), word()
	}
	doc.Factors[0].Text, doc.Factors[0].Evidence, doc.Lessons[0].Text, doc.Lessons[0].Answers = word(), word(), word(), word()
	doc.Glossary[0].Term, doc.Impact.Measures[0].What, doc.Impact.Measures[0].How, doc.Impact.Reason = word(), word(), word(), word()
	doc.Tags, doc.Services, doc.Waived.Reason = []postmortem.Tag{{Key: word(), Value: word()}}, []string{word(), word()}, word()
	doc.Evidence = append(doc.Evidence, postmortem.Evidence{Text: word(), File: &postmortem.File{Name: word(), Type: "image/png", Size: 7}},
		postmortem.Evidence{Text: word(), File: &postmortem.File{Name: word(), Type: word(), Size: 7, Failed: word()}},
		postmortem.Evidence{Text: word(), URL: word(), File: &postmortem.File{Name: word(), Type: "image/png", Size: 7, Digest: "d1"}},
		postmortem.Evidence{Text: word(), URL: "https://example.com/a_(b)", File: &postmortem.File{Name: word(), Type: word(), Size: 7, Digest: "d2"}},
		postmortem.Evidence{Text: word(), File: &postmortem.File{Name: word(), Type: word(), Size: 7, Digest: "d1"}})
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":      "",
		"another page": "# Minutes\n\nWe met.",
		"no section":   "# Postmortem of INC-1: A\n\n## Dessert\n",
		"a bad time":   "# Postmortem of INC-1: A\n\n## Key times\n\n| Moment | UTC | Precision | Source |\n| --- | --- | --- | --- |\n| detected | noon | second | slack |\n",
		"a short row":  "# Postmortem of INC-1: A\n\n## Facts\n\n| Fact | Value |\n| --- | --- |\n| Status |\n",
	} {
		if _, err := export.Parse(strings.NewReader(text)); incidents.KindOf(err) != incidents.Invalid {
			t.Errorf("%s: got %v, want it refused in words", name, err)
		}
	}
}
