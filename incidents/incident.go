package incidents

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Incident is the state of one incident: its events, applied.
type Incident struct {
	Number     int64     `json:"number"`
	Seq        int64     `json:"seq"` // of the last event applied
	Title      string    `json:"title"`
	Summary    string    `json:"summary,omitempty"`
	Impact     string    `json:"impact,omitempty"` // what users notice
	Service    string    `json:"service,omitempty"`
	Severity   Severity  `json:"severity"`
	Status     Status    `json:"status"`
	Detection  Detection `json:"detection"`
	Private    bool      `json:"private,omitempty"`
	Drill      bool      `json:"drill,omitempty"`
	Reporter   Actor     `json:"reporter"`
	ReportedIn string    `json:"reported_in,omitempty"`
	Follows    int64     `json:"follows,omitempty"`
	BridgeURL  string    `json:"bridge_url,omitempty"`
	Channel    *Channel  `json:"channel,omitempty"`
	// Former are the channels it had before, which are archived or were left.
	Former []Channel `json:"former,omitempty"`
	// GoingPrivate is who wants it private while the private channel is made.
	GoingPrivate *Person  `json:"going_private,omitempty"`
	Card         *Message `json:"card,omitempty"`

	Roles map[Role]Person     `json:"roles,omitempty"`
	Times map[KeyTime]Instant `json:"times,omitempty"`
	// Firing counts the alerts that fire now, by alert group id.
	Firing map[string]int `json:"firing,omitempty"`
	// Unseen counts the alerts that senders left out, by alert group id.
	Unseen     map[string]int `json:"unseen,omitempty"`
	Storm      bool           `json:"storm,omitempty"`    // it takes all groups beyond the bound
	Alerted    bool           `json:"alerted,omitempty"`  // alerts belong to it
	Silences   []Silence      `json:"silences,omitempty"` // that Houston made
	Foreign    []string       `json:"foreign,omitempty"`  // ids of silences that others made
	Clear      *AllClear      `json:"clear,omitempty"`    // nil: its alerts were never all resolved
	Runbook    string         `json:"runbook,omitempty"`
	Invite     []string       `json:"invite,omitempty"` // whom the alerts' route invites, by id
	LastUpdate string         `json:"last_update,omitempty"`
	UpdateDue  time.Time      `json:"update_due,omitzero"` // when the next update was promised; zero: nobody said
	// Ended is the Seq of the event that closed, declined or merged it; 0 when
	// it is neither.
	Ended      int64   `json:"ended,omitempty"`
	MergedInto int64   `json:"merged_into,omitempty"` // number
	Absorbed   []int64 `json:"absorbed,omitempty"`    // numbers of those merged into it
	Links      []int64 `json:"links,omitempty"`       // numbers
	// Captured holds the messages that are timeline entries, by channel and ts.
	Captured map[string]Captured `json:"captured,omitempty"`
	Actions  []ActionItem        `json:"actions,omitempty"`
	// LastAction is the highest id an action item has had, be it withdrawn.
	LastAction int64           `json:"last_action,omitempty"`
	Gaps       []Gap           `json:"gaps,omitempty"`
	Postmortem Postmortem      `json:"postmortem,omitzero"`
	Notice     *Notice         `json:"notice,omitempty"` // nil: nothing was published
	UpdatedAt  time.Time       `json:"updated_at"`
	Pages      map[string]Page `json:"pages,omitempty"` // by target: the latest of each
	// Changes are those in the timeline, by their ids.
	Changes map[int64]LinkedChange `json:"changes,omitempty"`

	// Moments that nudges count from, as they were recorded: when it was opened or
	// re-opened, when people were last told how it stands, when anybody but
	// Houston last did anything, when it ended, since when a role is free again.
	OpenedAt time.Time          `json:"opened_at,omitzero"`
	ToldAt   time.Time          `json:"told_at,omitzero"`
	ActiveAt time.Time          `json:"active_at,omitzero"`
	EndedAt  time.Time          `json:"ended_at,omitzero"`
	Vacated  map[Role]time.Time `json:"vacated,omitempty"`
	// DraftSeen says that somebody has taken the postmortem's draft up.
	DraftSeen bool              `json:"draft_seen,omitempty"`
	Nudges    map[string]Nudged `json:"nudges,omitempty"`   // by name
	Tasks     []Task            `json:"tasks,omitempty"`    // replaced, never written to
	Runbooks  []AttachedRunbook `json:"runbooks,omitempty"` // likewise
}

