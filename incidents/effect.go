package incidents

import (
	"fmt"
	"time"
)

// EffectKind says what an effect makes outside.
type EffectKind string

// The kinds of effects.
const (
	MakeChannel  EffectKind = "channel"  // the incident's channel
	MakeCard     EffectKind = "card"     // the card in it, kept current
	MakePin      EffectKind = "pin"      // the card pinned
	MakeInvite   EffectKind = "invite"   // Target: a user or user group id
	MakeTopic    EffectKind = "topic"    // the channel's topic, kept current
	MakeBookmark EffectKind = "bookmark" // Target: the bookmark's name
	MakeAnnounce EffectKind = "announce" // a message in the announce channel, kept current
	MakePost     EffectKind = "post"     // Target: the Seq of the event told in the channel
	MakeTell     EffectKind = "tell"     // a direct message to Target (the reporter): no channel can be made
	MakeFile     EffectKind = "file"     // Target: the Seq of the event that asked for it
	MakeReply    EffectKind = "reply"    // Target: "C1/<ts>", the thread of the message that the incident was declared from
	MakeChart    EffectKind = "chart"    // Target: the Seq of the event that holds the chart
	MakeRunbook  EffectKind = "runbook"  // Target: the runbook's place; a checklist, kept current
	MakeTask     EffectKind = "task"     // Target: the id of the task, whose message is kept current
	MakeName     EffectKind = "name"     // the channel's name, kept after the title
	MakeNudge    EffectKind = "nudge"    // Target: see [NudgeTarget]; a question, kept current until it is closed
	MakeFetch    EffectKind = "fetch"    // a file of a captured message stored; Target: see FetchTarget
	MakeSilence  EffectKind = "silence"  // at an Alertmanager, kept current; Target: the silence's id
	MakeAlerts   EffectKind = "alerts"   // the list of the incident's alerts, kept current
	MakeClear    EffectKind = "clear"    // the question whether it is over, kept current; Target: its round
	MakePage     EffectKind = "page"     // Target: whom to wake, with a number from the second time on
	MakeArchive  EffectKind = "archive"  // the channel archived; Target: the Seq of the event that ended the incident

	// Of an incident that goes private:.
	MakePrivateChannel EffectKind = "private_channel" // the private channel it goes on in
	MakeRetract        EffectKind = "retract"         // what Houston posted in other channels taken back
	MakeLeave          EffectKind = "leave"           // Target: the channel it had, emptied of Houston's posts and archived

	MakeOffer EffectKind = "offer" // a message about an alert group in the announce channel, kept current
)

// EffectKinds lists all kinds.
func EffectKinds() []EffectKind {
	return []EffectKind{
		MakeChannel, MakeCard, MakePin, MakeInvite, MakeTopic, MakeBookmark, MakeAnnounce, MakePost, MakeTell,
		MakeFile, MakeReply, MakeChart, MakeRunbook, MakeTask, MakeName, MakeNudge, MakeFetch, MakeSilence,
		MakeAlerts, MakeClear, MakePage, MakeArchive, MakePrivateChannel, MakeRetract, MakeLeave, MakeOffer,
		MakeErase, MakeDigest,
	}
}

// EffectState is where an effect stands.
type EffectState string

// The states. Owed effects are tried until they are done or can never be.
const (
	Owed   EffectState = "owed"
	Done   EffectState = "done"
	Failed EffectState = "failed"
)

// Effect is one thing to be made outside, once. Slack, bridges and status pages
// have no idempotency keys, so the row is what makes it once: a worker takes it
// by a lease with a fencing number, and after an outcome nobody knows it first
// looks for its effect by Marker before it tries again.
type Effect struct {
	Key      string // "INC-1/card"; unique
	Kind     EffectKind
	Incident int64  // 0 for an offer
	Group    string // alert group id of an offer
	Target   string

	// Generation counts the times it was made anew by a repair, from 1.
	Generation int64
	// Wanted and Shown are versions (Seq of the incident or of the group): the
	// effect is current when Shown ≥ Wanted. For what is made once and never
	// kept current Wanted is 1.
	Wanted, Shown int64
	// ID is the outside's own id (channel id, message ts, bookmark id), Place
	// the channel it is in. Empty until made.
	ID, Place string
	// ShownAt is when it was last made or edited; edits keep a distance.
	ShownAt time.Time

	// StartedAt is when the attempt began whose outcome is not known, zero when
	// there is none.
	StartedAt  time.Time
	LeaseUntil time.Time
	Fence      int64
	Attempts   int64     // that failed since the last success
	Died       int64     // attempts in a row whose process ended before it could tell
	NextAt     time.Time // not before then; the sweep looks at it again
	Failed     bool
	Reason     string // why it failed or is failing, in words for people
}

// State tells where the effect stands.
func (e Effect) State() EffectState {
	switch {
	case e.Failed:
		return Failed
	case e.ID == "" || e.Shown < e.Wanted:
		return Owed
	default:
		return Done
	}
}

// Made reports whether the effect exists outside, be it current or not.
func (e Effect) Made() bool { return e.ID != "" }

// Marker is what the effect carries outside to be found by again.
func (e Effect) Marker() string { return fmt.Sprintf("%s#%d", e.Key, e.Generation) }

// EffectKey names an incident's effect; target may be empty.
func EffectKey(number int64, kind EffectKind, target string) string {
	if target == "" {
		return fmt.Sprintf("%s/%s", Key(number), kind)
	}
	return fmt.Sprintf("%s/%s/%s", Key(number), kind, target)
}

// OfferKey names the offer of an alert group.
func OfferKey(group string) string { return fmt.Sprintf("alerts/%s/%s", group, MakeOffer) }

// owe makes the row of a new effect of an incident.
func owe(number int64, kind EffectKind, target string, wanted int64) Effect {
	return Effect{
		Key: EffectKey(number, kind, target), Kind: kind, Incident: number, Target: target,
		Generation: 1, Wanted: wanted,
	}
}

// succeed notes that the effect stands outside as of version shown.
func (e *Effect) succeed(id, place string, shown int64, now time.Time) {
	e.ID, e.Place, e.Shown, e.ShownAt = id, place, max(e.Shown, shown), now
	e.StartedAt, e.NextAt = time.Time{}, time.Time{}
	e.Attempts, e.Died, e.Failed, e.Reason = 0, 0, false, ""
}
