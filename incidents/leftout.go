package incidents

import (
	"context"
	"time"
)

// LeftOut is a sender's group whose last delivery left alerts out (Alertmanager's
// max_alerts), so that its Alertmanager has to be asked about the rest.
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

// noteLeftOut has the Alertmanager asked about what a delivery left out, where one
// is configured.
func (s *Service) noteLeftOut(ctx context.Context, own string, delivery Delivery, parts []part) error {
	if delivery.Truncated == 0 || !delivery.Alertmanager || !s.knowsAlertmanager(delivery.Source) {
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
		Alertmanager: true,
	}) {
		if p.alerts[0].Action == RouteHeartbeat {
			continue // nobody has beaten: we have asked
		}
		if err := s.ingestGroup(ctx, p, now); err != nil {
			return err
		}
	}
	for _, group := range left.Groups {
		if err := s.allSeen(ctx, group, left.ID, now); err != nil {
			return err
		}
	}
	if err := s.endUnknown(ctx, left.ID, asked); err != nil {
		return err
	}
	return s.store.ForgetLeftOut(ctx, left.ID, left.NotedAt)
}

// allSeen notes that nothing of a sender's group is left out any more.
func (s *Service) allSeen(ctx context.Context, group, sender string, now time.Time) error {
	return s.store.Ingest(ctx, AlertGroup{ID: group}, nil, func(tx GroupTx) error {
		in := ingestion{service: s, tx: tx, group: tx.Group(), now: now}
		in.counted = tally{in.group.Firing, in.group.hidden()}
		if !in.group.leftOut(shortened(sender), 0) {
			return nil
		}
		return in.run()
	})
}

// endUnknown ends the open alerts of a sender's own group that its Alertmanager
// has no more. Where alerts are joined by labels nothing tells whose they are: the
// comparison of all of them finds these later.
func (s *Service) endUnknown(ctx context.Context, group string, asked AskedOf) error {
	open, err := s.store.GroupAlerts(ctx, group, recountAtOnce)
	if err != nil {
		return err
	}
	var over []string
	for _, a := range open {
		if !asked.Known[a.Fingerprint] && a.ReceivedAt.Before(asked.At) {
			over = append(over, a.Fingerprint)
		}
	}
	if len(over) == 0 {
		return nil
	}
	return s.Presume(ctx, group, over)
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
