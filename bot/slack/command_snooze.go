package slack

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

const verbSnooze verb = "snooze"

// readSnooze puts the questions of an incident's channel off.
func (e *Edge) readSnooze(_ context.Context, o order) (incidents.Command, sayer, error) {
	zone := e.config.Directory.Zone(o.Actor.ID)
	until, err := parseUntil(e.plain(o.rest), e.config.Clock.Now(), zone)
	return incidents.Snooze{Request: o.Request, Until: until}, e.saySnoozed(o.Actor.ID, until, zone), err
}

var (
	untilPattern = regexp.MustCompile(`^(?:until|till|bis)\s+`)
	forPattern   = regexp.MustCompile(`^(?:for|für)\s+`)
	dayPattern   = regexp.MustCompile(`^(tomorrow|morgen|today|heute)\s*`)
)

// parseUntil reads how long something is put off: "" (half an hour), "2h 30m",
// "for 30m", "until 09:00" (the next one), "until tomorrow 09:00", "tomorrow"
// (at nine), "until 2030-01-31 09:00". Times of day are in the zone of the one
// who wrote.
func parseUntil(text string, now time.Time, zone *time.Location) (time.Time, error) {
	t := strings.ToLower(strings.Join(strings.Fields(text), " "))
	if t == "" {
		return now.Add(snoozeFor), nil
	}
	until := untilPattern.MatchString(t)
	t = forPattern.ReplaceAllString(untilPattern.ReplaceAllString(t, ""), "")
	if span, ok := parseAgo(t + " ago"); ok && !until {
		return now.Add(span), nil
	}
	form := incidents.Errorf(incidents.Invalid, "%q is no time to wait for. Write it like: snooze 30m, snooze until 09:00, snooze until tomorrow 09:00", text)
	local := now.In(zone)
	day, named := local, true
	switch word := dayPattern.FindStringSubmatch(t); {
	case len(word) > 0:
		t = dayPattern.ReplaceAllString(t, "")
		if word[1] == "tomorrow" || word[1] == "morgen" {
			day = noonOf(local, 1, zone)
		}
	case datePattern.MatchString(t + " "):
		date, err := time.Parse(time.DateOnly, t[:len(time.DateOnly)])
		if err != nil {
			return time.Time{}, form
		}
		day, t = date, strings.TrimSpace(t[len(time.DateOnly):])
	default:
		named = false
	}
	if t == "" && named {
		t = "09:00"
	}
	clock, err := time.Parse("15:04", t)
	if err != nil {
		return time.Time{}, form
	}
	at := time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), 0, 0, zone)
	if !named && !at.After(now) {
		at = time.Date(day.Year(), day.Month(), day.Day()+1, clock.Hour(), clock.Minute(), 0, 0, zone)
	}
	return at, nil
}
