package incidents

import (
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
	own := GroupID(delivery.Source, delivery.Receiver, delivery.GroupKey)
	parts := s.split(own, delivery)
	doubted := false
	for _, part := range parts {
		doubts, err := s.ingestGroup(ctx, part, now)
		if err != nil {
			return err
		}
		doubted = doubted || doubts
	}
	if err := s.endStrays(ctx, own, parts); err != nil {
		return err
	}
	if delivery.Truncated == 0 && !doubted {
		return nil
	}
	return s.noteLeftOut(ctx, own, delivery, parts)
}

// part is what of a delivery belongs to one group.
type part struct {
	group     AlertGroup
	alerts    []Alert
	own       string // the id of the sender's own group
	peer      string
	truncated int
	asked     time.Time // when it was asked for; zero: it was delivered
}

// split sorts a delivery's alerts into groups: by the sender's groupKey, or by
// the join_by labels. own is the id of the sender's group. What is private and what is a
// heartbeat stays apart; a heart is the same whatever key its sender's group has, which
// changes with the sender's routes.
func (s *Service) split(own string, delivery Delivery) []part {
	groups := map[string]*part{}
	for _, a := range delivery.Alerts {
		if a.Fingerprint == "" {
			a.Fingerprint = FingerprintOf(a.Labels)
		}
		route := routeFor(s.config.Routes, a.Labels)
		a.Action, a.Route = route.Action, route.Name
		a.StartsAt, a.EndsAt, a.Until = Micros(a.StartsAt), Micros(a.EndsAt), s.until(a)
		id, labels := own, delivery.Labels
		joinBy := s.config.JoinBy
		if len(route.JoinBy) > 0 {
			joinBy = route.JoinBy
		}
		switch {
		case route.Action == RouteHeartbeat:
			id = apart(delivery.Source+"\x00"+delivery.Receiver, "heartbeat "+a.Fingerprint)
		case len(pick(a.Labels, joinBy)) > 0:
			labels = pick(a.Labels, joinBy)
			id = joinedID(delivery.Source, labels)
		}
		if route.Plan.Private {
			id = apart(id, "private "+route.Name)
		}
		p := groups[id]
		if p == nil {
			p = &part{
				group: AlertGroup{
					ID: id, Source: delivery.Source, Receiver: delivery.Receiver, Labels: labels, Alertmanager: delivery.Alertmanager,
					SentBy: cut(delivery.SentBy, 40),
				},
				own: own, peer: delivery.Peer, truncated: delivery.Truncated, asked: delivery.AskedAt,
			}
			p.group.Detection = delivery.Detection
			groups[id] = p
		}
		a.Group = id
		if id != own {
			a.Sender = Shortened(own)
		}
		p.alerts = append(p.alerts, a)
	}
	parts := make([]part, 0, len(groups))
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		parts = append(parts, *groups[id])
	}
	return parts
}

// pick gives those of some labels that an alert has. One that has none of them
// stays in its sender's group: unrelated alerts would meet otherwise.
func pick(labels map[string]string, names []string) map[string]string {
	picked := map[string]string{}
	for _, name := range names {
		if v := labels[name]; v != "" { // to Prometheus an empty label is none
			picked[name] = v
		}
	}
	return picked
}

// ingestGroup takes in what belongs to one group. It reports whether something in
// it is doubtful, see [merged].
func (s *Service) ingestGroup(ctx context.Context, p part, now time.Time) (doubted bool, err error) {
	fingerprints := make([]string, 0, len(p.alerts))
	for _, a := range p.alerts {
		fingerprints = append(fingerprints, a.Fingerprint)
	}
	slices.Sort(fingerprints)
	err = s.store.Ingest(ctx, p.group, slices.Compact(fingerprints), func(tx GroupTx) error {
		m := mergeAlerts(tx.Known(), p.alerts, now, p.asked)
		doubted = m.doubted
		if len(m.save) > 0 {
			if err := tx.SaveAlerts(m.save); err != nil {
				return err
			}
		}
		in := ingestion{service: s, tx: tx, group: tx.Group(), merged: m, detection: p.group.Detection, now: now}
		hidden := in.group.hidden()
		in.counted = tally{in.group.Firing, hidden}
		if p.alerts[0].Action == RouteHeartbeat {
			return in.heart(p)
		}
		left, err := p.unknown(tx, m)
		if err != nil {
			return err
		}
		changed := in.group.leftOut(Shortened(p.own), left)
		if in.group.Alertmanager && !p.group.Alertmanager {
			in.group.Alertmanager, changed = false, true
		}
		switch {
		case m.touched || hidden != in.group.hidden():
			return in.run()
		case changed:
			return tx.SaveGroup(in.group)
		default:
			return nil
		}
	})
	return doubted, err
}

