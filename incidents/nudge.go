package incidents

import (
	"strings"
	"time"
)

// NudgeKind says what a nudge asks for. What each waits for is in
// nudge_needs.go; a new kind needs a need there and words at the edge.
type NudgeKind string

// The kinds of nudges.
const (
	NudgeCommander      NudgeKind = "no_commander"      // nobody leads
	NudgeUpdate         NudgeKind = "update_due"        // followers have heard nothing for a while
	NudgeCommunications NudgeKind = "no_communications" // nobody informs, on sev1 and sev2
	NudgeStale          NudgeKind = "stale"             // nothing happens in an open incident
	NudgeDraft          NudgeKind = "draft"             // the postmortem's draft waits for its owner
	NudgeAction         NudgeKind = "action_due"        // Target: the id of the action item
)

// Nudge is a question that Houston puts to people when its time has come: a row
// with a due time, so that it survives a restart and is asked once. The rows of
// an incident follow from its state, see [NudgePolicy.Plan]: whatever changes the
// incident writes or takes away its nudges in the same transaction.
type Nudge struct {
	Incident int64
	Kind     NudgeKind
	Target   string
	// Direct is the id of the person who is asked in a direct message; empty: the
	// incident's channel is asked.
	Direct string
	// DueAt is when it is asked, or asked again.
	DueAt time.Time
	// OpenSince is when the question was asked that is still open, zero for none.
	OpenSince time.Time
}

// Name names a nudge within its incident: "update_due", "action_due:3".
func (n Nudge) Name() string { return nudgeName(n.Kind, n.Target) }

func nudgeName(kind NudgeKind, target string) string {
	if target == "" {
		return string(kind)
	}
	return string(kind) + ":" + target
}

// ParseNudge takes the name of a nudge apart.
func ParseNudge(name string) (kind NudgeKind, target string) {
	k, target, _ := strings.Cut(name, ":")
	return NudgeKind(k), target
}

// Nudged is what an incident remembers of one nudge.
type Nudged struct {
	Round   int64     `json:"round"` // counts the messages, from 1
	AskedAt time.Time `json:"asked_at,omitzero"`
	// Asks counts how often it was asked without anything being done about it.
	Asks   int64  `json:"asks,omitempty"`
	Person Person `json:"person,omitzero"` // who was asked; empty: everybody in the channel
	Direct bool   `json:"direct,omitempty"`
	Open   bool   `json:"open,omitempty"`
	// Until is set by a snooze: it is not asked before.
	Until   time.Time    `json:"until,omitzero"`
	Outcome NudgeOutcome `json:"outcome,omitempty"` // of the last question, once it is closed
	By      Person       `json:"by,omitzero"`       // who brought it about
}

// NudgeOutcome says how a question ended.
type NudgeOutcome string

// The outcomes.
const (
	NudgeDone    NudgeOutcome = "done"    // what was asked for has been done, or is needed no more
	NudgeSnoozed NudgeOutcome = "snoozed" // it is asked again later
	NudgePassed  NudgeOutcome = "passed"  // nobody reacted; it is asked again in a message of its own
)

// EveryNudge is the name under which the snooze of all nudges of a channel is
// remembered.
const EveryNudge = "*"
