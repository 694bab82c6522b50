package incidents

import (
	"maps"
	"strconv"
	"time"
)

// NudgeAsked says that a nudge was due and is being asked.
type NudgeAsked struct {
	Nudge  string `json:"nudge"`
	Person Person `json:"person,omitzero"` // who is asked; empty: everybody in the channel
	Direct bool   `json:"direct,omitempty"`
	Again  bool   `json:"again,omitempty"` // nobody reacted the last time
}

// NudgeClosed says how an open question ended.
type NudgeClosed struct {
	Nudge   string       `json:"nudge"`
	Outcome NudgeOutcome `json:"outcome"`
}

// NudgeDeferred has a nudge, or all of a channel ([EveryNudge]), wait.
type NudgeDeferred struct {
	Nudge string    `json:"nudge"`
	Until time.Time `json:"until"`
}

// Type is the name the event is stored under.
func (NudgeAsked) Type() string { return "nudge_asked" }

// Type is the name the event is stored under.
func (NudgeClosed) Type() string { return "nudge_closed" }

// Type is the name the event is stored under.
func (NudgeDeferred) Type() string { return "nudge_deferred" }

// Entry of a nudge: it is about the work, not about what happened.
func (NudgeAsked) Entry() (EntryKind, string) { return "", "" }

// Entry of a closed question: none.
func (NudgeClosed) Entry() (EntryKind, string) { return "", "" }

// Entry of a snooze: none.
func (NudgeDeferred) Entry() (EntryKind, string) { return "", "" }

func (d NudgeAsked) apply(inc *Incident, e Event) {
	inc.nudged(d.Nudge, func(n *Nudged) {
		n.Round++
		n.AskedAt, n.Person, n.Direct, n.Open = e.RecordedAt, d.Person, d.Direct, true
		n.Outcome, n.By, n.Until = "", Person{}, time.Time{}
		n.Asks++
		if !d.Again {
			n.Asks = 1
		}
	})
}

func (d NudgeClosed) apply(inc *Incident, e Event) {
	inc.nudged(d.Nudge, func(n *Nudged) {
		n.Open, n.Outcome, n.By = false, d.Outcome, e.Actor.Person
	})
}

func (d NudgeDeferred) apply(inc *Incident, _ Event) {
	inc.nudged(d.Nudge, func(n *Nudged) { n.Until = d.Until })
}

// nudged changes what is remembered of a nudge.
func (inc *Incident) nudged(name string, change func(*Nudged)) {
	if inc.Nudges == nil {
		inc.Nudges = map[string]Nudged{}
	} else {
		inc.Nudges = maps.Clone(inc.Nudges)
	}
	n := inc.Nudges[name]
	change(&n)
	inc.Nudges[name] = n
}

// NudgeTarget is the target of the effect that asks a nudge for the nth time.
func NudgeTarget(name string, round int64) string { return name + "/" + strconv.FormatInt(round, 10) }
