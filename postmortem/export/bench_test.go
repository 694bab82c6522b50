package export_test

import (
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// large is an incident of 10,000 events.
func large(tb testing.TB) postmortem.Input {
	tb.Helper()
	begin := time.Date(2026, 6, 10, 9, 0, 0, 0, time.UTC)
	events := []incidents.Event{{Data: incidents.Declared{
		Title: "Brokers see no offers", Severity: incidents.Sev1, Status: incidents.Investigating, Detection: incidents.ByEmployee, Service: "offers",
		Times: map[incidents.KeyTime]incidents.Instant{incidents.ImpactStart: {At: begin, Precision: incidents.ToMinute}},
	}}}
	for i := range 9_998 {
		kind := incidents.EntryKinds()[i%len(incidents.EntryKinds())]
		events = append(events, incidents.Event{Data: incidents.Noted{
			Kind: kind, Text: fmt.Sprintf("Restarted service %d; p99 < 1 s & no | errors, see https://grafana.example.com/d/offers_%d?from=1", i, i),
			Permalink: "https://example.slack.com/archives/C1/p1",
		}})
	}
	events = append(events, incidents.Event{Data: incidents.StatusChanged{From: incidents.Investigating, To: incidents.Resolved}})
	for i := range events {
		at := begin.Add(time.Duration(i) * time.Second)
		who := fmt.Sprintf("U%d", i%7)
		events[i].Incident, events[i].Seq, events[i].At, events[i].RecordedAt, events[i].Precision = 1, int64(i+1), at, at, incidents.ToSecond
		events[i].Actor = incidents.Actor{Person: incidents.Person{ID: who, Name: "Person " + who}, Via: incidents.FromSlack}
	}
	inc, err := incidents.Replay(events)
	if err != nil {
		tb.Fatal(err)
	}
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		tb.Fatal(err)
	}
	return postmortem.Input{Incident: inc, Events: events, Now: begin.Add(48 * time.Hour), Zone: zone}
}

// The bounds are 300 ms for the draft, 100 ms for Markdown, 300 ms for HTML.
func BenchmarkDraft10000(b *testing.B) {
	in := large(b)
	for b.Loop() {
		postmortem.DraftOf(in)
	}
}

func BenchmarkMarkdown10000(b *testing.B) {
	doc := postmortem.DraftOf(large(b))
	for b.Loop() {
		if err := export.Markdown(io.Discard, doc); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHTML10000(b *testing.B) {
	doc := postmortem.DraftOf(large(b))
	for b.Loop() {
		if err := export.HTML(io.Discard, doc, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPublic10000(b *testing.B) {
	doc := postmortem.DraftOf(large(b))
	for b.Loop() {
		postmortem.PublicOf(doc)
	}
}
