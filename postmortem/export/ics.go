package export

import (
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/houston-sre/houston/incidents"
)

// Meeting is a review meeting to be put into calendars.
type Meeting struct {
	Incident incidents.Incident
	// URL is the postmortem's page; may be empty.
	URL string
	Now time.Time
}

// ICS writes the review meeting of an incident's postmortem as an iCalendar file
// (RFC 5545). A later proposal replaces the earlier one: it has the same UID and
// a higher SEQUENCE. A private incident's title is not in it, since calendars are
// read by others.
func ICS(m Meeting) (name string, data []byte, err error) {
	inc := m.Incident
	meeting := inc.Postmortem.Meeting
	if meeting.At.IsZero() {
		return "", nil, incidents.Errorf(incidents.NotFound, "No review of %s is planned.", inc.Key())
	}
	calendar := ics.NewCalendarFor("Houston")
	calendar.SetMethod(ics.MethodPublish)
	event := calendar.AddEvent(inc.Key() + "-review@houston")
	event.SetDtStampTime(m.Now)
	event.SetSequence(meeting.Sequence)
	event.SetStartAt(meeting.At)
	event.SetEndAt(meeting.At.Add(time.Duration(meeting.Minutes) * time.Minute))
	title := "Postmortem " + inc.Key()
	if !inc.Private {
		title += ": " + oneLine(inc.Title)
	}
	event.SetSummary(title)
	if m.URL != "" {
		event.SetURL(m.URL)
	}
	return inc.Key() + "-review.ics", []byte(calendar.Serialize(ics.WithNewLineWindows)), nil // RFC 5545, 3.1
}
