package incidents

import (
	"slices"
	"time"
)

// QuietHours are when nobody is asked anything that can wait. The zero value is
// no quiet hours.
type QuietHours struct {
	// Start and End are times of day; an End before Start is on the next day.
	// Both zero: no quiet part of a day.
	Start, End time.Duration
	// Days are quiet as a whole.
	Days []time.Weekday
	// Zone they are kept in; nil: that of the person asked.
	Zone *time.Location
}

// After gives the first moment from at on that is not quiet, in a person's zone.
// It looks ahead a fortnight at most.
func (q QuietHours) After(at time.Time, zone *time.Location) time.Time {
	if q.Zone != nil {
		zone = q.Zone
	}
	for range 32 {
		until, quiet := q.until(at.In(zone))
		if !quiet {
			break
		}
		at = until
	}
	return Micros(at)
}

// until tells whether a moment is quiet, and until when at least.
func (q QuietHours) until(at time.Time) (time.Time, bool) {
	midnight := func(days int) time.Time {
		return time.Date(at.Year(), at.Month(), at.Day()+days, 0, 0, 0, 0, at.Location())
	}
	// A time of day on a day whose clock is changed is what the clock shows.
	clock := func(day time.Time, of time.Duration) time.Time {
		return time.Date(day.Year(), day.Month(), day.Day(), int(of.Hours()), int(of.Minutes())%60, 0, 0, day.Location())
	}
	if slices.Contains(q.Days, at.Weekday()) {
		return midnight(1), true
	}
	if q.Start == q.End {
		return at, false
	}
	for _, day := range []time.Time{midnight(-1), midnight(0)} { // that of last night, and tonight's
		start, end := clock(day, q.Start), clock(day, q.End)
		if q.End < q.Start {
			end = clock(day.AddDate(0, 0, 1), q.End)
		}
		if !at.Before(start) && at.Before(end) {
			return end, true
		}
	}
	return at, false
}

// morning is the hour at which people are asked what waited for the day.
const morning = 9

// nextMorning gives the first nine o'clock from at on, in a zone.
func nextMorning(at time.Time, zone *time.Location) time.Time {
	local := at.In(zone)
	nine := time.Date(local.Year(), local.Month(), local.Day(), morning, 0, 0, 0, zone)
	if nine.Before(at) {
		nine = time.Date(local.Year(), local.Month(), local.Day()+1, morning, 0, 0, 0, zone)
	}
	return Micros(nine)
}