// Channel is a chat channel, by its id; the name is only for reading.
type Channel struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Archived bool   `json:"archived,omitempty"`
	// Lost says that it went into the archive while the incident was open.
	Lost bool `json:"lost,omitempty"`
	// NamedAt is the chat's time stamp of the last name it told; empty: none yet.
	NamedAt string `json:"named_at,omitempty"`
}

// Message is a chat message by its channel's id and its time stamp there.
type Message struct {
	Channel string `json:"channel"`
	TS      string `json:"ts"`
}

// Key is what people call an incident: INC-1.
func Key(number int64) string { return fmt.Sprintf("INC-%d", number) }

// Key is what people call this incident: INC-1.
func (inc Incident) Key() string { return Key(inc.Number) }

// ParseKey reads "INC-12", "inc-12", "#12" or "12".
func ParseKey(text string) (int64, error) {
	t := strings.ToLower(strings.TrimSpace(text))
	t = strings.TrimPrefix(strings.TrimPrefix(t, "inc-"), "#")
	n, err := strconv.ParseInt(t, 10, 64)
	if err != nil || n < 1 {
		return 0, Errorf(Invalid, "%q names no incident. Write it like INC-12.", text)
	}
	return n, nil
}

// Commander gives the person in command, if there is one.
func (inc Incident) Commander() (Person, bool) {
	p, ok := inc.Roles[Commander]
	return p, ok
}

// AlertsUnseen counts the alerts of all groups that senders left out.
func (inc Incident) AlertsUnseen() int {
	sum := 0
	for _, n := range inc.Unseen {
		sum += n
	}
	return sum
}

// AlertsFiring counts the alerts of all groups that fire now.
func (inc Incident) AlertsFiring() int {
	sum := 0
	for _, n := range inc.Firing {
		sum += n
	}
	return sum
}

// Clone copies the incident deeply.
func (inc Incident) Clone() Incident {
	inc.Roles = maps.Clone(inc.Roles)
	inc.Times = maps.Clone(inc.Times)
	inc.Firing = maps.Clone(inc.Firing)
	inc.Vacated = maps.Clone(inc.Vacated)
	inc.Nudges = maps.Clone(inc.Nudges)
	inc.Unseen = maps.Clone(inc.Unseen)
	if inc.Clear != nil {
		c := *inc.Clear
		inc.Clear = &c
	}
	inc.Captured = maps.Clone(inc.Captured) // its slices are replaced, never written to
	inc.Actions = slices.Clone(inc.Actions) // their slices are replaced, never written to
	inc.Gaps = slices.Clone(inc.Gaps)
	inc.Changes = maps.Clone(inc.Changes)
	inc.Pages = maps.Clone(inc.Pages)
	inc.Reporter.Groups = slices.Clone(inc.Reporter.Groups)
	if inc.Channel != nil {
		c := *inc.Channel
		inc.Channel = &c
	}
	if inc.GoingPrivate != nil {
		p := *inc.GoingPrivate
		inc.GoingPrivate = &p
	}
	inc.Former = slices.Clone(inc.Former)
	if inc.Card != nil {
		m := *inc.Card
		inc.Card = &m
	}
	return inc
}

// Apply folds one event into the incident. The event's Seq must be the next one.
func (inc *Incident) Apply(e Event) error {
	if e.Seq != inc.Seq+1 {
		return fmt.Errorf("apply event %d of %s after event %d", e.Seq, Key(e.Incident), inc.Seq)
	}
	inc.Number, inc.Seq, inc.UpdatedAt = e.Incident, e.Seq, e.RecordedAt
	if e.Actor.Via != FromHouston {
		inc.ActiveAt = e.RecordedAt
	}
	e.Data.apply(inc, e)
	return nil
}

// Replay builds an incident from all its events in the order of Seq.
func Replay(events []Event) (Incident, error) {
	var inc Incident
	for _, e := range events {
		if err := inc.Apply(e); err != nil {
			return Incident{}, err
		}
	}
	return inc, nil
}
