package export

import (
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// untilDash stands between the two times of an entry that took a while.
const untilDash = " – "

// lasting writes when an entry was, in UTC and in the zone: a moment, or both
// times of what took a while. The second has no date where that is the same.
func (l *laying) lasting(e postmortem.Entry) []cell {
	cells := l.both(e.At, e.Precision)
	if e.Until == nil {
		return cells
	}
	for i, zone := range []*time.Location{time.UTC, l.zone}[:len(cells)] {
		from, until := e.At.In(zone), e.Until.In(zone)
		text := postmortem.Clock(until, e.UntilPrecision, l.language)
		if e.UntilPrecision != incidents.ToDay && e.Precision != incidents.ToDay {
			text = strings.TrimPrefix(text, from.Format(time.DateOnly)+" ")
		}
		first := cells[i].text()
		if zone != time.UTC && e.UntilPrecision != incidents.ToDay {
			offset := l.offset(until)
			first = strings.TrimSuffix(first, offset) // said once, unless the clocks are changed in between
			text += offset
		}
		cells[i] = say(first + untilDash + text)
	}
	return cells
}

// until reads the second time of an entry that began at a time in UTC.
func (p *parsing) until(from time.Time, text string) (time.Time, incidents.Precision) {
	if about := p.language.About() + " "; len(strings.TrimPrefix(text, about)) < len(time.DateOnly) {
		text = from.Format(time.DateOnly) + " " + text
	}
	return p.moment(text)
}
