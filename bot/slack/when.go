package slack

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// clockLead is how far ahead of our clock a time of day still counts as now:
// people type the minute they see, on clocks that differ from ours.
const clockLead = time.Minute

var (
	agoPattern  = regexp.MustCompile(`^(?:vor\s+((?:\d+\s*[a-z]+\s*)+)|((?:\d+\s*[a-z]+\s*)+?)\s+ago)$`)
	agoParts    = regexp.MustCompile(`(\d+)\s*([a-z]+)`)
	datePattern = regexp.MustCompile(`^(\d{4})-(\d{2})-(\d{2})[t ]+`)
	timePattern = regexp.MustCompile(`^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(am|pm)?$`)
	atPattern   = regexp.MustCompile(`(?i)(?:^|\s)(?:at|um)\s`)
)

// parseWhen reads the moment people mean by "now", "5m ago", "1h 30m ago",
// "14:05", "2:05 pm", "yesterday 23:50", "2026-03-29 14:05" or an RFC 3339
// time, or in German by "jetzt", "vor 5 min", "gestern 23:50 Uhr"; "UTC" may
// follow a time of day. Times of day are in the zone of the one
// who wrote. A bare time of day is its latest occurrence that has passed (a
// minute of lead allowed). Of an hour that a change to winter time repeats the
// later one that has passed is meant; a time of day that a change to summer
// time left out is refused. The error is an *incidents.Error of kind Invalid.
func parseWhen(text string, now time.Time, zone *time.Location) (time.Time, error) {
	t := strings.ToLower(strings.Join(strings.Fields(text), " "))
	if t == "now" || t == "jetzt" {
		return now, nil
	}
	t = strings.TrimPrefix(strings.TrimPrefix(t, "at "), "um ")
	if at, err := time.Parse(time.RFC3339, strings.ToUpper(t)); err == nil {
		return at, nil
	}
	if back, ok := parseAgo(t); ok {
		return now.Add(-back), nil
	}
	t = strings.TrimSuffix(t, " uhr")
	for _, suffix := range []string{" utc", "utc", "z"} {
		if bare, ok := strings.CutSuffix(t, suffix); ok {
			t, zone = bare, time.UTC
			break
		}
	}
	switch {
	case datePattern.MatchString(t):
		date, err := time.Parse(time.DateOnly, t[:len(time.DateOnly)])
		if err != nil {
			return time.Time{}, badTime(text)
		}
		return timeOfDay{text: text, clock: datePattern.ReplaceAllString(t, ""), now: now}.on(noonOf(date, 0, zone))
	default:
		if days, clock, ok := splitDay(t); ok {
			return timeOfDay{text: text, clock: clock, now: now}.on(noonOf(now.In(zone), days, zone))
		}
		clock := timeOfDay{text: text, clock: t, now: now}
		at, err := clock.on(noonOf(now.In(zone), 0, zone))
		if err != nil || !at.After(now.Add(clockLead)) {
			return at, err
		}
		return clock.on(noonOf(now.In(zone), -1, zone))
	}
}

// splitDay takes a word for a day off a time of day; days says how far it is from
// today.
func splitDay(t string) (days int, clock string, ok bool) {
	word, rest := splitWord(t)
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "at "), "um ")
	switch word {
	case "yesterday", "gestern":
		return -1, rest, true
	case "today", "heute":
		return 0, rest, true
	default:
		return 0, "", false
	}
}

// noonOf gives noon, which every day has, of a date moved by some days.
func noonOf(date time.Time, days int, zone *time.Location) time.Time {
	return time.Date(date.Year(), date.Month(), date.Day()+days, 12, 0, 0, 0, zone)
}

// parseAgo reads "5m ago", "1h30m", "2 hours ago".
func parseAgo(t string) (time.Duration, bool) {
	m := agoPattern.FindStringSubmatch(t)
	if m == nil {
		return 0, false
	}
	var sum time.Duration
	for _, part := range agoParts.FindAllStringSubmatch(m[1]+m[2], -1) {
		n, err := strconv.Atoi(part[1])
		unit := unitOf(part[2])
		if err != nil || unit == 0 || n > int(366*24*time.Hour/unit) {
			return 0, false
		}
		sum += time.Duration(n) * unit
	}
	return sum, true
}

func unitOf(word string) time.Duration {
	switch word {
	case "s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden":
		return time.Second
	case "m", "min", "mins", "minute", "minutes", "minuten":
		return time.Minute
	case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden":
		return time.Hour
	case "d", "day", "days", "tag", "tage", "tagen":
		return 24 * time.Hour
	default:
		return 0
	}
}

// timeOfDay is what somebody wrote for a time of day, as part of text.
type timeOfDay struct {
	text, clock string
	now         time.Time
}

// on gives the moment of the time of day on a day, in the day's zone.
func (c timeOfDay) on(day time.Time) (time.Time, error) {
	m := timePattern.FindStringSubmatch(c.clock)
	if m == nil {
		return time.Time{}, badTime(c.text)
	}
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	second, _ := strconv.Atoi(m[3])
	switch {
	case m[4] != "" && (hour < 1 || hour > 12):
		return time.Time{}, badTime(c.text)
	case m[4] == "pm" && hour < 12:
		hour += 12
	case m[4] == "am" && hour == 12:
		hour = 0
	}
	if hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, badTime(c.text)
	}
	// The wall clock may show this time twice or never on this day.
	first := time.Date(day.Year(), day.Month(), day.Day(), hour, minute, second, 0, day.Location())
	var found time.Time
	for _, shift := range []time.Duration{-time.Hour, -30 * time.Minute, 0, 30 * time.Minute, time.Hour} {
		at := first.Add(shift)
		same := at.Day() == day.Day() && at.Hour() == hour && at.Minute() == minute
		if same && (found.IsZero() || !at.After(c.now.Add(clockLead))) {
			found = at
		}
	}
	if found.IsZero() {
		return time.Time{}, incidents.Errorf(incidents.Invalid,
			"There was no %s on %s: the clocks were put forward. Give another time.", c.clock, day.Format("2 January 2006"))
	}
	return found, nil
}

func badTime(text string) error {
	return incidents.Errorf(incidents.Invalid, "%q is no time I can read. Write it like: 5m ago, 14:05, yesterday 23:50 or 2026-03-29 14:05.", text)
}

// splitAt takes "at <time>" off the end of a line for the timeline. A line that
// ends otherwise is all text, and at is zero then. A time of day that can not be
// is an error and not a text, or the entry would stand at the wrong place.
func splitAt(line string, now time.Time, zone *time.Location) (text string, at time.Time, err error) {
	places := atPattern.FindAllStringIndex(line, -1)
	for _, place := range slices.Backward(places) {
		when := strings.TrimSpace(line[place[1]:])
		if strings.EqualFold(when, "now") || strings.EqualFold(when, "jetzt") {
			continue // "what users look at now"
		}
		at, err := parseWhen(when, now, zone)
		switch {
		case err == nil:
			return strings.TrimSpace(line[:place[0]]), at, nil
		case timePattern.MatchString(strings.ToLower(when)):
			return "", time.Time{}, err
		}
	}
	return strings.TrimSpace(line), time.Time{}, nil
}
