package incidents

import "time"

// Job is work to be done after the commit. Jobs carry ids and versions, never
// content: a worker reads what is true when it runs, so repeats and
// reorderings are harmless.
type Job interface{ Kind() string }

// OpenChannel walks the critical path of one incident: the channel, then the
// card beside the reporter's invitation, then the pin.
type OpenChannel struct {
	Incident int64 `json:"incident"`
}

// RunEffect makes one effect, or brings it up to date.
type RunEffect struct {
	Effect  string `json:"effect"`
	Version int64  `json:"version"` // so that no repeat is swallowed as a duplicate
}

// RepairIncident looks at all that was made for an incident and has made anew
// what is missing.
type RepairIncident struct {
	Incident int64 `json:"incident"`
	Version  int64 `json:"version"`
}

// CaptureMessage has a person's mark set on a chat message, or taken from it.
type CaptureMessage struct {
	Channel string `json:"channel"`
	TS      string `json:"ts"`
	User    string `json:"user"` // whose mark it is
	Added   bool   `json:"added"`
	// Pin says that the message carries the person's reaction for as long as he
	// wants the mark; without it (a shortcut) there is nothing to look at.
	Pin   bool   `json:"pin"`
	Mark  Mark   `json:"mark,omitempty"` // empty: timeline
	Event string `json:"event"`          // of the delivery, so that no later one is swallowed as a duplicate
}

// FollowMessage has the entry of a captured chat message follow its edits and
// its deletion.
type FollowMessage struct {
	Channel string `json:"channel"`
	TS      string `json:"ts"`
	Event   string `json:"event"`
}

// OfferDeclaring asks a person who wrote a message whether it is an incident.
type OfferDeclaring struct {
	Channel string `json:"channel"`
	TS      string `json:"ts"`
	User    string `json:"user"`
	// Mention says that the message called Houston, so that it counts in any channel.
	Mention bool   `json:"mention"`
	Event   string `json:"event"`
}

// Kind names the job in the queue.
func (CaptureMessage) Kind() string { return "capture_message" }

// Kind names the job in the queue.
func (FollowMessage) Kind() string { return "follow_message" }

// Kind names the job in the queue.
func (OfferDeclaring) Kind() string { return "offer_declaring" }

// Kind names the job in the queue.
func (RepairIncident) Kind() string { return "repair_incident" }

// Kind names the job in the queue.
func (OpenChannel) Kind() string { return "open_channel" }

// Urgent says that people are waiting for it: no other job may hold it up.
func (OpenChannel) Urgent() bool { return true }

// Kind names the job in the queue.
func (RunEffect) Kind() string { return "run_effect" }

// Scheduled is a job that is not due before At.
type Scheduled struct {
	Job

	At time.Time
}

// Change is all that a command does: the incident as it is afterwards, what
// happened, the effects owed and the jobs that work on them. A store writes it
// in one transaction or not at all.
type Change struct {
	Incident Incident
	Events   []Event
	// Effects are inserted when new. Of a row that exists Wanted is raised,
	// never lowered, and nothing else is touched unless Generation is higher:
	// that starts the row anew.
	Effects []Effect
	// Settles writes effects back whose lease the caller holds and frees the
	// lease: all fields but Wanted, which keeps the higher of the two values. It
	// fails with [ErrStale] when the row's Fence is not the effect's.
	Settles []Effect
	// Wakes says that what the incident's effects wait for is there: those that
	// merely wait are due at once.
	Wakes bool
	Jobs  []Job
	// Nudges are, when they are Planned, all that the incident wants to be asked
	// from now on; they take the place of those there are.
	Nudges  []Nudge
	Planned bool
	// Revisions and Publications of the incident's postmortem are inserted.
	Revisions    []Revision
	Publications []Publication
}

// Once makes an action happen once however often it is delivered.
type Once struct {
	Key    string        // unique in the world, for example "command/<trigger id>"; empty: no guard
	Digest string        // of the content; the same key with another digest is a Mismatch
	Keep   time.Duration // how long it is remembered at least
}
