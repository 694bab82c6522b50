package incidents

import (
	"maps"
	"slices"
	"time"
)

// lateWithin is how long after an alert was resolved a firing alert of the same
// life (startsAt not after its end) is taken for a delivery that was overtaken,
// not for a new fire. Peers of a pair repeat a delivery within some 15 s, a
// failed one is sent again after up to a group_interval, usually 5 minutes; a
// real flap that keeps its startsAt is told again at the sender's next repeat.
const lateWithin = time.Minute

// merged is what a delivery changes in a group.
type merged struct {
	save     []Alert // rows to write
	fired    []Alert // that began to fire and count
	resolved []Alert // that stopped firing and count
	touched  bool    // something changed that people may see
	// doubted says that something was taken for overtaken, or for the end of an
	// earlier life: whoever can be asked knows better.
	doubted bool
}

// mergeAlerts decides row by row what a delivery changes. Repeats, duplicates of
// a pair, and deliveries that were overtaken change nothing. known holds, by
// fingerprint, the open row or else the latest closed one.
// asked is when the alerts were asked for, zero for a delivery.
func mergeAlerts(known map[string]Alert, delivered []Alert, now, asked time.Time) merged {
	var m merged
	known = maps.Clone(known)
	if known == nil {
		known = map[string]Alert{}
	}
	changed := map[string]bool{}
	for _, a := range delivered {
		row, found := known[a.Fingerprint]
		next, outcome := mergeAlert(row, found, a, now, asked)
		switch outcome {
		case unchanged:
			continue
		case overtaken:
			m.doubted = true
			continue
		case refreshed, remembered:
			// told to nobody
		case began:
			if next.Action.Counts() {
				m.fired = append(m.fired, next)
			}
		case left:
			m.resolved = append(m.resolved, next)
		case ended:
			if next.Action.Counts() {
				m.resolved = append(m.resolved, next)
			}
		}
		if changed[a.Fingerprint] && next.ID == 0 && !row.Firing {
			m.save = append(m.save, row) // a new row begins; the one before must not stay open
		}
		known[a.Fingerprint] = next
		changed[a.Fingerprint] = true
	}
	for _, fp := range slices.Sorted(maps.Keys(changed)) {
		m.save = append(m.save, known[fp])
	}
	m.touched = len(m.fired) > 0 || len(m.resolved) > 0
	return m
}

type outcome int

const (
	unchanged  outcome = iota
	overtaken          // as unchanged, as far as times tell
	refreshed          // the same life goes on with other times or texts
	remembered         // resolved without having been seen firing: kept, told to nobody
	began
	ended
	left // it fires on, and is nobody's matter any more
)

func mergeAlert(row Alert, found bool, a Alert, now, asked time.Time) (Alert, outcome) {
	a.ReceivedAt = now
	switch {
	case a.Firing && found && row.Firing:
		return goesOn(row, a, now)
	case a.Firing && found && late(row, a, now, asked):
		return row, overtaken
	case a.Firing:
		a.ID, a.SeenAt, a.FiredAt = 0, now, a.StartsAt
		return a, began
	case found && row.Firing:
		if !a.EndsAt.IsZero() && a.EndsAt.Before(row.FiredAt) && !a.StartsAt.Equal(row.FiredAt) {
			return row, overtaken // the end of an earlier life
		}
		row.Firing, row.EndsAt, row.ReceivedAt, row.Until = false, a.EndsAt, now, time.Time{}
		if row.EndsAt.IsZero() {
			row.EndsAt = now
		}
		return row, ended
	case found && !a.StartsAt.After(row.StartsAt):
		return row, unchanged // told before
	default:
		a.ID, a.SeenAt = 0, now
		if a.EndsAt.IsZero() {
			a.EndsAt = now
		}
		return a, remembered
	}
}

// goesOn decides what is new of an alert that fires and was known to. When its
// labels, or the routes, have changed so that it asks for more than before, it is
// one that begins; when it counts no longer, one that has ended.
func goesOn(row, a Alert, now time.Time) (Alert, outcome) {
	same := row.Sender == a.Sender && row.lasts(a, now) && row.StartsAt.Equal(a.StartsAt) && row.URL == a.URL && row.Route == a.Route && row.Action == a.Action &&
		maps.Equal(row.Annotations, a.Annotations) && maps.Equal(row.Labels, a.Labels)
	if same {
		return row, unchanged
	}
	a.ID, a.SeenAt, a.FiredAt = row.ID, row.SeenAt, row.FiredAt
	if a.StartsAt.After(row.FiredAt) {
		a.FiredAt = a.StartsAt
	}
	switch {
	case a.Action.rank() > row.Action.rank():
		return a, began
	case row.Action.Counts() && !a.Action.Counts():
		return a, left
	default:
		return a, refreshed
	}
}

// late reports whether a firing alert belongs to a life that is known to have
// ended: its delivery was overtaken by that of the end. What was asked for is late
// only when the end was delivered since.
func late(row, a Alert, now, asked time.Time) bool {
	if !asked.IsZero() {
		return !row.ReceivedAt.Before(asked)
	}
	if !row.Until.IsZero() {
		return false // nobody told the end: who says otherwise knows better
	}
	return !a.StartsAt.After(row.EndsAt) && !a.StartsAt.After(row.ReceivedAt) && now.Sub(row.ReceivedAt) < lateWithin
}
