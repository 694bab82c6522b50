package incidents

import (
	"maps"
	"slices"
	"time"
)

// MaxSnooze is the longest time for which questions can be put off.
const MaxSnooze = 14 * 24 * time.Hour

// Snooze has Houston ask later: one nudge, or all of the channel.
type Snooze struct {
	Request

	Nudge string // see [Nudge.Name]; empty: all of the channel
	Until time.Time
}

func (c Snooze) decide(d *decision) error {
	switch {
	case !c.Until.After(d.now):
		return Errorf(Invalid, "That time has passed. Write it like: snooze 30m, or snooze until 09:00")
	case c.Until.After(d.now.Add(MaxSnooze)):
		return Errorf(Invalid, "Questions can be put off by 14 days at most.")
	}
	name := orElse(c.Nudge, EveryNudge)
	d.record(NudgeDeferred{Nudge: name, Until: Micros(c.Until)})
	for _, open := range sortedKeys(d.inc.Nudges) {
		was := d.inc.Nudges[open]
		if was.Open && (open == name || name == EveryNudge && !was.Direct) {
			d.closeNudge(open, NudgeSnoozed)
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
