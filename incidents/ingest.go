package incidents

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// Ingest takes a delivery of alerts in. When it returns nil everything is
// durable. Group by group it is one transaction each: after an error the sender
// delivers all of it again, and what was stored before changes nothing.
func (s *Service) Ingest(ctx context.Context, delivery Delivery) error {
	now := s.now()
	if err := s.store.KeepBody(ctx, delivery.Source, now, delivery.Body); err != nil {
		return err
	}
	for _, part := range s.split(delivery) {
		if err := s.ingestGroup(ctx, part, now); err != nil {
			return err
		}
	}
	return nil
}

// part is what of a delivery belongs to one group.
type part struct {
	group  AlertGroup
	alerts []Alert
}

// split sorts a delivery's alerts into groups: by the sender's groupKey, or by
// the join_by labels.
func (s *Service) split(delivery Delivery) []part {
	groups := map[string]*part{}
	for _, a := range delivery.Alerts {
		if a.Fingerprint == "" {
			a.Fingerprint = FingerprintOf(a.Labels)
		}
		route := routeFor(s.config.Routes, a.Labels)
		a.Action = route.Action
		a.StartsAt, a.EndsAt = Micros(a.StartsAt), Micros(a.EndsAt)
		id, labels := GroupID(delivery.Source, delivery.Receiver, delivery.GroupKey), delivery.Labels
		if len(s.config.JoinBy) > 0 {
			labels = pick(a.Labels, s.config.JoinBy)
			id = joinedID(delivery.Source, labels)
		}
		p := groups[id]
		if p == nil {
			p = &part{group: AlertGroup{ID: id, Source: delivery.Source, Receiver: delivery.Receiver, Labels: labels}}
			p.group.Detection = delivery.Detection
			groups[id] = p
		}
		a.Group = id
		p.alerts = append(p.alerts, a)
	}
	parts := make([]part, 0, len(groups))
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		parts = append(parts, *groups[id])
	}
	return parts
}

func pick(labels map[string]string, names []string) map[string]string {
	picked := map[string]string{}
	for _, name := range names {
		if v, ok := labels[name]; ok {
			picked[name] = v
		}
	}
	return picked
}

func (s *Service) ingestGroup(ctx context.Context, p part, now time.Time) error {
	fingerprints := make([]string, 0, len(p.alerts))
	for _, a := range p.alerts {
		fingerprints = append(fingerprints, a.Fingerprint)
	}
	slices.Sort(fingerprints)
	return s.store.Ingest(ctx, p.group, slices.Compact(fingerprints), func(tx GroupTx) error {
		m := mergeAlerts(tx.Known(), p.alerts, now)
		if len(m.save) > 0 {
			if err := tx.SaveAlerts(m.save); err != nil {
				return err
			}
		}
		if !m.touched {
			return nil
		}
		in := ingestion{service: s, tx: tx, group: tx.Group(), merged: m, detection: p.group.Detection, now: now}
		return in.run()
	})
}

// ingestion decides what the changes of one group mean.
type ingestion struct {
	service *Service
	tx      GroupTx
	group   AlertGroup
	merged  merged
	// detection is what the delivery itself says; empty: look at the alerts.
	detection Detection
	now       time.Time
}

func (in *ingestion) run() error {
	before := in.group.Firing
	firing, err := in.tx.OpenCount()
	if err != nil {
		return err
	}
	in.group.Firing = firing
	if firing == 0 && in.group.Offer == Dismissed {
		in.group.Offer = NoOffer
	}
	if len(in.merged.fired) > 0 {
		in.renewOffer(before)
		in.describe()
	}
	if err := in.route(before); err != nil {
		return err
	}
	return in.tx.SaveGroup(in.group)
}

// route finds the incident the changes belong to, or what to do without one.
func (in *ingestion) route(before int) error {
	var follows int64
	if in.group.Incident != 0 {
		inc, err := in.tx.Incident(in.group.Incident)
		if err != nil {
			return err
		}
		if in.service.absorbs(inc, before, in.now) {
			return in.tell(inc)
		}
		follows = inc.Number
		in.group.Incident = 0
		if in.group.Offer == Accepted {
			in.group.Offer = NoOffer
		}
	}
	if len(in.merged.fired) == 0 {
		in.refreshOffer()
		return in.oweOffer()
	}
	switch in.action() {
	case RouteDeclare:
		return in.declare(follows)
	case RouteOffer:
		in.offer()
		return in.oweOffer()
	case RouteAttach:
		return in.attach()
	default:
		return nil
	}
}

// absorbs reports whether an incident still takes changes of its groups.
func (s *Service) absorbs(inc Incident, firingBefore int, now time.Time) bool {
	switch {
	case inc.Status.Open():
		return true
	case firingBefore > 0:
		return true // its alerts never stopped: nothing new has happened
	default:
		ended := inc.UpdatedAt
		if at, ok := inc.Times[ResolvedAt]; ok {
			ended = at.At
		}
		return now.Sub(ended) < s.config.FlapWindow
	}
}

// action is the strongest that the newly firing alerts ask for.
func (in *ingestion) action() RouteAction {
	return slices.MaxFunc(in.merged.fired, func(a, b Alert) int {
		return cmp.Compare(a.Action.rank(), b.Action.rank())
	}).Action
}

// tell records the changes in an incident.
func (in *ingestion) tell(inc Incident) error {
	d := newDecision(in.service.config, inc, alertActor(), in.now)
	d.record(in.received())
	in.group.Incident = inc.Number
	return in.tx.Save(d.change())
}

func (in *ingestion) received() AlertsReceived {
	return AlertsReceived{
		Group: in.group.ID, Fired: len(in.merged.fired), Resolved: len(in.merged.resolved),
		Firing: in.group.Firing, Names: alertNames(append(slices.Clone(in.merged.fired), in.merged.resolved...), 3),
	}
}

// declare opens an incident in triage, or joins the newest one that alerts
// opened when too many were opened within a minute.
func (in *ingestion) declare(follows int64) error {
	if limit := in.service.config.MaxDeclaredPerMinute; limit > 0 {
		count, err := in.tx.DeclaredSince(in.now.Add(-time.Minute))
		if err != nil {
			return err
		}
		if count >= limit {
			inc, found, err := in.tx.OpenIncident("")
			if err != nil {
				return err
			}
			if found {
				return in.tell(inc)
			}
		}
	}
	number, err := in.tx.NextNumber()
	if err != nil {
		return err
	}
	d := in.service.openForGroup(number, in.group, alertActor(), follows, in.now)
	d.record(in.received())
	in.group.Incident = number
	if in.group.Offer != NoOffer {
		in.group.Offer = Accepted
		in.group.Version++
		if err := in.oweOffer(); err != nil {
			return err
		}
	}
	return in.tx.Save(d.change())
}

// attach joins an open incident of the same service, if there is one.
func (in *ingestion) attach() error {
	if in.group.Service == "" {
		return nil
	}
	inc, found, err := in.tx.OpenIncident(in.group.Service)
	if err != nil || !found {
		return err
	}
	return in.tell(inc)
}

func alertActor() Actor {
	return Actor{Person: Person{Name: "Alertmanager"}, Via: FromAlert, Standing: Trusted}
}
