package incidents

import (
	"context"
	"fmt"
	"slices"
)

// standing is an entry of some incident's timeline.
type standing struct {
	number, seq int64
	events      []Event
}

// redactCopies redacts an entry wherever merges have taken it along to, or it was
// taken along from. Whoever may hide the words in one incident may hide them in
// the others, be he in their channels or not: he learns nothing of them by that.
// Each is a transaction of its own and the one that was asked for comes last, so
// that asking again completes what an end of the process has left half done.
func (s *Service) redactCopies(ctx context.Context, asked Incident, seq int64, events []Event, c redact) error {
	copies, err := s.copies(ctx, standing{asked.Number, seq, events})
	if err != nil {
		return err
	}
	for _, at := range copies {
		if err := redactable(at.events[at.seq-1].Data); err != nil {
			return err
		}
	}
	for _, at := range copies {
		if !slices.ContainsFunc(Timeline(at.events), func(e Entry) bool { return e.Seq == at.seq }) {
			continue // it is hidden already
		}
		posts, err := s.toldOf(ctx, at.number, at.events, at.seq)
		if err != nil {
			return err
		}
		_, err = s.store.Update(ctx, at.number, Once{}, func(inc Incident) (Change, error) {
			there := redact{Request: c.Request, seq: at.seq, reason: c.reason, posts: posts, data: at.events[at.seq-1].Data}
			if asked.Private && !inc.Private {
				there.reason = "" // it was written where others do not read
			}
			d := newDecision(s.config, inc, c.Actor, s.now())
			if err := there.decide(d); err != nil {
				return Change{}, err
			}
			return d.change(), nil
		})
		if err != nil {
			return fmt.Errorf("redact entry %d of %s too: %w", at.seq, Key(at.number), err)
		}
	}
	return nil
}

// copies lists the other places of an entry, each once.
func (s *Service) copies(ctx context.Context, of standing) ([]standing, error) {
	found, open := []standing{of}, []standing{of}
	add := func(number, seq int64) error {
		if slices.ContainsFunc(found, func(at standing) bool { return at.number == number && at.seq == seq }) {
			return nil
		}
		events, err := s.store.Events(ctx, number)
		if err != nil {
			return fmt.Errorf("load events of %s: %w", Key(number), err)
		}
		if seq >= 1 && seq <= int64(len(events)) {
			at := standing{number, seq, events}
			found, open = append(found, at), append(open, at)
		}
		return nil
	}
	for len(open) > 0 {
		at := open[0]
		open = open[1:]
		if adopted, ok := at.events[at.seq-1].Data.(Adopted); ok {
			if err := add(adopted.Number, adopted.Seq); err != nil {
				return nil, err
			}
		}
		for _, e := range at.events {
			merged, ok := e.Data.(MergedInto)
			if !ok {
				continue
			}
			into, err := s.store.Events(ctx, merged.Into)
			if err != nil {
				return nil, fmt.Errorf("load events of %s: %w", Key(merged.Into), err)
			}
			for _, e := range into {
				if adopted, ok := e.Data.(Adopted); ok && adopted.Number == at.number && adopted.Seq == at.seq {
					if err := add(merged.Into, e.Seq); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return found[1:], nil
}
