package incidents

import "time"

// Declared begins every incident.
type Declared struct {
	Title      string              `json:"title"`
	Summary    string              `json:"summary,omitempty"`
	Service    string              `json:"service,omitempty"`
	Severity   Severity            `json:"severity"`
	Status     Status              `json:"status"`
	Detection  Detection           `json:"detection"`
	Private    bool                `json:"private,omitempty"`
	Drill      bool                `json:"drill,omitempty"`
	BridgeURL  string              `json:"bridge_url,omitempty"`
	ReportedIn string              `json:"reported_in,omitempty"` // id of the channel the report came from
	Follows    int64               `json:"follows,omitempty"`     // number of an earlier incident of the same alerts
	Times      map[KeyTime]Instant `json:"times,omitempty"`
	Storm      bool                `json:"storm,omitempty"`   // for all groups beyond the bound on incidents that alerts open
	Runbook    string              `json:"runbook,omitempty"` // a link
	Invite     []string            `json:"invite,omitempty"`  // ids of users and user groups, beside the configured ones
	Page       []string            `json:"page,omitempty"`    // whom the alerts' route wakes
}

// StatusChanged moves the incident on (or back).
type StatusChanged struct {
	From Status `json:"from"`
	To   Status `json:"to"`
	Text string `json:"text,omitempty"`
}

// SeverityChanged re-rates the incident.
type SeverityChanged struct {
	From Severity `json:"from"`
	To   Severity `json:"to"`
}

// RoleAssigned gives a role to a person; an empty person frees it.
type RoleAssigned struct {
	Role     Role   `json:"role"`
	Person   Person `json:"person"`
	Previous Person `json:"previous"`
	// Summary is what the one who takes over has to know.
	Summary string `json:"summary,omitempty"`
}

// KeyTimeSet states one of the key times, or takes it back when Instant is zero.
type KeyTimeSet struct {
	Key     KeyTime `json:"key"`
	Instant Instant `json:"instant"`
}

// Renamed gives the incident another title.
type Renamed struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Noted is a line somebody put into the timeline.
type Noted struct {
	Kind      EntryKind `json:"kind"`
	Text      string    `json:"text"`
	Permalink string    `json:"permalink,omitempty"`
	// Message and Author are set when it is a captured chat message.
	Message *Message `json:"message,omitempty"`
	Author  Person   `json:"author,omitzero"`
	Mark    Mark     `json:"mark,omitempty"` // that made it an entry; empty: timeline
	Files   []File   `json:"files,omitempty"`
	// Until is when it was over; zero: it is a moment.
	Until Instant `json:"until,omitzero"`
	// Significant says that it is a key moment.
	Significant bool `json:"significant,omitempty"`
}

// AlertsReceived sums up what one delivery changed. Names holds a few alert
// names for reading, never all of ten thousand.
type AlertsReceived struct {
	Group    string   `json:"group"`
	Fired    int      `json:"fired"`
	Resolved int      `json:"resolved"`
	Firing   int      `json:"firing"`           // alerts of the group that fire now
	Unseen   int      `json:"unseen,omitempty"` // alerts that the sender left out: nobody knows of them
	Names    []string `json:"names,omitempty"`
	// Presumed says that the sender does not know the resolved ones any more.
	Presumed bool `json:"presumed,omitempty"`
	// Lapsed says that the sender sends the resolved ones no more.
	Lapsed bool `json:"lapsed,omitempty"`
	// Elsewhere says that the resolved ones go on in another group.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// ChannelOpened records the incident's channel.
type ChannelOpened struct {
	Channel Channel `json:"channel"`
}

// CardPosted records where the card stands.
type CardPosted struct {
	Card Message `json:"card"`
}

// EffectFailed records, once, that something outside can not be done: for good
// (Final) or, after a few tries, not yet.
type EffectFailed struct {
	Effect string `json:"effect"`
	Reason string `json:"reason"`
	Final  bool   `json:"final,omitempty"`
}

// EffectMended records that something that was failing has been made after all.
type EffectMended struct {
	Effect string `json:"effect"`
}

// RepairAsked has Houston look at everything it made and re-create what is missing.
type RepairAsked struct{}

// Amended corrects the entry of an earlier event. Empty fields stay as they were.
type Amended struct {
	Seq       int64      `json:"seq"`
	Text      string     `json:"text,omitempty"`
	Kind      EntryKind  `json:"kind,omitempty"`
	At        *time.Time `json:"at,omitempty"`
	Precision Precision  `json:"precision,omitempty"` // of At; empty: that stays
	Until     *Instant   `json:"until,omitempty"`     // zero: it is a moment again
	Permalink string     `json:"permalink,omitempty"`
	Internal  *bool      `json:"internal,omitempty"`
	// Significant says that it is a key moment, or is none.
	Significant *bool `json:"significant,omitempty"`
	// Deleted says that the message was deleted where it was written.
	Deleted bool `json:"deleted,omitempty"`
}

// Redacted takes the entry of an earlier event out of the timeline.
type Redacted struct {
	Seq    int64  `json:"seq"`
	Reason string `json:"reason,omitempty"`
	// Hidden says that somebody wants the words gone (see [Redact]); without it
	// nobody wants the message in the timeline any more.
	Hidden bool `json:"hidden,omitempty"`
	// Clears names what of the incident still said these words: summary, impact
	// or update.
	Clears []string `json:"clears,omitempty"`
}

// Type is the name the event is stored under.
func (Declared) Type() string { return "declared" }

// Type is the name the event is stored under.
func (StatusChanged) Type() string { return "status_changed" }

// Type is the name the event is stored under.
func (SeverityChanged) Type() string { return "severity_changed" }

// Type is the name the event is stored under.
func (RoleAssigned) Type() string { return "role_assigned" }

// Type is the name the event is stored under.
func (KeyTimeSet) Type() string { return "key_time_set" }

// Type is the name the event is stored under.
func (Renamed) Type() string { return "renamed" }

// Type is the name the event is stored under.
func (Noted) Type() string { return "noted" }

// Type is the name the event is stored under.
func (AlertsReceived) Type() string { return "alerts_received" }

// Type is the name the event is stored under.
func (ChannelOpened) Type() string { return "channel_opened" }

// Type is the name the event is stored under.
func (CardPosted) Type() string { return "card_posted" }

// Type is the name the event is stored under.
func (EffectFailed) Type() string { return "effect_failed" }

// Type is the name the event is stored under.
func (EffectMended) Type() string { return "effect_mended" }

// Type is the name the event is stored under.
func (RepairAsked) Type() string { return "repair_asked" }

// Type is the name the event is stored under.
func (Amended) Type() string { return "amended" }

// Type is the name the event is stored under.
func (Redacted) Type() string { return "redacted" }
