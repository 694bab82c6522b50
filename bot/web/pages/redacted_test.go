package pages_test

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents"
)

// TestNoPageShowsWhatWasRedacted: not the audit either, nor is it found.
func TestNoPageShowsWhatWasRedacted(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	k := newKit(t, nil)
	by := incidents.Request{Actor: k.actor(admin)}
	k.declare(incidents.Declare{Title: "Offers are empty"})
	message := incidents.Message{Channel: "C1", TS: "1.1"}
	for _, command := range []incidents.Command{
		incidents.Note{Request: by, Text: "The password is " + secret},
		incidents.Update{Request: by, Text: "We changed " + secret},
		incidents.EditFacts{Request: by, Summary: new("Somebody knows " + secret)},
		incidents.Capture{Request: by, Message: message, Author: by.Actor.Person, Text: "I typed " + secret, At: k.clock.Now()},
		incidents.Capture{Request: by, Message: message, Author: by.Actor.Person, Text: "I typed " + secret, At: k.clock.Now(), Mark: incidents.MarkAction},
		incidents.Edited{Request: by, Message: message, Text: "I typed again " + secret},
	} {
		k.do(1, command)
	}
	b := k.as(admin)
	pages := []string{
		"/", "/i/1", "/i/1/timeline.csv", "/i/1/timeline.json", "/incidents", "/incidents.csv", "/incidents.json", "/audit", "/audit.csv", "/audit.json",
		"/actions", "/actions.csv", "/actions.json", "/i/1/postmortem", "/i/1/postmortem.json", editor,
	}
	if page := b.get("/audit"); !strings.Contains(page.body, secret) {
		t.Fatal("the audit does not show what was written")
	}
	events, err := k.store.Events(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range incidents.Timeline(events) {
		if !strings.Contains(entry.Text, secret) {
			continue
		}
		if _, _, err := k.service.Redact(t.Context(), 1, incidents.Redact{Request: by, Seq: entry.Seq, Reason: "a password"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range pages {
		b.get(path).hides(secret)
	}
	if page := b.get("/incidents?q=" + secret); strings.Contains(page.body, `href="/i/1"`) {
		t.Error("what was redacted is found")
	}
	b.get("/audit?type=redacted").shows("Ada Admin")

	// Nor what was deleted where it was written.
	gone := incidents.Message{Channel: "C1", TS: "1.2"}
	k.do(1, incidents.Capture{Request: by, Message: gone, Author: by.Actor.Person, Text: "Also tr0ub4dor", At: k.clock.Now()})
	b.get("/audit").shows("Also tr0ub4dor")
	k.do(1, incidents.Deleted{Request: by, Message: gone})
	for _, path := range pages {
		b.get(path).hides("tr0ub4dor")
	}
}
