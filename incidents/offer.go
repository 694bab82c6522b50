package incidents

import (
	"context"
	"time"
)

// offer asks in the announce channel whether the group is an incident, or
// brings the question up to date.
func (in *ingestion) offer() {
	switch in.group.Offer {
	case NoOffer:
		in.group.Offer = Offered
		in.group.Round++
		in.group.Version++
		in.group.DecidedBy = Person{}
	case Offered:
		in.group.Version++
	default:
		// answered already
	}
}

// renewOffer has alerts that fire again after all were resolved offered in a
// message of their own, at most one in a flap window: an edit of the old message
// notifies nobody.
func (in *ingestion) renewOffer(before int) {
	if before == 0 && in.group.Offer == Offered && in.now.Sub(in.group.FiringSince) >= in.service.config.FlapWindow {
		in.group.Offer = NoOffer
	}
}

func (in *ingestion) refreshOffer() {
	if in.group.Offer == Offered {
		in.group.Version++
	}
}

// oweOffer has the offer's message made or edited when there is one to show.
func (in *ingestion) oweOffer() error {
	if in.group.Offer == NoOffer || in.group.Offer == Dismissed || !in.service.config.Announce {
		return nil
	}
	effect, job := offerEffect(in.group)
	return in.tx.Owe([]Effect{effect}, []Job{job})
}

func offerEffect(g AlertGroup) (Effect, Job) {
	e := Effect{Key: OfferKey(g.ID), Kind: MakeOffer, Group: g.ID, Generation: max(g.Round, 1), Wanted: g.Version}
	return e, RunEffect{Effect: e.Key, Version: g.Version}
}

// AcceptOffer opens an incident for an offered group, once however many people
// click: Repeated is true for the second, with the incident that there is.
func (s *Service) AcceptOffer(ctx context.Context, req Request, group string) (Result, error) {
	if err := mayDeclare(req.Actor); err != nil {
		return Result{}, err
	}
	now := s.now()
	var result Result
	err := s.store.Ingest(ctx, AlertGroup{ID: group}, nil, func(tx GroupTx) error {
		g := tx.Group()
		if g.Incident != 0 {
			inc, err := tx.Incident(g.Incident)
			if err != nil {
				return err
			}
			if inc.Status.Open() || g.Offer == Accepted {
				result = Result{Incident: inc, Repeated: true}
				return nil
			}
		}
		if g.Offer == NoOffer {
			return Errorf(NotFound, "This offer is not open any more. Use `/incident declare` to open an incident.")
		}
		number, err := tx.NextNumber()
		if err != nil {
			return err
		}
		d := s.openForGroup(number, g, req.Actor, now, false)
		d.record(AlertsReceived{Group: g.ID, Fired: g.Firing, Firing: g.Firing, Unseen: g.hidden()})
		g.Incident, g.Offer, g.DecidedBy = number, Accepted, req.Actor.Person
		if err := s.linkBack(tx, g, number, now); err != nil {
			return err
		}
		g.Plan.Follows, g.DueAt = 0, time.Time{}
		g.Version++
		result.Incident = d.inc
		return s.saveOffer(tx, g, d)
	})
	return result, err
}

// DismissOffer says that an offered group is no incident. It is asked again when
// all its alerts were resolved and new ones fire.
func (s *Service) DismissOffer(ctx context.Context, req Request, group string) error {
	if err := mayDeclare(req.Actor); err != nil {
		return err
	}
	return s.store.Ingest(ctx, AlertGroup{ID: group}, nil, func(tx GroupTx) error {
		g := tx.Group()
		switch g.Offer {
		case Dismissed:
			return nil
		case Accepted:
			return Errorf(Conflict, "%s was declared for these alerts already. Use `decline` or `resolve` in its channel.", Key(g.Incident))
		case NoOffer:
			return Errorf(NotFound, "This offer is not open any more.")
		case Offered:
		}
		g.Offer, g.DecidedBy = Dismissed, req.Actor.Person
		g.Version++
		return s.saveOffer(tx, g, nil)
	})
}

// saveOffer writes a group, the incident opened for it if any, and owes the
// edit of the offer's message.
func (s *Service) saveOffer(tx GroupTx, g AlertGroup, d *decision) error {
	if d != nil {
		if err := tx.Save(d.change()); err != nil {
			return err
		}
	}
	if err := tx.SaveGroup(g); err != nil {
		return err
	}
	effect, job := offerEffect(g)
	return tx.Owe([]Effect{effect}, []Job{job})
}

// openForGroup opens an incident for a group of alerts: in triage when the
// alerts did it themselves, investigating when a person did. A storm is opened by
// the first of its groups.
func (s *Service) openForGroup(number int64, g AlertGroup, actor Actor, now time.Time, storm bool) *decision {
	d := newDecision(s.config, Incident{Number: number}, actor, now)
	d.labels = append(d.labels, g.Labels)
	status := Triage
	if actor.Via != FromAlert {
		status = Investigating
	}
	times := map[KeyTime]Instant{
		DeclaredAt: {At: now, Precision: ToSecond, Source: actor.Via},
		Detected:   {At: now, Precision: ToSecond, Source: FromAlert},
	}
	if !g.FiringSince.IsZero() {
		times[Detected] = Instant{At: g.FiringSince, Precision: ToSecond, Source: FromAlert}
		times[ImpactStart] = Instant{At: g.FiringSince, Precision: Approx, Source: FromAlert}
	}
	title := g.Title
	if storm {
		title = "Alert storm: more alerts than channels"
	}
	s.open(d, Declared{
		Title: title, Storm: storm, Summary: g.Summary, Service: g.Service, Severity: orElse(g.Severity, Sev3), Status: status,
		Detection: orElse(g.Detection, ByAlert), Follows: g.Plan.Follows, Times: times,
		Private: g.Plan.Private, Runbook: g.Plan.Runbook, Invite: g.Plan.Invite, Page: g.Plan.Page,
	})
	return d
}

// linkBack links the incident that a group's alerts had before to the one that
// they open now, which says itself what it follows.
func (s *Service) linkBack(tx GroupTx, g AlertGroup, number int64, now time.Time) error {
	earlier := g.Plan.Follows
	if earlier == 0 {
		return nil
	}
	inc, err := tx.Incident(earlier)
	if err != nil {
		return err
	}
	d := newDecision(s.config, inc, g.actor(), now)
	d.link(number)
	return tx.Save(d.change())
}
