package pages_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/houston-sre/houston/incidents"
)

// TestCalendarOfHostileTexts: what people write can not become lines of the
// calendar, and whoever reads it gets the words back.
func TestCalendarOfHostileTexts(t *testing.T) {
	t.Parallel()
	const text = "Scale; scoring, \"now\"\\n\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:evil"
	k := newKit(t, nil)
	by := incidents.Request{Actor: k.actor(ben)}
	k.declare(incidents.Declare{Title: "Offers; are, empty \\ now: " + strings.Repeat("ä", 100)})
	k.do(1, incidents.AddAction{Request: by, Text: text, Owner: by.Actor.Person, Due: "2026-05-01"})
	k.do(1, incidents.Resolve{Request: by})
	k.do(1, incidents.PlanReview{Request: by, At: k.clock.Now().Add(48 * time.Hour)})
	b := k.as(ben)
	made := b.post("/feeds")
	var address string
	for word := range strings.FieldsSeq(made.text()) {
		if strings.HasSuffix(word, "/calendar.ics") {
			address = strings.TrimPrefix(word, k.server.URL)
		}
	}
	feed := k.browser().get(address)
	if feed.status != http.StatusOK {
		t.Fatalf("%q is answered with %d", address, feed.status)
	}
	k.declare(incidents.Declare{Title: "Payroll leaked", Private: true})
	k.channel(2, "C0PRIVATE")
	k.people.private[ben] = []string{"C0PRIVATE"}
	inside := incidents.Request{Actor: k.actor(ben), In: "C0PRIVATE"}
	k.do(2, incidents.AddAction{Request: inside, Text: "Rotate the payroll keys", Owner: by.Actor.Person, Due: "2026-05-01"})
	k.do(2, incidents.Resolve{Request: inside})
	k.do(2, incidents.PlanReview{Request: inside, At: k.clock.Now().Add(48 * time.Hour)})
	private := k.browser().get(address)
	private.hides("Payroll", "payroll")
	if !strings.Contains(private.body, "INC-2: action item 1") || !strings.Contains(private.body, "UID:INC-2-review@houston") {
		t.Errorf("the days of a private incident are missing:\n%s", private.body)
	}
	calendar, err := ics.ParseCalendar(strings.NewReader(feed.body))
	if err != nil {
		t.Fatalf("%v:\n%s", err, feed.body)
	}
	var summaries []string
	for _, e := range calendar.Events() {
		summaries = append(summaries, e.GetProperty(ics.ComponentPropertySummary).Value)
	}
	if len(summaries) != 2 || !strings.Contains(strings.Join(summaries, "|"), "Scale; scoring") {
		t.Errorf("the calendar has %q:\n%s", summaries, feed.body)
	}
	for line := range strings.SplitSeq(feed.body, "\r\n") {
		if len(line) > 75 {
			t.Errorf("a line has %d bytes: %s", len(line), line)
		}
	}
}
