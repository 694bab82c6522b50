package incidents

import (
	"slices"
	"strings"
	"time"
)

// ActionState is where an action item stands.
type ActionState string

// The states. An item is done when somebody says how its done-when was met; one
// whose type asks for it is verified by another person afterwards.
const (
	ActionOpen       ActionState = "open"
	ActionInProgress ActionState = "in_progress"
	ActionDone       ActionState = "done"
	ActionVerified   ActionState = "verified"
	ActionDropped    ActionState = "wont_do"
)

// ActionStates lists all of them in order.
func ActionStates() []ActionState {
	return []ActionState{ActionOpen, ActionInProgress, ActionDone, ActionVerified, ActionDropped}
}

// ParseActionState reads a state.
func ParseActionState(text string) (ActionState, error) {
	if s := ActionState(strings.ToLower(strings.TrimSpace(text))); slices.Contains(ActionStates(), s) {
		return s, nil
	}
	return "", Errorf(Invalid, "%q is no state of an action item. Use one of open, in_progress, done, verified, wont_do.", text)
}

// ActionTypes lists the types of action items.
func ActionTypes() []ActionType {
	return []ActionType{Prevent, Detect, MitigateIt, RepairIt, Process, Investigate}
}

// ParseActionType reads a type.
func ParseActionType(text string) (ActionType, error) {
	if t := ActionType(strings.ToLower(strings.TrimSpace(text))); slices.Contains(ActionTypes(), t) {
		return t, nil
	}
	return "", Errorf(Invalid, "%q is no type of an action item. Use one of prevent, detect, mitigate, repair, process, investigate.", text)
}

// Verified reports whether an item of this type counts only when another person
// has seen that it works: what is to prevent or to detect proves nothing by
// being finished.
func (t ActionType) Verified() bool { return t == Prevent || t == Detect }

// Priority of an action item, p0 (now) to p3. Empty: not set yet.
type Priority string

// The priorities.
const (
	P0 Priority = "p0"
	P1 Priority = "p1"
	P2 Priority = "p2"
	P3 Priority = "p3"
)

// Priorities lists all of them, the most urgent first.
func Priorities() []Priority { return []Priority{P0, P1, P2, P3} }

// ParsePriority reads "P1", "p1" or "1".
func ParsePriority(text string) (Priority, error) {
	t := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "p")
	if p := Priority("p" + t); slices.Contains(Priorities(), p) {
		return p, nil
	}
	return "", Errorf(Invalid, "%q is no priority. Use one of p0 (now), p1, p2, p3.", text)
}

// Stands gives the state of an item, open where nothing was said.
func (a ActionItem) Stands() ActionState { return orElse(a.State, ActionOpen) }

// Unfinished reports whether somebody still has to do something: work on it, or
// verify it.
func (a ActionItem) Unfinished() bool {
	switch a.Stands() {
	case ActionOpen, ActionInProgress:
		return true
	case ActionDone:
		return a.Type.Verified()
	default:
		return false
	}
}

// Missing lists which fields an item lacks before its postmortem is approved, by
// their names in the API.
func (a ActionItem) Missing() []string {
	var missing []string
	for _, f := range []struct {
		name string
		lack bool
	}{{"owner", a.Owner == Person{}}, {"due", a.Due == ""}, {"priority", a.Priority == ""}, {"done_when", a.DoneWhen == ""}} {
		if f.lack {
			missing = append(missing, f.name)
		}
	}
	return missing
}

// ActionChanged says what an action item is from now on.
type ActionChanged struct {
	Item   ActionItem `json:"item"`
	Fields []string   `json:"fields"` // what was changed
}

// Type is the name the event is stored under.
func (ActionChanged) Type() string { return "action_changed" }

// Entry of a change to an action item: none.
func (ActionChanged) Entry() (EntryKind, string) { return "", "" }

func (d ActionChanged) apply(inc *Incident, _ Event) {
	inc.Actions = slices.Clone(inc.Actions)
	for i, item := range inc.Actions {
		if item.ID == d.Item.ID {
			inc.Actions[i] = d.Item
		}
	}
}

// Action finds an action item by its id.
func (inc Incident) Action(id int64) (ActionItem, bool) {
	for _, item := range inc.Actions {
		if item.ID == id {
			return item, true
		}
	}
	return ActionItem{}, false
}

func (d *decision) action(id int64) (ActionItem, error) {
	item, ok := d.inc.Action(id)
	if !ok {
		return item, Errorf(NotFound, "%s has no action item %d.", d.inc.Key(), id)
	}
	return item, nil
}

// ChangeAction changes an action item. Nil fields stay as they are. Whoever
// changes a proposed one has taken it.
type ChangeAction struct {
	Request

	ID       int64
	Text     *string
	Owner    *Person
	Due      *string // YYYY-MM-DD; "": none
	Type     *ActionType
	Priority *Priority
	DoneWhen *string
	Answers  *[]string
	Link     *string
	// Gate refuses what others changed meanwhile, judged inside the transaction;
	// nil: nothing is refused.
	Gate func(ActionItem) error
}

