package incidents

import (
	"slices"
	"time"
)

// Captured is a chat message that became a timeline entry.
type Captured struct {
	Seq int64    `json:"seq"` // of the entry
	By  []string `json:"by"`  // who pinned it, by id; the last to take his pin away takes the entry away
}

// captureKey names a message in [Incident.Captured].
func captureKey(m Message) string { return m.Channel + "/" + m.TS }

// CapturedAs tells which entry of the timeline a chat message has become, if any.
func (inc Incident) CapturedAs(m Message) (Captured, bool) {
	c, ok := inc.Captured[captureKey(m)]
	return c, ok
}

// CaptureShared says that one more person pinned a captured message.
type CaptureShared struct {
	Message Message `json:"message"`
}

// CaptureReleased says that somebody took his pin away.
type CaptureReleased struct {
	Message Message `json:"message"`
}

// Type is the name the event is stored under.
func (CaptureShared) Type() string { return "capture_shared" }

// Type is the name the event is stored under.
func (CaptureReleased) Type() string { return "capture_released" }

// Entry of a second pin: none, the message is an entry already.
func (CaptureShared) Entry() (EntryKind, string) { return "", "" }

// Entry of a pin taken away: none.
func (CaptureReleased) Entry() (EntryKind, string) { return "", "" }

func (d CaptureShared) apply(inc *Incident, e Event) {
	c := inc.Captured[captureKey(d.Message)]
	c.By = append(slices.Clone(c.By), e.Actor.ID)
	inc.Captured[captureKey(d.Message)] = c
}

func (d CaptureReleased) apply(inc *Incident, e Event) {
	c := inc.Captured[captureKey(d.Message)]
	c.By = slices.DeleteFunc(slices.Clone(c.By), func(id string) bool { return id == e.Actor.ID })
	if len(c.By) == 0 {
		delete(inc.Captured, captureKey(d.Message))
		return
	}
	inc.Captured[captureKey(d.Message)] = c
}

// Capture makes a chat message a timeline entry, once however many people do it.
type Capture struct {
	Request

	Message   Message
	Author    Person
	Text      string
	At        time.Time // when it was written
	Kind      EntryKind // empty: observation
	Permalink string
}

func (c Capture) decide(d *decision) error {
	if known, ok := d.inc.Captured[captureKey(c.Message)]; ok {
		if !slices.Contains(known.By, c.Actor.ID) {
			d.record(CaptureShared{Message: c.Message})
		}
		return nil
	}
	text, err := requireText(cut(c.Text, MaxText), "This message has no text that could stand in the timeline.")
	if err != nil {
		return err
	}
	d.recordAt(Noted{
		Kind: orElse(c.Kind, Observation), Text: text, Permalink: c.Permalink, Message: &c.Message, Author: c.Author,
	}, Instant{At: c.At, Precision: ToSecond, Source: FromSlack})
	return nil
}

// Release takes a person's pin from a captured message; with the last one the
// entry leaves the timeline. A message that is no entry is no failure.
type Release struct {
	Request

	Message Message
}

func (c Release) decide(d *decision) error {
	known, ok := d.inc.Captured[captureKey(c.Message)]
	if !ok || !slices.Contains(known.By, c.Actor.ID) {
		return nil
	}
	d.record(CaptureReleased{Message: c.Message})
	if _, still := d.inc.Captured[captureKey(c.Message)]; !still {
		d.record(Redacted{Seq: known.Seq, Reason: "pin taken away"})
	}
	return nil
}

// Edited follows the edit of a captured message: the log keeps both versions. An
// empty text says that the message was deleted. A message that is no entry is no
// failure.
type Edited struct {
	Request

	Message Message
	Text    string
}

func (c Edited) decide(d *decision) error {
	known, ok := d.inc.Captured[captureKey(c.Message)]
	if !ok {
		return nil
	}
	d.record(Amended{Seq: known.Seq, Text: orElse(cut(c.Text, MaxText), "(the message was deleted)")})
	return nil
}
