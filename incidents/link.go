package incidents

import (
	"context"
	"slices"
)

// Link says that two incidents have to do with each other.
type Link struct {
	Request

	Number int64
	To     int64
}

// Linked notes the number of an incident that has to do with this one. Nothing
// else of it is noted: it may be private.
type Linked struct {
	Number int64 `json:"number"`
}

// Type is the name the event is stored under.
func (Linked) Type() string { return "linked" }

// Entry of a link.
func (d Linked) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of a link.
func (d Linked) Told() Phrase { return Phrasef("Linked to %s", Key(d.Number)) }

func (d Linked) apply(inc *Incident, _ Event) {
	if !slices.Contains(inc.Links, d.Number) {
		inc.Links = append(slices.Clone(inc.Links), d.Number)
	}
}

// Link links two incidents, each to the other. The result is the first.
func (s *Service) Link(ctx context.Context, c Link) (Result, error) {
	if c.Actor.Standing == Unproven {
		return Result{}, unproven()
	}
	if c.Number == c.To {
		return Result{}, Errorf(Invalid, "%s can not be linked to itself. Name the other incident, like: link INC-12", Key(c.Number))
	}
	return s.store.UpdatePair(ctx, c.Number, c.To, c.Once, func(first, second Incident, _ []Event) (Pair, error) {
		if err := s.mayPair(c.Request, c, first, second); err != nil {
			return Pair{}, err
		}
		if slices.Contains(first.Links, second.Number) {
			return Pair{}, Errorf(Conflict, "%s and %s are linked already.", first.Key(), second.Key())
		}
		one, other := newDecision(s.config, first, c.Actor, s.now()), newDecision(s.config, second, c.Actor, s.now())
		one.link(second.Number)
		other.link(first.Number)
		return Pair{First: one.change(), Second: other.change()}, nil
	})
}

func (d *decision) link(number int64) {
	d.record(Linked{Number: number})
	d.tell()
}
