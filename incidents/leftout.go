package incidents

import (
	"context"
	"time"
)

// LeftOut is a sender's group that its Alertmanager has to be asked about: its last
// delivery left alerts out (max_alerts), or seems to have been overtaken by another.
type LeftOut struct {
	ID       string // of the sender's group, see [GroupID]
	Source   string
	Receiver string // as sent: Alertmanager escapes it as a regular expression
	Labels   map[string]string
	// Fingerprint is that of an alert which was delivered: it tells the group from
	// others of the same receiver and labels.
	Fingerprint string
	Groups      []string // ids of the [AlertGroup]s that count what was left out
	NotedAt     time.Time
}

// AskedOf is what an Alertmanager answered about a sender's group.
type AskedOf struct {
	Firing []Alert // neither silenced nor inhibited
	// Known are the fingerprints of all that it has, whether they tell anybody or not.
	Known map[string]bool
	At    time.Time // when it was asked
	// Since is when it was started, if so short a time ago that it need not know all
	// that fires; zero otherwise.
	Since time.Time
}

// AskLeftOut has an Alertmanager asked for what a delivery of it left out.
type AskLeftOut struct {
	Group   string `json:"group"`   // id of a [LeftOut]
	Version int64  `json:"version"` // so that no later one is swallowed as a duplicate
}

// Kind names the job in the queue.
func (AskLeftOut) Kind() string { return "ask_left_out" }

// recountAtOnce bounds the open alerts of a group that are compared with what its
// Alertmanager has.
const recountAtOnce = 50_000

// noteLeftOut has the Alertmanager asked about a group of its own, where one is
// configured.
func (s *Service) noteLeftOut(ctx context.Context, own string, delivery Delivery, parts []part) error {
	if !delivery.Alertmanager || !s.knowsAlertmanager(delivery.Source) {
		return nil // where there is nobody to ask the card says what is missing
	}
	left := LeftOut{
		ID: own, Source: delivery.Source, Receiver: delivery.Receiver, Labels: delivery.Labels,
		NotedAt: s.now(),
	}
	for _, p := range parts {
		left.Groups = append(left.Groups, p.group.ID)
		for _, a := range p.alerts {
			if left.Fingerprint == "" && a.Firing {
				left.Fingerprint = a.Fingerprint
			}
		}
	}
	return s.store.NoteLeftOut(ctx, left, AskLeftOut{Group: left.ID, Version: left.NotedAt.UnixMicro()})
}

// Reconcile takes in what an Alertmanager knows of a group whose delivery left
// alerts out: what fires is stored, and what it has no more has ended.
func (s *Service) Reconcile(ctx context.Context, left LeftOut, asked AskedOf) error {
	now := s.now()
	for _, p := range s.split(left.ID, Delivery{
		Source: left.Source, Receiver: left.Receiver, Labels: left.Labels, Alerts: asked.Firing,
		Alertmanager: true, AskedAt: asked.At,
	}) {
		if p.alerts[0].Action == RouteHeartbeat {
			continue // nobody has beaten: we have asked
		}
		if _, err := s.ingestGroup(ctx, p, now); err != nil {
			return err
		}
	}
	for _, group := range left.Groups {
		if err := s.allSeen(ctx, group, left.ID, now); err != nil {
			return err
		}
	}
	sure, err := s.endUnknown(ctx, left.ID, asked)
	if err != nil || !sure {
		return err // not sure: the sweep asks again
	}
	return s.store.ForgetLeftOut(ctx, left.ID, left.NotedAt)
}

// allSeen notes that nothing of a sender's group is left out any more.
func (s *Service) allSeen(ctx context.Context, group, sender string, now time.Time) error {
	return s.store.Ingest(ctx, AlertGroup{ID: group}, nil, func(tx GroupTx) error {
		in := ingestion{service: s, tx: tx, group: tx.Group(), now: now}
		in.counted = tally{in.group.Firing, in.group.hidden()}
		if !in.group.leftOut(Shortened(sender), 0) {
			return nil
		}
		return in.run()
	})
}

// endUnknown ends the open alerts of a sender's group that its Alertmanager has no
// more, whichever groups of Houston's they belong to. It is not sure when an
// Alertmanager that was just started does not know one that fired before.
func (s *Service) endUnknown(ctx context.Context, sender string, asked AskedOf) (sure bool, err error) {
	open, err := s.store.GroupAlerts(ctx, sender, recountAtOnce)
	if err != nil {
		return false, err
	}
	apart, err := s.store.SenderAlerts(ctx, Shortened(sender), recountAtOnce)
	if err != nil {
		return false, err
	}
	sure = true
	over := map[string][]string{}
	for _, a := range append(open, apart...) {
		switch {
		case asked.Known[a.Fingerprint] || a.Action == RouteHeartbeat:
		case a.ReceivedAt.Before(asked.Since):
			sure = false
		default:
			over[a.Group] = append(over[a.Group], a.Fingerprint)
		}
	}
	for _, group := range sortedKeys(over) {
		if err := s.Presume(ctx, group, over[group], asked.At); err != nil {
			return false, err
		}
	}
	return sure, nil
}

// unknown counts the alerts of a sender's group that nobody here knows: those left
// out of a delivery, without those that an earlier one has told. Where alerts are
// joined by labels nothing tells whose they are.
func (p part) unknown(tx GroupTx, m merged) (int, error) {
	if p.truncated == 0 || p.group.ID != p.own {
		return p.truncated, nil
	}
	open, err := tx.OpenCount()
	if err != nil {
		return 0, err
	}
	told := map[string]bool{}
	for _, a := range p.alerts {
		told[a.Fingerprint] = false
	}
	for _, a := range tx.Known() {
		told[a.Fingerprint] = a.Firing && a.Action.Counts()
	}
	for _, a := range m.save {
		told[a.Fingerprint] = a.Firing && a.Action.Counts()
	}
	for _, fires := range told {
		if fires {
			open--
		}
	}
	return max(p.truncated-open, 0), nil
}
