package incidents

import (
	"slices"
	"time"
)

// ActionType says what an action item is for.
type ActionType string

// The types of action items.
const (
	Prevent     ActionType = "prevent"
	Detect      ActionType = "detect"
	MitigateIt  ActionType = "mitigate"
	RepairIt    ActionType = "repair"
	Process     ActionType = "process"
	Investigate ActionType = "investigate"
)

// ActionItem is something to be done so that this does not happen again.
type ActionItem struct {
	ID    int64      `json:"id"` // 1, 2, … within the incident
	Text  string     `json:"text"`
	Type  ActionType `json:"type,omitempty"`
	Owner Person     `json:"owner"`
	Due   string     `json:"due,omitempty"` // YYYY-MM-DD; empty: not set yet
	// Gap marks the item that closes the monitoring gap.
	Gap bool `json:"gap,omitempty"`
	// Proposed items were put forward by Houston; nobody has taken them yet.
	Proposed bool `json:"proposed,omitempty"`

	Priority Priority `json:"priority,omitempty"`
	// DoneWhen is what can be seen when it is done.
	DoneWhen string `json:"done_when,omitempty"`
	// Answers lists what the item is for: "gap:1", "factor:2", "lesson:1", each
	// counted from 1.
	Answers []string    `json:"answers,omitempty"`
	Link    string      `json:"link,omitempty"` // to a tracker
	State   ActionState `json:"state,omitempty"`
	Reason  string      `json:"reason,omitempty"`  // why it will not be done
	Outcome string      `json:"outcome,omitempty"` // how DoneWhen was met
	DoneBy  Person      `json:"done_by,omitzero"`
	DoneAt  time.Time   `json:"done_at,omitzero"`
	// VerifiedBy saw that it works, and Verification says what was seen.
	VerifiedBy   Person `json:"verified_by,omitzero"`
	Verification string `json:"verification,omitempty"`

	// Message is the chat message it was made of, nil for none.
	Message   *Message `json:"message,omitempty"`
	Permalink string   `json:"permalink,omitempty"` // to that message
}

// ActionAdded adds an action item.
type ActionAdded struct {
	Item ActionItem `json:"item"`
}

// Type is the name the event is stored under.
func (ActionAdded) Type() string { return "action_added" }

// Entry of an action item: it is for afterwards, not part of what happened.
func (ActionAdded) Entry() (EntryKind, string) { return "", "" }

func (d ActionAdded) apply(inc *Incident, e Event) {
	inc.Actions = append(inc.Actions, d.Item)
	inc.LastAction = max(inc.LastAction, d.Item.ID)
	if d.Item.Message == nil {
		return
	}
	c := inc.Captured[captureKey(*d.Item.Message)]
	c.Action = d.Item.ID
	inc.capture(*d.Item.Message, c.with(MarkAction, e.Actor.ID, true))
}

// AddAction adds an action item.
type AddAction struct {
	Request

	Text  string
	Owner Person     // empty: nobody yet
	Due   string     // YYYY-MM-DD; empty: not set yet
	Type  ActionType // empty: prevent
	// Priority is empty while nobody has said, and so are DoneWhen, Answers and
	// Link; see [ActionItem].
	Priority Priority
	DoneWhen string
	Answers  []string
	Link     string
	// Message is the chat message that it is made of, nil for none, and Permalink
	// the way there.
	Message   *Message
	Permalink string
}

func (c AddAction) decide(d *decision) error {
	text, err := requireText(c.Text, "An action item needs a text. Write it like: action Give slow requests a pool of their own @owner due 2030-01-31")
	if err != nil {
		return err
	}
	if err := checkDue(c.Due, d.now); err != nil {
		return About("due", err)
	}
	when, err := cleanText(c.DoneWhen)
	if err != nil {
		return About("done_when", err)
	}
	address, err := cleanText(c.Link)
	if err != nil {
		return About("link", err)
	}
	if c.Message != nil {
		switch known := d.inc.Captured[captureKey(*c.Message)]; {
		case known.Hidden:
			return Errorf(Conflict, "This message was redacted in %s. Write the action item with `action <text>`.", d.inc.Key())
		case known.Action != 0:
			return Errorf(Conflict, "This message is action item %d of %s already.", known.Action, d.inc.Key())
		}
	}
	d.addAction(ActionItem{
		Text: text, Owner: c.Owner, Due: c.Due, Type: orElse(c.Type, Prevent), Priority: c.Priority,
		DoneWhen: when, Answers: c.Answers, Link: address, Message: c.Message, Permalink: c.Permalink,
	})
	d.tell()
	return nil
}

func (d *decision) addAction(item ActionItem) {
	item.ID = max(d.inc.LastAction, int64(len(d.inc.Actions))) + 1
	d.record(ActionAdded{Item: item})
}

// ByPerson reports whether a person noticed the incident before any alert did:
// then monitoring has a gap.
func (d Detection) ByPerson() bool {
	switch d {
	case ByEmployee, ByCustomer, ByPartner, ByVendor, ByChance:
		return true
	default:
		return false
	}
}

// proposal is the text of the action item that Houston puts forward for what
// alerts did not tell.
func proposal(signal string) Phrase {
	return Phrasef("Alert on what made %q noticeable, before a person has to report it", cut(signal, 120))
}

// Told is the text of an action item where it is still Houston's own; false
// where a person wrote it.
func (inc Incident) Told(item ActionItem) (Phrase, bool) {
	for _, g := range inc.Gaps {
		if p := proposal(g.Signal); slices.Contains(item.Answers, AnswersGap(g.ID)) && item.Text == p.String() {
			return p, true
		}
	}
	return Phrase{}, false
}

// proposeGap puts the action item forward that closes the monitoring gap, once.
func (d *decision) proposeGap() {
	if !d.inc.Detection.ByPerson() || d.inc.Drill {
		return
	}
	for _, item := range d.inc.Actions {
		if item.Gap {
			return
		}
	}
	gap := d.addGap(Gap{Kind: GapNoAlert, Signal: d.inc.Title, State: GapOpen, Proposed: true})
	d.addAction(ActionItem{
		Text: proposal(d.inc.Title).String(),
		Type: Detect, Gap: true, Proposed: true, Answers: []string{AnswersGap(gap)},
	})
}
