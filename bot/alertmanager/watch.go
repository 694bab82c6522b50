package alertmanager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// watchedAtOnce bounds the open alerts of one source that are compared.
const watchedAtOnce = 50_000

// WatchConfig of a Watch; all is required.
type WatchConfig struct {
	Set     *Set
	Service *incidents.Service
	Log     *slog.Logger
	// StaleAfter is how long an Alertmanager must know nothing of an alert before
	// it is taken for resolved. It tells the end of one only with its next
	// notification, usually within 5 minutes.
	StaleAfter time.Duration
}

// Watch compares what Houston takes for firing with what the Alertmanagers know.
type Watch struct {
	config WatchConfig

	mu sync.Mutex
	// missing is since when an alert is not known, by source, group and fingerprint. It is
	// kept in memory: after a restart the time begins anew, which is the safe side.
	missing map[string]map[[2]string]time.Time
}

// NewWatch makes a Watch.
func NewWatch(config WatchConfig) *Watch {
	return &Watch{config: config, missing: map[string]map[[2]string]time.Time{}}
}

// Sweep asks each Alertmanager once about the alerts that came from it. It is
// harmless on several replicas at once.
func (w *Watch) Sweep(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	sources, err := w.config.Service.Store().Sources(ctx)
	if err != nil {
		return err
	}
	var failures []error
	for _, source := range sources {
		client, ok := w.config.Set.of(source)
		if !ok {
			continue
		}
		if err := w.sweep(ctx, source, client); err != nil {
			failures = append(failures, fmt.Errorf("compare with Alertmanager %s: %w", client.name, err))
		}
	}
	return errors.Join(failures...)
}

func (w *Watch) sweep(ctx context.Context, source string, client *Client) error {
	open, err := w.config.Service.Store().WatchedAlerts(ctx, source, watchedAtOnce)
	if err != nil {
		return err
	}
	asked := incidents.Micros(w.config.Set.clock.Now())
	alerts, err := client.firing(ctx)
	if err != nil {
		return err
	}
	stale := map[string][]string{}
	silencing := map[string]incidents.WatchedAlert{} // by the silence's id
	now := w.config.Set.clock.Now()
	before := w.missing[source]
	missing := map[[2]string]time.Time{}
	w.missing[source] = missing
	for _, a := range open {
		key := [2]string{a.Group, a.Fingerprint}
		k, found := alerts[a.Fingerprint]
		if !found {
			since, ok := before[key]
			if !ok {
				since = now
			}
			if now.Sub(since) >= w.config.StaleAfter {
				stale[a.Group] = append(stale[a.Group], a.Fingerprint)
			} else {
				missing[key] = since
			}
			continue
		}
		for _, id := range k.silencedBy {
			if a.Incident != 0 {
				silencing[id] = a
			}
		}
	}
	var failures []error
	for group, fingerprints := range stale {
		failures = append(failures, w.config.Service.Presume(ctx, group, fingerprints, asked))
	}
	all, err := client.Silences(ctx)
	if err != nil {
		return errors.Join(append(failures, err)...)
	}
	return errors.Join(append(failures, w.foreign(ctx, source, all, silencing), w.lifted(ctx, all))...)
}

// foreign records the silences on the alerts of incidents that are not Houston's.
func (w *Watch) foreign(ctx context.Context, source string, all []Silence, silencing map[string]incidents.WatchedAlert) error {
	found := map[int64][]incidents.ForeignSilence{}
	for _, s := range all {
		a, ok := silencing[s.ID]
		if !ok || strings.HasSuffix(s.CreatedBy, ourSign) {
			continue
		}
		found[a.Incident] = append(found[a.Incident], incidents.ForeignSilence{
			Silence: s.ID, Source: source, By: cmp.Or(s.CreatedBy, "somebody"), Comment: s.Comment,
			Until: incidents.Micros(s.EndsAt), Alert: a.Name,
		})
	}
	var failures []error
	for number, silences := range found {
		failures = append(failures, w.config.Service.NoteSilences(ctx, number, silences))
	}
	return errors.Join(failures...)
}
