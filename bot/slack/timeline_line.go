package slack

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

var (
	endPattern  = regexp.MustCompile(`(?i)\s(?:until|till|to|bis)\s`)
	fromPattern = regexp.MustCompile(`(?i)(?:^|\s)(?:at|um|from|von|ab)\s`)
	// keyOption is "--key" at the end; phones make one long dash of two.
	keyOption = regexp.MustCompile(`(?i)(?:^|\s)(?:--|—|–)(?:key|wichtig|schlüssel)$`)
)

// noteLine is what a person wrote for the timeline in one line.
type noteLine struct {
	text      string
	at, until time.Time // zero: not said
	key       bool      // a key moment
}

// parseNote reads "<text> [at 14:05 [until 14:20]] [--key]", also with from and to,
// or in German "<text> [um 14:05] [von 14:05 bis 14:20] [--wichtig]". Words that
// give no time belong to the text, and so does an end without a beginning. A time
// of day that can not be is an error.
func parseNote(line string, now time.Time, zone *time.Location) (noteLine, error) {
	n := noteLine{}
	line = strings.TrimSpace(line)
	if place := keyOption.FindStringIndex(line); place != nil {
		n.key, line = true, strings.TrimSpace(line[:place[0]])
	}
	for _, place := range slices.Backward(endPattern.FindAllStringIndex(line, -1)) {
		text, at, ok := splitFrom(line[:place[0]], now, zone)
		if !ok {
			continue
		}
		typed := strings.TrimSpace(line[place[1]:])
		until, err := parseEnd(typed, at, now, zone)
		switch {
		case err == nil:
			n.text, n.at, n.until = text, at, until
			return n, nil
		case timePattern.MatchString(strings.ToLower(typed)):
			return n, err
		}
	}
	var err error
	n.text, n.at, err = splitAt(line, now, zone)
	return n, err
}

// splitFrom takes the beginning of a span off the end of a line.
func splitFrom(line string, now time.Time, zone *time.Location) (text string, at time.Time, ok bool) {
	for _, place := range slices.Backward(fromPattern.FindAllStringIndex(line, -1)) {
		if at, err := parseWhen(line[place[1]:], now, zone); err == nil {
			return strings.TrimSpace(line[:place[0]]), at, true
		}
	}
	return "", time.Time{}, false
}

// parseEnd reads the end of what began at a time: a bare time of day is its
// first occurrence behind that.
func parseEnd(text string, at, now time.Time, zone *time.Location) (time.Time, error) {
	clock := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text)), " uhr")
	if !timePattern.MatchString(clock) {
		return parseWhen(text, now, zone)
	}
	for _, days := range []int{0, 1} {
		until, err := timeOfDay{text: text, clock: clock, now: now}.on(noonOf(at.In(zone), days, zone))
		if err != nil || until.After(at) {
			return until, err
		}
	}
	return time.Time{}, incidents.Errorf(incidents.Invalid, "%q is no time I can read. Write it like: 5m ago, 14:05, yesterday 23:50 or 2026-03-29 14:05.", text)
}

// added says what was added to the timeline.
func (e *Edge) added(actor string, inc incidents.Incident, n noteLine) string {
	texts, zone := e.textFor(actor), e.config.Directory.Zone(actor)
	switch {
	case !n.until.IsZero():
		return texts.Text("done_timeline_span", "key", inc.Key(), "time", clockTime(n.at, zone), "until", clockTime(n.until, zone))
	case !n.at.IsZero():
		return texts.Text("done_timeline_at", "key", inc.Key(), "time", clockTime(n.at, zone))
	default:
		return texts.Text("done_timeline", "key", inc.Key())
	}
}
