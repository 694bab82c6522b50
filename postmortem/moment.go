package postmortem

import (
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// Clock writes a moment as it stands in its zone, no more exactly than it is
// known: "2026-06-10 09:05", "about 2026-06-10 09:05".
func Clock(at time.Time, precision incidents.Precision, l Language) string {
	switch precision {
	case incidents.ToMinute:
		return at.Format("2006-01-02 15:04")
	case incidents.Approx:
		return l.words().about + " " + at.Format("2006-01-02 15:04")
	case incidents.ToDay:
		return at.Format(time.DateOnly)
	default:
		return at.Format(time.DateTime)
	}
}

// cut cuts a moment to what its precision lets people read, so that what is
// computed from it is what anybody would compute from the page.
func cut(at time.Time, precision incidents.Precision) time.Time {
	switch precision {
	case incidents.ToMinute, incidents.Approx:
		return at.Truncate(time.Minute)
	case incidents.ToDay:
		return at.UTC().Truncate(24 * time.Hour)
	default:
		return at.Truncate(time.Second)
	}
}

// Offset writes "+02:00 CEST"; in the night when clocks go back only this tells
// the two hours apart.
func Offset(local time.Time) string {
	name := local.Format("MST")
	if strings.ContainsAny(name, "+-0123456789") {
		return local.Format("-07:00") // zones without a name of their own
	}
	return local.Format("-07:00 MST")
}

// writer writes the draft's sentences in one language and one zone.
type writer struct {
	*words

	language Language
	zone     *time.Location
}

func newWriter(l Language, zone *time.Location) writer {
	if zone == nil {
		zone = time.UTC
	}
	return writer{words: l.words(), language: l, zone: zone}
}

// moment writes a time in UTC and in brackets in the zone; there its date is
// left out when it is the same.
func (w writer) moment(i incidents.Instant) string {
	utc := Clock(i.At.UTC(), i.Precision, w.language)
	if i.Precision == incidents.ToDay {
		return utc
	}
	if w.zone == time.UTC {
		return utc + " UTC"
	}
	local := i.At.In(w.zone)
	text := strings.TrimPrefix(Clock(local, i.Precision, w.language), w.about+" ")
	text = strings.TrimPrefix(text, i.At.UTC().Format(time.DateOnly)+" ")
	return utc + " UTC (" + text + " " + Offset(local) + ")"
}

// quote is somebody's words inside a sentence of ours, cut to a length that a
// sentence bears.
func (w writer) quote(text string) string {
	return w.quoteOpen + short(text, 200) + w.quoteClose
}

// short is a text in one line, cut to at most n characters.
func short(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > n {
		text = string(r[:n-1]) + "…"
	}
	return text
}

// sentence ends a text with a full stop unless it ends with a sign already.
func sentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") || strings.HasSuffix(text, "…") {
		return text
	}
	return text + "."
}
