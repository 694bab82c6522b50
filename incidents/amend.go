package incidents

import (
	"context"
	"slices"
	"time"
)

// AmendEntry corrects an entry of the timeline, or says more of it: that it took
// a while, that it is a key moment. Nil fields stay as they are. The log keeps
// both versions.
type AmendEntry struct {
	Request

	Seq  int64      // of the entry
	Text *string    // of a note; a message is edited where it was written
	Kind *EntryKind // of a note or a message
	At   *time.Time // of a note or a message
	// Until is when it was over, of anything but a change of state; zero: it is a
	// moment again.
	Until       *time.Time
	Significant *bool
	// Gate refuses what others changed meanwhile, judged inside the transaction;
	// nil: nothing is refused.
	Gate func(Entry) error
}

// AmendEntry changes an entry; see [AmendEntry].
func (s *Service) AmendEntry(ctx context.Context, number int64, c AmendEntry) (Result, error) {
	if c.Actor.Standing == Unproven {
		return Result{}, unproven()
	}
	const tries = 5 // each loses only to an event that came through
	for try := 1; ; try++ {
		inc, err := s.Incident(ctx, number, c.Request)
		if err != nil {
			return Result{}, err
		}
		events, err := s.store.Events(ctx, number)
		if err != nil {
			return Result{}, err
		}
		entries := Timeline(events)
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Seq == c.Seq })
		if i < 0 {
			return Result{}, Errorf(NotFound, "There is no such entry in the timeline of %s.", inc.Key())
		}
		meanwhile := false
		result, err := s.Do(ctx, number, amendment{
			AmendEntry: c, entry: entries[i], data: events[c.Seq-1].Data, seen: int64(len(events)), meanwhile: &meanwhile,
		})
		if !meanwhile || try == tries {
			return result, err
		}
	}
}

// amendment is AmendEntry once it is known what stands there.
type amendment struct {
	AmendEntry

	entry     Entry
	data      Data
	seen      int64 // events that the entry is folded of
	meanwhile *bool // set when there are more by now
}

func (amendment) writes() {}

func (c amendment) decide(d *decision) error {
	if d.inc.Seq != c.seen {
		*c.meanwhile = true
		return Errorf(Conflict, "%s was changed at this moment. Try again.", d.inc.Key())
	}
	if guest := c.Actor.Standing == Guest || c.Actor.Standing == Stranger; guest && c.entry.Actor.ID != c.Actor.ID {
		return Errorf(Forbidden, "As a guest you can change only what you noted yourself. Ask a member of this workspace.")
	}
	if c.Gate != nil {
		if err := c.Gate(c.entry); err != nil {
			return err
		}
	}
	noted, people := c.data.(Noted)
	if !people && (c.Text != nil || c.Kind != nil || c.At != nil) {
		return Errorf(Conflict, "Houston recorded this entry as it happened; only what people noted can be rewritten. Add a note beside it.")
	}
	change, err := c.changed(d, noted)
	if err != nil || change == (Amended{Seq: c.entry.Seq}) {
		return err
	}
	d.record(change)
	return nil
}

// changed is what becomes of the entry.
func (c amendment) changed(d *decision, noted Noted) (Amended, error) {
	change := Amended{Seq: c.entry.Seq}
	if c.Text != nil && *c.Text != c.entry.Text {
		if noted.Message != nil {
			return change, Errorf(Conflict, "This is a message in the channel. Edit it there, and the timeline follows.")
		}
		text, err := requireText(*c.Text, "A timeline entry needs a text. Write it like: timeline Restarted the offers service at 14:05")
		if err != nil {
			return change, err
		}
		if text != c.entry.Text {
			change.Text = text
		}
	}
	if c.Kind != nil && *c.Kind != c.entry.Kind {
		change.Kind = *c.Kind
	}
	if c.At != nil && !c.At.Equal(c.entry.At) {
		at, err := d.moment(*c.At, c.Actor.Via)
		if err != nil {
			return change, err
		}
		change.At, change.Precision, c.entry.At = &at.At, at.Precision, at.At
	}
	if c.Until != nil && !c.Until.Equal(c.entry.Until.At) {
		until := Instant{}
		if !c.Until.IsZero() {
			var err error
			if until, err = d.moment(*c.Until, c.Actor.Via); err != nil {
				return change, err
			}
		}
		change.Until, c.entry.Until = &until, until
	}
	if c.Significant != nil && *c.Significant != c.entry.Significant {
		change.Significant = c.Significant
	}
	return change, spans(orElse(change.Kind, c.entry.Kind), c.entry.At, c.entry.Until)
}

// spans says whether an entry may last from a time until another; zero: it is a
// moment.
func spans(kind EntryKind, at time.Time, until Instant) error {
	switch {
	case until.At.IsZero():
		return nil
	case kind == StateChange:
		return Errorf(Invalid, "A change of state is a moment and has no end.")
	case !until.At.After(at):
		return Errorf(Invalid, "This would end at %s and begin at %s. Give a later end, or none.", until.At.UTC().Format("2006-01-02 15:04 MST"), at.UTC().Format("2006-01-02 15:04 MST"))
	default:
		return nil
	}
}
