package incidents

import (
	"slices"
	"time"
)

// Capture sets a person's mark on a chat message: it becomes a timeline entry or
// an action item, once however many people ask for it.
type Capture struct {
	Request

	Message   Message
	Author    Person
	Text      string
	At        time.Time // when it was written
	Mark      Mark      // empty: timeline
	Permalink string
	Files     []File // what is attached, at most MaxFiles
}

func (c Capture) decide(d *decision) error {
	c.Mark = orElse(c.Mark, MarkTimeline)
	known := d.inc.Captured[captureKey(c.Message)]
	if slices.Contains(known.Holders(c.Mark), c.Actor.ID) {
		return nil
	}
	text, err := requireText(cut(c.Text, MaxText), "This message has no text that could stand in the timeline.")
	if err != nil {
		return err
	}
	if c.Mark == MarkAction {
		return c.act(d, known, text)
	}
	if known.Hidden {
		return Errorf(Conflict, "This message was redacted in %s. Write what may be known with `timeline <text>`.", d.inc.Key())
	}
	if known.Seq == 0 {
		c.enter(d, text)
		return nil
	}
	first := len(known.Holders(c.Mark)) == 0
	d.record(CaptureShared{Message: c.Message, Mark: c.Mark})
	switch {
	case first && c.Mark == MarkEvidence:
		d.record(Amended{Seq: known.Seq, Kind: Evidence})
	case first && c.Mark == MarkInternal:
		d.record(Amended{Seq: known.Seq, Internal: new(true)})
	}
	return nil
}

// enter makes the message an entry and has its files fetched.
func (c Capture) enter(d *decision, text string) {
	kind := Observation
	if c.Mark == MarkEvidence {
		kind = Evidence
	}
	files := c.Files[:min(len(c.Files), MaxFiles)]
	d.recordAt(Noted{
		Kind: kind, Text: text, Permalink: c.Permalink, Message: &c.Message, Author: c.Author, Mark: c.Mark, Files: files,
	}, Instant{At: c.At, Precision: ToSecond, Source: FromSlack})
	d.fetch(d.inc.Seq, files)
}

// act makes the message an action item.
func (c Capture) act(d *decision, known Captured, text string) error {
	switch {
	case known.Hidden:
		return Errorf(Conflict, "This message was redacted in %s. Write the action item with `action <text>`.", d.inc.Key())
	case known.Action != 0:
		d.record(CaptureShared{Message: c.Message, Mark: MarkAction})
	default:
		d.addAction(ActionItem{Text: text, Type: Prevent, Message: &c.Message, Permalink: c.Permalink})
	}
	return nil
}

// Release takes a person's mark from a captured message; with the last one the
// entry leaves the timeline, or is no longer what the mark made of it. An action
// item leaves too unless somebody has worked on it. A message that carries no
// mark of his is no failure.
type Release struct {
	Request

	Message Message
	Mark    Mark // empty: timeline
}

func (c Release) decide(d *decision) error {
	c.Mark = orElse(c.Mark, MarkTimeline)
	known, ok := d.inc.Captured[captureKey(c.Message)]
	if !ok || !slices.Contains(known.Holders(c.Mark), c.Actor.ID) {
		return nil
	}
	d.record(CaptureReleased{Message: c.Message, Mark: c.Mark})
	left := d.inc.Captured[captureKey(c.Message)]
	switch {
	case len(left.Holders(c.Mark)) > 0 || known.Hidden:
	case c.Mark == MarkAction:
		if i := d.inc.action(known.Action); i >= 0 && d.inc.Actions[i].untouched() {
			d.record(ActionWithdrawn{ID: known.Action, Message: &c.Message})
		}
	case !left.entered():
		d.record(Redacted{Seq: known.Seq, Reason: "mark taken away"})
		if known.Files {
			d.erase(known.Seq)
		}
	case c.Mark == MarkEvidence:
		d.record(Amended{Seq: known.Seq, Kind: Observation})
	case c.Mark == MarkInternal:
		d.record(Amended{Seq: known.Seq, Internal: new(false)})
	}
	return nil
}

// Edited follows the edit of a captured message: the log keeps both versions. A
// message that is no entry is no failure.
type Edited struct {
	Request

	Message Message
	Text    string
}

func (c Edited) decide(d *decision) error {
	known, ok := d.inc.Captured[captureKey(c.Message)]
	text := cut(c.Text, MaxText)
	if ok && known.Seq != 0 && !known.Hidden && text != "" {
		d.record(Amended{Seq: known.Seq, Text: text})
	}
	return nil
}

// Deleted follows the deletion of a captured message. The entry stays as a
// tombstone without words and files; the log keeps what was captured. A message
// that is no entry is no failure.
type Deleted struct {
	Request

	Message Message
}

func (c Deleted) decide(d *decision) error {
	known, ok := d.inc.Captured[captureKey(c.Message)]
	if ok && known.Seq != 0 && !known.Hidden {
		d.record(Amended{Seq: known.Seq, Deleted: true})
		if known.Files {
			d.erase(known.Seq)
		}
	}
	return nil
}

// tombstone is what is left to read of a message that was deleted at a time.
func tombstone(at time.Time) Phrase {
	return Phrasef("(the message was deleted at %s)", at.UTC().Format("2006-01-02 15:04 MST"))
}
