package incidents

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// holdChannel is how long a question in a channel keeps others back.
	holdChannel = 15 * time.Minute
	// longestEase bounds the distance of two questions that are asked ever more
	// rarely.
	longestEase = 4 * 24 * time.Hour
)

// Plan gives the nudges of an incident as they follow from its state: the rows
// that the store is to hold, no more and no fewer. What is overdue now, in quiet
// hours, is due when they end.
func (p *NudgePolicy) Plan(inc Incident, now time.Time) []Nudge {
	if p == nil {
		return nil
	}
	var rows []Nudge
	needs := p.needs(inc)
	held := p.held(inc, needs)
	for _, n := range needs {
		if n.missed(now) {
			continue
		}
		rows = append(rows, p.row(inc, n, held, now))
	}
	return rows
}

// row says when a need is asked next.
func (p *NudgePolicy) row(inc Incident, n need, held hold, now time.Time) Nudge {
	was := inc.Nudges[n.name()]
	row := Nudge{Incident: inc.Number, Kind: n.kind, Target: n.target, DueAt: n.from}
	if n.direct {
		row.Direct = n.person.ID
	}
	if n.unanswered(was) {
		row.DueAt = n.next(was, p.Zone(n.person.ID))
		if was.Open {
			row.OpenSince = was.AskedAt
		}
		if !was.Until.IsZero() { // put off since
			row.DueAt = was.Until
		}
	}
	row.DueAt = latest(row.DueAt, was.Until)
	if !n.direct {
		row.DueAt = latest(row.DueAt, inc.Nudges[EveryNudge].Until)
		if held.by != "" && held.by != n.name() {
			row.DueAt = latest(row.DueAt, held.until)
		}
	}
	if n.waits {
		zone := p.Zone(n.person.ID)
		row.DueAt = p.Quiet.After(row.DueAt, zone)
		if over := p.Quiet.After(now, zone); over.After(now) {
			row.DueAt = latest(row.DueAt, over)
		}
	}
	row.DueAt = Micros(row.DueAt)
	return row
}

// unanswered reports whether it was asked, of the same person if it is asked
// directly, and nothing has been done about it.
func (n need) unanswered(was Nudged) bool {
	same := was.Direct == n.direct && (!n.direct || was.Person.ID == n.person.ID)
	return was.Round > 0 && !n.from.After(was.AskedAt) && same
}

// next is when it is asked again that was asked in vain.
func (n need) next(was Nudged, zone *time.Location) time.Time {
	distance := n.distance(was.Asks)
	if !n.mornings {
		return was.AskedAt.Add(distance)
	}
	local := was.AskedAt.In(zone)
	return Micros(time.Date(local.Year(), local.Month(), local.Day()+int(distance/day), morning, 0, 0, 0, zone))
}

// distance to the next question after it was asked so often in vain.
func (n need) distance(asks int64) time.Duration {
	if !n.eases {
		return n.again
	}
	return min(n.again<<min(max(asks-1, 0), 10), max(longestEase, n.again))
}

// hold is the question that is open in a channel; it keeps others back for a
// while, since one is asked at a time.
type hold struct {
	by    string
	until time.Time
}

func (p *NudgePolicy) held(inc Incident, needs []need) hold {
	var held hold
	for _, n := range needs {
		was := inc.Nudges[n.name()]
		if until := was.AskedAt.Add(holdChannel); !n.direct && was.Open && n.unanswered(was) && until.After(held.until) {
			held = hold{by: n.name(), until: until}
		}
	}
	return held
}

// closeNudges ends the open questions about what has been done, and has their
// messages say so.
func (d *decision) closeNudges(p *NudgePolicy) {
	if p == nil || len(d.events) == 0 {
		return
	}
	wanted := map[string]need{}
	for _, n := range p.needs(d.inc) {
		wanted[n.name()] = n
	}
	for _, name := range sortedKeys(d.inc.Nudges) {
		was := d.inc.Nudges[name]
		if n, ok := wanted[name]; was.Open && (!ok || !n.unanswered(was)) {
			d.closeNudge(name, NudgeDone)
		}
	}
}

// closeNudge ends an open question.
func (d *decision) closeNudge(name string, outcome NudgeOutcome) {
	d.record(NudgeClosed{Nudge: name, Outcome: outcome})
	d.run(MakeNudge, NudgeTarget(name, d.inc.Nudges[name].Round), d.inc.Seq)
}

// ask puts a question. Another one that is open in the same channel has had its
// time: its message stops asking.
func (d *decision) ask(p *NudgePolicy, n need) {
	for _, other := range p.needs(d.inc) {
		if was := d.inc.Nudges[other.name()]; was.Open && (other.name() == n.name() || !other.direct && !n.direct) {
			d.closeNudge(other.name(), NudgePassed)
		}
	}
	d.record(NudgeAsked{
		Nudge: n.name(), Person: n.person, Direct: n.direct, Again: n.unanswered(d.inc.Nudges[n.name()]),
	})
	d.run(MakeNudge, NudgeTarget(n.name(), d.inc.Nudges[n.name()].Round), 1)
}

// nudgesAtOnce bounds what one look for due nudges asks.
const nudgesAtOnce = 50

// AskDue asks what is due. It is called every few seconds, in each replica. One
// person is asked one thing at a time.
func (s *Service) AskDue(ctx context.Context) error {
	if s.config.Nudges == nil {
		return nil
	}
	due, err := s.store.DueNudges(ctx, s.now(), nudgesAtOnce)
	if err != nil {
		return fmt.Errorf("look for due nudges: %w", err)
	}
	var failed error
	for _, nudge := range due {
		if err := s.askNudge(ctx, nudge); err != nil {
			failed = errors.Join(failed, fmt.Errorf("ask %s of %s: %w", nudge.Name(), Key(nudge.Incident), err))
		}
	}
	return failed
}

// askNudge asks one nudge if the incident still wants it, and brings the rows up
// to date in any case: what was planned by older rules is planned anew.
func (s *Service) askNudge(ctx context.Context, nudge Nudge) error {
	_, err := s.store.Update(ctx, nudge.Incident, Once{}, func(inc Incident) (Change, error) {
		d := newDecision(s.config, inc, Houston(), s.now())
		p := s.config.Nudges
		held := p.held(inc, p.needs(inc))
		for _, n := range p.needs(inc) {
			if n.name() == nudge.Name() && !n.missed(d.now) && !p.row(inc, n, held, d.now).DueAt.After(d.now) {
				d.ask(p, n)
			}
		}
		change := d.change()
		change.Planned, change.Nudges = true, p.Plan(change.Incident, d.now)
		return change, nil
	})
	return err
}
