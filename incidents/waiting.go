package incidents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// act does what the strongest of some routes wants that need not wait any
// longer, and notes when to look again at those that must.
func (in *ingestion) act(names []string) error {
	route, ok, err := in.ripe(names)
	if err != nil || !ok {
		return err
	}
	switch route.Action {
	case RouteDeclare:
		return in.declare()
	case RouteOffer:
		in.offer()
		return in.oweOffer()
	case RouteAttach:
		return in.attach()
	default:
		return nil
	}
}

// ripe finds the strongest of some routes whose delay and threshold are met. Due
// is when the next alert of a stronger one will have fired long enough.
func (in *ingestion) ripe(names []string) (Route, bool, error) {
	var routes []Route
	for _, r := range in.service.config.Routes {
		if slices.Contains(names, r.Name) {
			routes = append(routes, r)
			names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == r.Name })
		}
	}
	slices.SortStableFunc(routes, func(a, b Route) int { return cmp.Compare(b.Action.rank(), a.Action.rank()) })
	in.group.DueAt = time.Time{}
	for _, r := range routes {
		if r.Delay == 0 && r.Threshold <= 1 {
			return r, true, nil
		}
		until := in.now.Add(-r.Delay)
		var from time.Time
		if r.Within > 0 {
			from = until.Add(-r.Within)
		}
		n, next, err := in.tx.Ripe(r.Name, from, until)
		switch {
		case err != nil:
			return Route{}, false, err
		case n >= max(r.Threshold, 1):
			return r, true, nil
		case !next.IsZero():
			in.group.wake(next.Add(r.Delay))
		}
	}
	return Route{}, false, nil
}

// wake has the group looked at unasked, at the latest then.
func (g *AlertGroup) wake(at time.Time) {
	if g.DueAt.IsZero() || at.Before(g.DueAt) {
		g.DueAt = at
	}
}

// recheck looks at a group whose time has come: at alerts that had to fire for a
// while before they do anything, or at a heart that may have stopped. Before its
// time, and when another replica was there first, it does nothing. since is how
// long somebody has been listening without a gap.
func (s *Service) recheck(ctx context.Context, group string, since time.Time) error {
	now := s.now()
	return s.store.Ingest(ctx, AlertGroup{ID: group}, nil, func(tx GroupTx) error {
		g := tx.Group()
		if g.DueAt.IsZero() || g.DueAt.After(now) {
			return nil
		}
		in := ingestion{service: s, tx: tx, group: g, now: now}
		if g.Heart != nil {
			return in.listen(since)
		}
		in.group.DueAt = time.Time{}
		if g.Incident == 0 && g.Offer != Dismissed {
			names, err := tx.OpenRoutes()
			if err != nil {
				return err
			}
			if err := in.act(names); err != nil {
				return err
			}
		}
		return tx.SaveGroup(in.group)
	})
}

// recheckAtOnce bounds the groups that one sweep looks at.
const recheckAtOnce = 100

// RecheckDue looks at all groups whose time has come. It is called every few
// seconds for as long as Houston listens.
func (s *Service) RecheckDue(ctx context.Context) error {
	now := s.now()
	since, err := s.store.Pulse(ctx, now, pulseGap)
	if err != nil {
		return err
	}
	ids, err := s.store.DueGroups(ctx, now, recheckAtOnce)
	if err != nil {
		return err
	}
	var failures []error
	for _, id := range ids {
		if err := s.recheck(ctx, id, since); err != nil {
			failures = append(failures, fmt.Errorf("look at alert group %s: %w", id, err))
		}
	}
	return errors.Join(failures...)
}

// leftOut notes how many alerts a sender's group left out of its last delivery,
// and whether that is news.
func (g *AlertGroup) leftOut(sender string, n int) bool {
	if g.Truncated[sender] == n {
		return false
	}
	g.Truncated = counted(maps.Clone(g.Truncated), sender, n)
	return true
}

// Shortened is the id of a sender's group as [AlertGroup.Truncated] has it.
func Shortened(own string) string { return own[:16] }

// hidden counts the alerts of the group that senders left out.
func (g AlertGroup) hidden() int {
	sum := 0
	for _, n := range g.Truncated {
		sum += n
	}
	return sum
}
