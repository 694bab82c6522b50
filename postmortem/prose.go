package postmortem

import (
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// Prose is a text with moments in it, so that whoever writes it out can show
// each in UTC and in the reader's zone. As text it has them in UTC.
type Prose []Span

// Span is some words, or a moment when At is not zero.
type Span struct {
	Words     string
	At        time.Time
	Precision incidents.Precision
}

// say joins words and moments: strings and instants in the order they are read.
func say(parts ...any) Prose {
	var p Prose
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			p = append(p, Span{Words: part})
		case incidents.Instant:
			p = append(p, Span{At: part.At, Precision: part.Precision})
		case Prose:
			p = append(p, part...)
		}
	}
	return p
}

// Write gives the text with its words and moments written as told.
func (p Prose) Write(words func(string) string, at func(time.Time, incidents.Precision) string) string {
	var b strings.Builder
	for _, s := range p {
		if s.At.IsZero() {
			b.WriteString(words(s.Words))
		} else {
			b.WriteString(at(s.At, s.Precision))
		}
	}
	return b.String()
}

// String writes the text with its moments in UTC.
func (p Prose) String() string {
	return p.Write(func(s string) string { return s }, func(at time.Time, precision incidents.Precision) string {
		return Clock(at.UTC(), precision) + " UTC"
	})
}

// MarshalText writes what String does.
func (p Prose) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads it back as words alone.
func (p *Prose) UnmarshalText(text []byte) error {
	*p = Prose{{Words: string(text)}}
	return nil
}

// Clock writes a moment as it stands in its zone, no more exactly than it is
// known: "2026-06-10 09:05", "about 2026-06-10 09:05".
func Clock(at time.Time, precision incidents.Precision) string {
	switch precision {
	case incidents.ToMinute:
		return at.Format("2006-01-02 15:04")
	case incidents.Approx:
		return "about " + at.Format("2006-01-02 15:04")
	case incidents.ToDay:
		return at.Format("2006-01-02")
	default:
		return at.Format("2006-01-02 15:04:05")
	}
}

// quote is somebody's words inside a sentence of ours, cut to a length that a
// sentence bears.
func quote(text string) string {
	const most = 200
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most-1]) + "…"
	}
	return "“" + text + "”"
}
