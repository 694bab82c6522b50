package incidents

import (
	"maps"
	"slices"
)

// Mark is what somebody asks of a chat message, by a reaction or a shortcut.
type Mark string

// The marks. Each of the first three makes the message a timeline entry.
const (
	MarkTimeline Mark = "timeline" // 📌
	MarkEvidence Mark = "evidence" // 📈: the entry is evidence
	MarkInternal Mark = "internal" // 🔒: the entry is for the inside only
	MarkAction   Mark = "action"   // ✅: the message becomes an action item
)

// Captured is a chat message that became a timeline entry, an action item or both.
type Captured struct {
	Seq int64    `json:"seq"` // of the entry; 0: it is none, only an action item
	By  []string `json:"by"`  // who put it into the timeline, by id
	// Marks holds who set the other marks. The last to take his mark away takes
	// away what it made.
	Marks  map[Mark][]string `json:"marks,omitempty"`
	Action int64             `json:"action,omitempty"` // id of the action item; 0: none
	// Hidden says that the entry was redacted: no other mark brings it back.
	Hidden bool `json:"hidden,omitempty"`
	// Gone says that the message was deleted.
	Gone bool `json:"gone,omitempty"`
	// Copy is the Seq of the entry that a merge took along; 0: there is none.
	Copy int64 `json:"copy,omitempty"`
	// Files says that files came with it.
	Files bool `json:"files,omitempty"`
}

// Holders lists who set a mark, by id.
func (c Captured) Holders(mark Mark) []string {
	if mark == MarkTimeline {
		return c.By
	}
	return c.Marks[mark]
}

// with gives the same with a person holding a mark, or holding it no longer.
func (c Captured) with(mark Mark, person string, holds bool) Captured {
	held := slices.DeleteFunc(slices.Clone(c.Holders(mark)), func(id string) bool { return id == person })
	if holds {
		held = append(held, person)
	}
	if mark == MarkTimeline {
		c.By = held
		return c
	}
	c.Marks = maps.Clone(c.Marks)
	if len(held) == 0 {
		delete(c.Marks, mark)
	} else {
		if c.Marks == nil {
			c.Marks = map[Mark][]string{}
		}
		c.Marks[mark] = held
	}
	if len(c.Marks) == 0 {
		c.Marks = nil
	}
	return c
}

// entered reports whether anybody still wants the message in the timeline.
func (c Captured) entered() bool {
	return len(c.By)+len(c.Marks[MarkEvidence])+len(c.Marks[MarkInternal]) > 0
}

// captureKey names a message in [Incident.Captured].
func captureKey(m Message) string { return m.Channel + "/" + m.TS }

// CapturedAs tells what a chat message has become in this incident, if anything.
func (inc Incident) CapturedAs(m Message) (Captured, bool) {
	c, ok := inc.Captured[captureKey(m)]
	return c, ok
}

// capture keeps what a message has become, or forgets it when nothing is left.
func (inc *Incident) capture(m Message, c Captured) {
	if c.Action == 0 && c.Copy == 0 && !c.Hidden && !c.entered() && len(c.Marks) == 0 {
		delete(inc.Captured, captureKey(m))
		return
	}
	if inc.Captured == nil {
		inc.Captured = map[string]Captured{}
	}
	inc.Captured[captureKey(m)] = c
}

// CaptureShared says that one more person set a mark on a captured message.
type CaptureShared struct {
	Message Message `json:"message"`
	Mark    Mark    `json:"mark,omitempty"` // empty: timeline
}

// CaptureReleased says that somebody took his mark away.
type CaptureReleased struct {
	Message Message `json:"message"`
	Mark    Mark    `json:"mark,omitempty"` // empty: timeline
}

// Type is the name the event is stored under.
func (CaptureShared) Type() string { return "capture_shared" }

// Type is the name the event is stored under.
func (CaptureReleased) Type() string { return "capture_released" }

// Entry of one more mark: none, the message is an entry already.
func (CaptureShared) Entry() (EntryKind, string) { return "", "" }

// Entry of a mark taken away: none.
func (CaptureReleased) Entry() (EntryKind, string) { return "", "" }

func (d Noted) apply(inc *Incident, e Event) {
	if d.Message == nil {
		return
	}
	c := inc.Captured[captureKey(*d.Message)]
	c.Seq, c.Files = e.Seq, len(d.Files) > 0
	inc.capture(*d.Message, c.with(orElse(d.Mark, MarkTimeline), e.Actor.ID, true))
}

func (d CaptureShared) apply(inc *Incident, e Event) {
	c := inc.Captured[captureKey(d.Message)]
	inc.capture(d.Message, c.with(orElse(d.Mark, MarkTimeline), e.Actor.ID, true))
}

func (d CaptureReleased) apply(inc *Incident, e Event) {
	c := inc.Captured[captureKey(d.Message)].with(orElse(d.Mark, MarkTimeline), e.Actor.ID, false)
	if !c.entered() && !c.Hidden {
		c.Seq = 0
	}
	inc.capture(d.Message, c)
}

func (d Amended) apply(inc *Incident, _ Event) {
	if !d.Deleted {
		return
	}
	for key, c := range inc.Captured {
		if c.Seq == d.Seq {
			c.Gone = true
			inc.Captured[key] = c
		}
	}
}
