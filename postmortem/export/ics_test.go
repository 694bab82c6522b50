package export_test

import (
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem/export"
)

func TestReviewInCalendars(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 6, 12, 14, 0, 0, 0, time.UTC)
	inc := incidents.Incident{Number: 7, Title: "Offers; missing, all\nof them \\", Postmortem: incidents.Postmortem{Meeting: incidents.Meeting{At: at, Minutes: 45, Sequence: 2}}}
	name, raw, err := export.ICS(export.Meeting{Incident: inc, URL: "https://houston.example/incidents/INC-7/postmortem", Now: at.Add(-time.Hour)})
	if err != nil || name != "INC-7-review.ics" {
		t.Fatalf("got %q, %v", name, err)
	}
	calendar, err := ics.ParseCalendar(strings.NewReader(string(raw)))
	if err != nil || len(calendar.Events()) != 1 {
		t.Fatalf("got %v in\n%s", err, raw)
	}
	if strings.Count(string(raw), "\r\n") != strings.Count(string(raw), "\n") {
		t.Errorf("a line does not end as RFC 5545 has it: %q", raw)
	}
	event := calendar.Events()[0]
	begin, _ := event.GetStartAt()
	end, _ := event.GetEndAt()
	if !begin.Equal(at) || end.Sub(begin) != 45*time.Minute || event.Id() != "INC-7-review@houston" || event.GetProperty(ics.ComponentPropertySequence).Value != "2" {
		t.Errorf("got %s to %s, id %s", begin, end, event.Id())
	}
	if got := event.GetProperty(ics.ComponentPropertySummary).Value; !strings.Contains(got, "Offers") {
		t.Errorf("got summary %q", got)
	}
	inc.Private = true
	if _, raw, err := export.ICS(export.Meeting{Incident: inc, Now: at}); err != nil || strings.Contains(string(raw), "Offers") {
		t.Errorf("the calendar names a private incident: %v\n%s", err, raw)
	}
	if _, _, err := export.ICS(export.Meeting{}); incidents.KindOf(err) != incidents.NotFound {
		t.Errorf("got %v, want no meeting", err)
	}
}