// ingestion decides what the changes of one group mean.
type ingestion struct {
	service *Service
	tx      GroupTx
	group   AlertGroup
	merged  merged
	counted tally // what the incident counts of the group so far
	// detection is what the delivery itself says; empty: look at the alerts.
	detection Detection
	// presumed and lapsed say that nobody delivered it: the sender does not know the
	// alerts any more, sends them no more, or they go on in another group.
	presumed, lapsed, elsewhere bool
	now                         time.Time
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
	if in.group.Incident != 0 {
		inc, err := in.tx.Incident(in.group.Incident)
		if err != nil {
			return err
		}
		if in.absorbedBy(inc, before) {
			return in.tell(inc)
		}
		if err := in.leave(inc); err != nil {
			return err
		}
		in.group.Plan.Follows = inc.Number
		in.group.Incident = 0
		if in.group.Offer == Accepted {
			in.group.Offer = NoOffer
		}
	}
	in.counted = tally{}
	if len(in.merged.fired) == 0 {
		in.refreshOffer()
		return in.oweOffer()
	}
	var names []string
	for _, a := range in.merged.fired {
		if !slices.Contains(names, a.Route) {
			names = append(names, a.Route)
		}
	}
	return in.act(names)
}

// absorbedBy reports whether an incident still takes changes of its groups. One that
// has ended takes new alerts within the flap window only, even where some have never
// stopped, unless people said that these are no incident.
func (in *ingestion) absorbedBy(inc Incident, before int) bool {
	switch {
	case inc.Status.Open():
		return true
	case before > 0 && (len(in.merged.fired) == 0 || inc.Status == Declined):
		return true // nothing new has happened
	default:
		ended := inc.UpdatedAt
		if at, ok := inc.Times[ResolvedAt]; ok {
			ended = at.At
		}
		return in.now.Sub(ended) < in.service.flapWindow(in.group)
	}
}

// leave has an incident that has ended count the group no more: what fires goes on in
// another one.
func (in *ingestion) leave(inc Incident) error {
	if in.counted == (tally{}) {
		return nil
	}
	r := AlertsReceived{Group: in.group.ID, Resolved: in.counted.firing, Elsewhere: true}
	if in.inStorm(inc) {
		r.Group = stormGroup
		r.Firing, r.Unseen = inc.Firing[stormGroup]-in.counted.firing, inc.Unseen[stormGroup]-in.counted.unseen
	}
	d := newDecision(in.service.config, inc, in.group.actor(), in.now)
	d.record(r)
	return in.tx.Save(d.change())
}

func (s *Service) flapWindow(group AlertGroup) time.Duration {
	if group.Plan.FlapWindow > 0 {
		return group.Plan.FlapWindow
	}
	return s.config.FlapWindow
}

// tell records the changes in an incident.
func (in *ingestion) tell(inc Incident) error {
	d := newDecision(in.service.config, inc, in.group.actor(), in.now)
	d.labels = in.fired()
	d.record(in.received(inc))
	in.group.Incident = inc.Number
	if err := in.settleOffer(); err != nil {
		return err
	}
	if len(in.merged.fired) > 0 && !inc.Status.Open() {
		if err := in.again(d); err != nil {
			return err
		}
	}
	if err := d.allClear(in.group.Plan.Resolve, in.service.flapWindow(in.group)); err != nil {
		return err
	}
	return in.tx.Save(d.change())
}

// again is what happens when alerts fire again within the flap window of an
// incident that has ended: one that their end had ended is taken up again, and
// where people ended it they are told.
func (in *ingestion) again(d *decision) error {
	if d.inc.Status == Resolved && d.inc.Times[ResolvedAt].Source == FromAlert {
		return Reopen{Text: "Its alerts fire again"}.decide(d)
	}
	d.tell()
	return nil
}

// names gives the names of the alerts that changed, for reading.
func (in *ingestion) names() []string {
	return alertNames(append(slices.Clone(in.merged.fired), in.merged.resolved...), 3)
}

// declare opens an incident in triage, or joins the storm when too many were
// opened within a minute. What is private never joins others.
func (in *ingestion) declare() error {
	if limit := in.service.config.MaxDeclaredPerMinute; limit > 0 && !in.group.Plan.Private {
		count, err := in.tx.DeclaredSince(in.now.Add(-time.Minute))
		if err != nil {
			return err
		}
		if count >= limit {
			return in.storm()
		}
	}
	number, err := in.tx.NextNumber()
	if err != nil {
		return err
	}
	return in.open(number, false)
}

// open opens an incident for the group.
func (in *ingestion) open(number int64, storm bool) error {
	d := in.service.openForGroup(number, in.group, in.group.actor(), in.now, storm)
	d.labels = append(d.labels, in.fired()...)
	received := in.received(d.inc)
	received.Fired = in.group.Firing // with those that have waited
	d.record(received)
	if err := in.service.linkBack(in.tx, in.group, number, in.now); err != nil {
		return err
	}
	in.group.Incident, in.group.Plan.Follows = number, 0
	if err := in.settleOffer(); err != nil {
		return err
	}
	return in.tx.Save(d.change())
}

// settleOffer has an offer that stands say that there is an incident now.
func (in *ingestion) settleOffer() error {
	if in.group.Offer == NoOffer || in.group.Offer == Accepted {
		return nil
	}
	in.group.Offer = Accepted
	in.group.Version++
	return in.oweOffer()
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