func (c ChangeAction) decide(d *decision) error {
	item, err := d.action(c.ID)
	if err != nil {
		return err
	}
	if c.Gate != nil {
		if err := c.Gate(item); err != nil {
			return err
		}
	}
	before := item
	for _, set := range []struct {
		name string
		to   *string
		from *string
	}{{"text", &item.Text, c.Text}, {"done_when", &item.DoneWhen, c.DoneWhen}, {"link", &item.Link, c.Link}, {"due", &item.Due, c.Due}} {
		if set.from == nil {
			continue
		}
		if *set.to, err = cleanText(*set.from); err != nil {
			return About(set.name, err)
		}
	}
	if item.Text == "" {
		return Errorf(Invalid, "An action item needs a text. Write it like: action Give slow requests a pool of their own @owner due 2030-01-31")
	}
	if item.Due != before.Due {
		if err := checkDue(item.Due, d.now); err != nil {
			return About("due", err)
		}
	}
	item.Owner, item.Type, item.Priority = orSet(c.Owner, item.Owner), orSet(c.Type, item.Type), orSet(c.Priority, item.Priority)
	item.Answers = slices.Clone(orSet(c.Answers, item.Answers))
	item.Proposed = false
	fields := changedFields(before, item)
	if len(fields) == 0 {
		return nil
	}
	d.record(ActionChanged{Item: item, Fields: fields})
	return nil
}

func orSet[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

func checkDue(due string, now time.Time) error {
	if due == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, due); err != nil {
		return Errorf(Invalid, "%q is no date. Write the due date like 2030-01-31.", due)
	}
	// Somewhere on earth it is still yesterday.
	if due < now.AddDate(0, 0, -1).Format(time.DateOnly) {
		return Errorf(Invalid, "%s is over. Write a due date that is still to come, like %s.", due, now.AddDate(0, 0, 14).Format(time.DateOnly))
	}
	return nil
}

func changedFields(a, b ActionItem) []string {
	var fields []string
	for _, f := range []struct {
		name string
		same bool
	}{
		{"text", a.Text == b.Text},
		{"owner", a.Owner == b.Owner},
		{"due", a.Due == b.Due},
		{"type", a.Type == b.Type},
		{"priority", a.Priority == b.Priority},
		{"done_when", a.DoneWhen == b.DoneWhen},
		{"answers", slices.Equal(a.Answers, b.Answers)},
		{"link", a.Link == b.Link},
		{"proposed", a.Proposed == b.Proposed},
	} {
		if !f.same {
			fields = append(fields, f.name)
		}
	}
	return fields
}

// MoveAction takes an action item to another state. Note says how its done-when
// was met (done), what was seen (verified) or why it is not done (wont_do).
type MoveAction struct {
	Request

	ID   int64
	To   ActionState
	Note string
	// DoneWhen is written down first where the item does not say it yet.
	DoneWhen string
	// Gate refuses what others changed meanwhile, judged inside the transaction;
	// nil: nothing is refused.
	Gate func(ActionItem) error
}

func (c MoveAction) decide(d *decision) error {
	item, err := d.action(c.ID)
	if err != nil {
		return err
	}
	if c.Gate != nil {
		if err := c.Gate(item); err != nil {
			return err
		}
	}
	fields := []string{"state"}
	if when, err := cleanText(c.DoneWhen); err != nil {
		return About("done_when", err)
	} else if when != "" && item.DoneWhen == "" {
		item.DoneWhen, fields = when, []string{"done_when", "state"}
	}
	note, err := cleanText(c.Note)
	if err != nil {
		return About("note", err)
	}
	if err := c.allowed(item, note); err != nil {
		return err
	}
	item.State, item.Proposed = c.To, false
	switch c.To {
	case ActionDone:
		item.Outcome, item.DoneBy, item.DoneAt, item.Reason = note, c.Actor.Person, d.now, ""
	case ActionVerified:
		item.VerifiedBy, item.Verification = c.Actor.Person, note
	case ActionDropped:
		item.Reason = note
	case ActionOpen, ActionInProgress:
		item.Outcome, item.Reason, item.Verification = "", "", ""
		item.DoneBy, item.VerifiedBy, item.DoneAt = Person{}, Person{}, time.Time{}
	}
	d.record(ActionChanged{Item: item, Fields: fields})
	d.tell()
	return nil
}

func (c MoveAction) allowed(item ActionItem, note string) error {
	stands := item.Stands()
	switch {
	case c.To == stands:
		return Errorf(Conflict, "Action item %d is %s already.", item.ID, stands)
	case c.To == ActionDone && item.DoneWhen == "":
		return About("done_when", Errorf(Conflict, "Action item %d does not say when it is done. Write that down first; then say how it was met.", item.ID))
	case c.To == ActionDone && stands == ActionVerified:
		return Errorf(Conflict, "Action item %d is verified already.", item.ID)
	case c.To == ActionDone && note == "":
		return About("note", Errorf(Invalid, "Action item %d is done when: %s. Say how that was met.", item.ID, item.DoneWhen))
	case c.To == ActionVerified && stands != ActionDone:
		return Errorf(Conflict, "Action item %d is %s; it can be verified once it is done.", item.ID, stands)
	case c.To == ActionVerified && SamePerson(c.Actor.Person, item.DoneBy):
		return Errorf(Forbidden, "Somebody other than the one who did it verifies action item %d.", item.ID)
	case c.To == ActionDropped && note == "":
		return About("note", Errorf(Invalid, "Say why action item %d will not be done; the reason is kept.", item.ID))
	default:
		return nil
	}
}

// SamePerson compares people by id, since names change; those without one (programs) by name.
func SamePerson(a, b Person) bool {
	if a.ID != "" || b.ID != "" {
		return a.ID == b.ID
	}
	return a.Name == b.Name
}
