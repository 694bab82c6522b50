package web_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// store is as much of incidents.Store as the API uses, in memory. Methods it
// does not have panic.
type store struct {
	incidents.Store

	mu      sync.Mutex
	all     map[int64]incidents.Incident
	events  map[int64][]incidents.Event
	effects map[int64][]incidents.Effect
	alerted map[int64][]incidents.Alert
	onces   map[string]once
	fails   error
	asked   int // how often for effects
	papers  papers
}

type once struct {
	digest string
	number int64
}

func newStore() *store {
	return &store{
		all: map[int64]incidents.Incident{}, events: map[int64][]incidents.Event{}, effects: map[int64][]incidents.Effect{},
		alerted: map[int64][]incidents.Alert{}, onces: map[string]once{},
	}
}

func (s *store) repeated(o incidents.Once) (incidents.Result, bool, error) {
	if before, ok := s.onces[o.Key]; ok && o.Key != "" {
		if before.digest != o.Digest {
			return incidents.Result{}, true, incidents.Errorf(incidents.Mismatch, "This key was used with another body.")
		}
		return incidents.Result{Incident: s.all[before.number], Repeated: true}, true, nil
	}
	return incidents.Result{}, false, s.fails
}

func (s *store) keep(o incidents.Once, change incidents.Change) incidents.Result {
	n := change.Incident.Number
	s.all[n] = change.Incident
	s.papers.keep(change)
	s.events[n] = append(s.events[n], change.Events...)
	s.effects[n] = append(s.effects[n], change.Effects...)
	if o.Key != "" {
		s.onces[o.Key] = once{o.Digest, n}
	}
	return incidents.Result{Incident: change.Incident}
}

func (s *store) Declare(_ context.Context, o incidents.Once, decide func(int64) (incidents.Change, error)) (incidents.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if result, done, err := s.repeated(o); done || err != nil {
		return result, err
	}
	change, err := decide(int64(len(s.all) + 1))
	if err != nil {
		return incidents.Result{}, err
	}
	return s.keep(o, change), nil
}

func (s *store) Update(_ context.Context, n int64, o incidents.Once, decide func(incidents.Incident) (incidents.Change, error)) (incidents.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if result, done, err := s.repeated(o); done || err != nil {
		return result, err
	}
	change, err := decide(s.all[n])
	if err != nil {
		return incidents.Result{}, err
	}
	return s.keep(o, change), nil
}

func (s *store) Incident(_ context.Context, n int64) (incidents.Incident, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inc, ok := s.all[n]
	if !ok {
		return inc, incidents.NotFoundIncident(n)
	}
	return inc, s.fails
}

func (s *store) Incidents(_ context.Context, q incidents.Query) ([]incidents.Incident, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []incidents.Incident
	for _, inc := range s.all {
		if (!inc.Private || q.Private) && (q.Before == 0 || inc.Number < q.Before) &&
			(len(q.Statuses) == 0 || slices.Contains(q.Statuses, inc.Status)) &&
			(len(q.Severities) == 0 || slices.Contains(q.Severities, inc.Severity)) &&
			strings.Contains(strings.ToLower(inc.Title), strings.ToLower(q.Text)) {
			found = append(found, inc)
		}
	}
	slices.SortFunc(found, func(a, b incidents.Incident) int { return cmp.Compare(b.Number, a.Number) })
	return found[:min(q.Limit, len(found))], s.fails
}

func (s *store) Events(_ context.Context, n int64) ([]incidents.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events[n]), s.fails
}

func (s *store) UndoneEffects(_ context.Context, numbers []int64) (map[int64][]incidents.Effect, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	undone := map[int64][]incidents.Effect{}
	for _, n := range numbers {
		for _, e := range s.effects[n] {
			if e.State() != incidents.Done {
				undone[n] = append(undone[n], e)
			}
		}
	}
	return undone, s.fails
}

func (s *store) Alerts(_ context.Context, n int64, limit int) ([]incidents.Alert, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.alerted[n][:min(limit, len(s.alerted[n]))], s.fails
}

type clock struct{}

func (clock) Now() time.Time { return time.Date(2026, 3, 29, 14, 0, 0, 0, time.UTC) }
