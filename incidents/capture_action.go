package incidents

import "slices"

// ActionWithdrawn takes an action item back that nobody has worked on: the last
// ✅ was taken from the message that it came from.
type ActionWithdrawn struct {
	ID      int64    `json:"id"`
	Message *Message `json:"message,omitempty"` // that it came from
}

// Type is the name the event is stored under.
func (ActionWithdrawn) Type() string { return "action_withdrawn" }

// Entry of an action item taken back: none.
func (ActionWithdrawn) Entry() (EntryKind, string) { return "", "" }

func (d ActionWithdrawn) apply(inc *Incident, _ Event) {
	inc.Actions = slices.DeleteFunc(slices.Clone(inc.Actions), func(item ActionItem) bool { return item.ID == d.ID })
	if d.Message == nil {
		return
	}
	c := inc.Captured[captureKey(*d.Message)]
	c.Action = 0
	inc.capture(*d.Message, c)
}

// untouched reports whether an action item is as the message was that it came
// from: nobody has taken it, and no date is set.
func (a ActionItem) untouched() bool {
	return a.Owner == (Person{}) && a.Due+a.DoneWhen+string(a.Priority)+a.Link == "" && a.Stands() == ActionOpen
}

// action gives the index of an action item, -1 when there is none of this id.
func (inc Incident) action(id int64) int {
	return slices.IndexFunc(inc.Actions, func(item ActionItem) bool { return item.ID == id })
}
