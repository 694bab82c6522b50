package incidents

import (
	"encoding/json"
	"fmt"
	"time"
)

// Event is one line of an incident's log. Events are never changed: [Amended]
// and [Redacted] are events of their own, and the timeline folds them in.
type Event struct {
	Incident   int64
	Seq        int64     // 1, 2, … within the incident, without gaps
	At         time.Time // when it happened; may be back-dated
	Precision  Precision
	RecordedAt time.Time // when Houston learnt of it
	Actor      Actor
	Data       Data
}

// Data is what an event says. The set is closed: see [Decode].
type Data interface {
	// Type is the name the event is stored under.
	Type() string
	// Entry gives kind and text of the timeline entry; an empty kind means
	// that the event is for Houston only and no entry is shown.
	Entry() (EntryKind, string)
	apply(inc *Incident, e Event)
}

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

// UpdatePosted is a message to everybody who follows the incident.
type UpdatePosted struct {
	Text string `json:"text"`
}

// RoleAssigned gives a role to a person; an empty person frees it.
type RoleAssigned struct {
	Role     Role   `json:"role"`
	Person   Person `json:"person"`
	Previous Person `json:"previous"`
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
}

// AlertsReceived sums up what one delivery changed. Names holds a few alert
// names for reading, never all of ten thousand.
type AlertsReceived struct {
	Group    string   `json:"group"`
	Fired    int      `json:"fired"`
	Resolved int      `json:"resolved"`
	Firing   int      `json:"firing"` // alerts of the group that fire now
	Names    []string `json:"names,omitempty"`
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
	Seq  int64      `json:"seq"`
	Text string     `json:"text,omitempty"`
	Kind EntryKind  `json:"kind,omitempty"`
	At   *time.Time `json:"at,omitempty"`
}

// Redacted takes the entry of an earlier event out of the timeline.
type Redacted struct {
	Seq    int64  `json:"seq"`
	Reason string `json:"reason,omitempty"`
}

// Type names of the events, as stored.
func (Declared) Type() string        { return "declared" }
func (StatusChanged) Type() string   { return "status_changed" }
func (SeverityChanged) Type() string { return "severity_changed" }
func (UpdatePosted) Type() string    { return "update_posted" }
func (RoleAssigned) Type() string    { return "role_assigned" }
func (KeyTimeSet) Type() string      { return "key_time_set" }
func (Renamed) Type() string         { return "renamed" }
func (Noted) Type() string           { return "noted" }
func (AlertsReceived) Type() string  { return "alerts_received" }
func (ChannelOpened) Type() string   { return "channel_opened" }
func (CardPosted) Type() string      { return "card_posted" }
func (EffectFailed) Type() string    { return "effect_failed" }
func (EffectMended) Type() string    { return "effect_mended" }
func (RepairAsked) Type() string     { return "repair_asked" }
func (Amended) Type() string         { return "amended" }
func (Redacted) Type() string        { return "redacted" }

// Decode reads an event's data as it was stored under its type name.
func Decode(name string, raw []byte) (Data, error) {
	switch name {
	case Declared{}.Type():
		return decode[Declared](raw)
	case StatusChanged{}.Type():
		return decode[StatusChanged](raw)
	case SeverityChanged{}.Type():
		return decode[SeverityChanged](raw)
	case UpdatePosted{}.Type():
		return decode[UpdatePosted](raw)
	case RoleAssigned{}.Type():
		return decode[RoleAssigned](raw)
	case KeyTimeSet{}.Type():
		return decode[KeyTimeSet](raw)
	case Renamed{}.Type():
		return decode[Renamed](raw)
	case Noted{}.Type():
		return decode[Noted](raw)
	case AlertsReceived{}.Type():
		return decode[AlertsReceived](raw)
	case ChannelOpened{}.Type():
		return decode[ChannelOpened](raw)
	case CardPosted{}.Type():
		return decode[CardPosted](raw)
	case EffectFailed{}.Type():
		return decode[EffectFailed](raw)
	case EffectMended{}.Type():
		return decode[EffectMended](raw)
	case RepairAsked{}.Type():
		return decode[RepairAsked](raw)
	case Amended{}.Type():
		return decode[Amended](raw)
	case Redacted{}.Type():
		return decode[Redacted](raw)
	case CaptureShared{}.Type():
		return decode[CaptureShared](raw)
	case CaptureReleased{}.Type():
		return decode[CaptureReleased](raw)
	case ActionAdded{}.Type():
		return decode[ActionAdded](raw)
	case NoticePublished{}.Type():
		return decode[NoticePublished](raw)
	case NoticeWithdrawn{}.Type():
		return decode[NoticeWithdrawn](raw)
	case DraftReady{}.Type():
		return decode[DraftReady](raw)
	case ExportAsked{}.Type():
		return decode[ExportAsked](raw)
	default:
		return nil, fmt.Errorf("event type %q is not known to this version", name)
	}
}

func decode[T Data](raw []byte) (Data, error) {
	var data T
	if err := json.Unmarshal(raw, &data); err != nil {
		return nil, fmt.Errorf("decode %s event: %w", data.Type(), err)
	}
	return data, nil
}
