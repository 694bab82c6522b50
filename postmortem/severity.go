package postmortem

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// SeverityDuration is how long the incident had a severity while it went on:
// from when it was declared until it was mitigated, else resolved, else declined
// or merged. What lies between an end and a re-opening is counted for none.
// Definition is printed with it, as with a [Duration].
type SeverityDuration struct {
	Severity   incidents.Severity `json:"severity"`
	Definition string             `json:"definition"` // "from declared until mitigated"
	// Seconds is never negative; nil while it is not over, and when the end is not
	// known or was before the severity was given.
	Seconds *float64 `json:"seconds"`
	// Text says it for people: "22 min", "n/a (not over yet)".
	Text string `json:"text"`
}

// stretch is the time from From until To, which is not part of it.
type stretch struct{ from, to time.Time }

// course is when an incident went on.
type course struct {
	over    time.Time // zero: not over, or nobody knows when
	exact   bool      // over is known to the second
	until   string    // what ended it, for the definition
	unknown string    // why over is zero, or what a later severity came after
	pauses  []stretch // in which it was over, and open again later
}

// SeverityDurations gives how long an incident had each of its severities, in the
// order they were first given. Together they come to the time that the incident
// went on.
func SeverityDurations(inc incidents.Incident, events []incidents.Event, l Language) []SeverityDuration {
	return severityDurations(severities(events), courseOf(inc, events, l), l)
}

func severityDurations(history []SeveritySince, c course, l Language) []SeverityDuration {
	w, list := l.words(), []SeverityDuration{}
	history = slices.Clone(history)
	slices.SortStableFunc(history, func(a, b SeveritySince) int { return a.Since.Compare(b.Since) })
	index, total := map[incidents.Severity]int{}, map[incidents.Severity]time.Duration{}
	counted, last := map[incidents.Severity]bool{}, incidents.Severity("")
	for i, h := range history {
		if _, known := index[h.Severity]; !known {
			index[h.Severity] = len(list)
			list = append(list, SeverityDuration{Severity: h.Severity, Definition: c.definition(w)})
		}
		from, to := cut(h.Since, incidents.ToSecond), c.over
		if next := i + 1; next < len(history) {
			to = cut(history[next].Since, incidents.ToSecond)
			if !c.over.IsZero() && c.over.Before(to) {
				to = c.over
			}
		}
		switch {
		case to.IsZero():
			last = h.Severity
		case !from.After(to):
			counted[h.Severity] = true
			total[h.Severity] += c.within(from, to)
		}
	}
	for i := range list {
		d := &list[i]
		if d.Severity == last || !counted[d.Severity] {
			d.Text = fmt.Sprintf(w.notApplicable, c.unknown)
			continue
		}
		seconds := total[d.Severity].Seconds()
		d.Seconds, d.Text = &seconds, w.spell(total[d.Severity], c.exact)
	}
	return list
}

func (c course) definition(w *words) string {
	text := fmt.Sprintf(w.whileSeverity, w.keyTimes[incidents.DeclaredAt], c.until)
	if len(c.pauses) > 0 {
		text += w.lessPauses
	}
	return text
}

// within counts the time of a stretch in which the incident was not over. The
// pauses are in order and do not overlap.
func (c course) within(from, to time.Time) time.Duration {
	took := to.Sub(from)
	for _, p := range c.pauses {
		begin, end := later(p.from, from), earlier(p.to, to)
		if begin.Before(end) {
			took -= end.Sub(begin)
		}
	}
	return took
}

// courseOf finds out when an incident went on.
func courseOf(inc incidents.Incident, events []incidents.Event, l Language) course {
	w := l.words()
	c := course{exact: true, until: w.keyTimes[incidents.MitigatedAt], unknown: w.notOver}
	times := map[incidents.KeyTime]incidents.Instant{}
	var ended incidents.Instant // by what it was, or is, no longer open
	for _, e := range events {
		switch data := e.Data.(type) {
		case incidents.Declared:
			maps.Copy(times, data.Times)
		case incidents.KeyTimeSet:
			times[data.Key] = data.Instant
		case incidents.MergedInto:
			ended = instantAt(e)
		case incidents.StatusChanged:
			switch {
			case data.From.Open() && !data.To.Open():
				ended = instantAt(e)
			case !data.From.Open() && data.To.Open():
				begin := cmp.Or(endOf(times).at, ended)
				c.pauses = append(c.pauses, stretch{cut(begin.At, begin.Precision), cut(e.At, incidents.ToSecond)})
			}
		}
	}
	c.pauses = apart(c.pauses)
	end := endOf(inc.Times)
	switch {
	case !end.at.At.IsZero():
		c.until = w.keyTimes[end.key]
	case inc.Status == incidents.Declined || inc.Status == incidents.Merged:
		end.at, c.until = ended, l.Value("status", string(inc.Status))
	case !inc.Status.Open():
		c.unknown = fmt.Sprintf(w.isUnknown, w.keyTimes[incidents.MitigatedAt]+w.and+w.keyTimes[incidents.ResolvedAt])
	}
	if !end.at.At.IsZero() {
		c.over, c.exact = cut(end.at.At, end.at.Precision), end.at.Precision == incidents.ToSecond
		c.unknown = fmt.Sprintf(w.givenAfter, c.until)
	}
	return c
}

// ending is which key time ended the impact, and when.
type ending struct {
	key incidents.KeyTime
	at  incidents.Instant
}

// endOf gives the end of the impact: mitigated, else resolved.
func endOf(times map[incidents.KeyTime]incidents.Instant) ending {
	for _, key := range []incidents.KeyTime{incidents.MitigatedAt, incidents.ResolvedAt} {
		if at, ok := known(times, key); ok {
			return ending{key, at}
		}
	}
	return ending{}
}

func instantAt(e incidents.Event) incidents.Instant {
	return incidents.Instant{At: e.At, Precision: e.Precision}
}

// apart puts stretches in order and joins those that overlap; empty ones fall
// away.
func apart(list []stretch) []stretch {
	slices.SortFunc(list, func(a, b stretch) int { return a.from.Compare(b.from) })
	var joined []stretch
	for _, s := range list {
		switch n := len(joined); {
		case !s.from.Before(s.to):
		case n > 0 && !s.from.After(joined[n-1].to):
			joined[n-1].to = later(joined[n-1].to, s.to)
		default:
			joined = append(joined, s)
		}
	}
	return joined
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
