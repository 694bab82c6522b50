package incidents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Presume ends alerts of a group of which their Alertmanager, asked then, knows
// nothing any more: it never tells the end of what was silenced while it fired, or
// whose route was changed. What was delivered since it was asked counts more.
func (s *Service) Presume(ctx context.Context, group string, fingerprints []string, asked time.Time) error {
	return s.over(ctx, group, fingerprints, func(a Alert) bool { return a.ReceivedAt.Before(asked) }, func(in *ingestion) { in.presumed = true })
}

// over ends those alerts of a group that fire and have ended, though nobody has
// delivered their end.
func (s *Service) over(ctx context.Context, group string, fingerprints []string, ended func(Alert) bool, why func(*ingestion)) error {
	now := s.now()
	slices.Sort(fingerprints)
	fingerprints = slices.Compact(fingerprints)
	return s.store.Ingest(ctx, AlertGroup{ID: group}, fingerprints, func(tx GroupTx) error {
		var m merged
		for _, a := range tx.Known() {
			if !a.Firing || !ended(a) {
				continue
			}
			a.Firing, a.EndsAt, a.Until = false, now, now
			m.save = append(m.save, a)
		}
		slices.SortFunc(m.save, func(a, b Alert) int { return int(a.ID - b.ID) })
		for _, a := range m.save {
			if a.Action.Counts() {
				m.resolved = append(m.resolved, a)
			}
		}
		if len(m.save) == 0 {
			return nil
		}
		if err := tx.SaveAlerts(m.save); err != nil || len(m.resolved) == 0 {
			return err
		}
		in := ingestion{service: s, tx: tx, group: tx.Group(), merged: m, now: now}
		why(&in)
		in.counted = tally{in.group.Firing, in.group.hidden()}
		return in.run()
	})
}

// until is how long the word of a sender holds that says itself when an alert will
// be over: until then, and for as long as it may be silent.
func (s *Service) until(a Alert) time.Time {
	if !a.Firing || a.Until.IsZero() || s.config.StaleAfter <= 0 {
		return time.Time{}
	}
	until := Micros(a.Until)
	if heard := s.now().Add(s.config.StaleAfter); heard.After(until) {
		return heard
	}
	return until
}

// lasts reports whether what is known of an alert's end still serves when it is
// told anew: each minute of each alert would be a write otherwise.
func (a Alert) lasts(anew Alert, now time.Time) bool {
	if a.Until.IsZero() || anew.Until.IsZero() {
		return a.Until.Equal(anew.Until)
	}
	return anew.Until.Sub(a.Until).Abs() < anew.Until.Sub(now)/4
}

// GroupAlerts names alerts of one group.
type GroupAlerts struct {
	Group        string
	Fingerprints []string
}

// lapsedAtOnce bounds the alerts that one look ends.
const lapsedAtOnce = 10_000

// EndLapsed ends the alerts that their sender says no more: Prometheus and vmalert,
// posting without an Alertmanager, send each again every minute or so
// (--rules.alert.resend-delay) with the time at which it is over unless they send it
// once more, and its end for 15 minutes; one that is stopped, or whose rule is
// deleted, tells no end at all.
// https://prometheus.io/docs/alerting/latest/clients/
func (s *Service) EndLapsed(ctx context.Context) error {
	now := s.now()
	since, err := s.store.Pulse(ctx, now, pulseGap)
	if err != nil {
		return err
	}
	lapsed, err := s.store.Lapsed(ctx, now, since, lapsedAtOnce)
	if err != nil {
		return err
	}
	var failures []error
	for _, l := range lapsed {
		ended := func(a Alert) bool { return !a.Until.IsZero() && !a.Until.After(now) }
		if err := s.over(ctx, l.Group, l.Fingerprints, ended, func(in *ingestion) { in.lapsed = true }); err != nil {
			failures = append(failures, fmt.Errorf("end alerts of group %s that are sent no more: %w", l.Group, err))
		}
	}
	return errors.Join(failures...)
}
