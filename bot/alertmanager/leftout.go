package alertmanager

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/prometheus/alertmanager/api/v2/client/alertgroup"
	"github.com/prometheus/alertmanager/api/v2/client/general"
	"github.com/prometheus/alertmanager/api/v2/models"
	"github.com/prometheus/alertmanager/pkg/labels"

	"github.com/houston-sre/houston/incidents"
)

const (
	// askedAgainAfter is how old a note is that its own job has not settled.
	askedAgainAfter = time.Minute
	// askedAtOnce bounds the groups that one sweep asks about.
	askedAtOnce = 100
	// knowsAfter is when an Alertmanager that was started knows what fires: it keeps
	// no alerts over a restart, and Prometheus sends each again every minute or so
	// (--rules.alert.resend-delay).
	knowsAfter = 10 * time.Minute
)

// errStartedAnew says that an Alertmanager does not know a group, and was started
// too short a time ago for that to mean anything.
var errStartedAnew = errors.New("started anew")

// Reconciler asks Alertmanagers for the alerts that their deliveries left out.
type Reconciler struct {
	set     *Set
	service *incidents.Service
}

// NewReconciler makes a Reconciler.
func NewReconciler(set *Set, service *incidents.Service) *Reconciler {
	return &Reconciler{set: set, service: service}
}

// Ask asks about one group. It is nothing when somebody has asked already.
func (r *Reconciler) Ask(ctx context.Context, job incidents.AskLeftOut) error {
	left, found, err := r.service.Store().LeftOut(ctx, job.Group)
	if err != nil || !found {
		return err
	}
	return r.reconcile(ctx, left)
}

// Sweep asks about the groups that have waited long: their Alertmanager did not
// answer, or was not configured yet.
func (r *Reconciler) Sweep(ctx context.Context) error {
	waiting, err := r.service.Store().LeftOuts(ctx, r.set.clock.Now().Add(-askedAgainAfter), askedAtOnce)
	if err != nil {
		return err
	}
	var failures []error
	for _, left := range waiting {
		failures = append(failures, r.reconcile(ctx, left))
	}
	return errors.Join(failures...)
}

func (r *Reconciler) reconcile(ctx context.Context, left incidents.LeftOut) error {
	client, ok := r.set.of(left.Source)
	if !ok {
		return nil // it is configured no more
	}
	at := incidents.Micros(r.set.clock.Now())
	asked, err := client.group(ctx, left, at)
	switch {
	case errors.Is(err, errStartedAnew):
		return nil // the sweep asks again
	case err != nil:
		return fmt.Errorf("ask Alertmanager %s for what it left out: %w", client.name, err)
	}
	asked.At = at
	return r.service.Reconcile(ctx, left, asked)
}

// group gives what the Alertmanager knows of one of its groups. Its API tells no
// groupKey (alertmanager#3446): the group is known by receiver and labels, and
// where several have the same by an alert that it holds. One that it does not have
// is over, unless it was started after the delivery and just now (errStartedAnew).
func (c *Client) group(ctx context.Context, left incidents.LeftOut, now time.Time) (incidents.AskedOf, error) {
	yes := true
	var filter []string
	for name, value := range left.Labels {
		m, err := labels.NewMatcher(labels.MatchEqual, name, value)
		if err != nil {
			return incidents.AskedOf{}, fmt.Errorf("match the label %q: %w", name, err)
		}
		filter = append(filter, m.String())
	}
	params := alertgroup.NewGetAlertGroupsParamsWithContext(ctx).
		WithActive(&yes).WithSilenced(&yes).WithInhibited(&yes).WithMuted(&yes).WithFilter(filter)
	if left.Receiver != "" {
		params = params.WithReceiver(&left.Receiver) // a regular expression, which is what it sent
	}
	answer, err := c.api.Alertgroup.GetAlertGroups(params)
	if err != nil {
		return incidents.AskedOf{}, c.failure(err)
	}
	var found *models.AlertGroup
	for _, g := range answer.Payload {
		if !maps.Equal(map[string]string(g.Labels), left.Labels) {
			continue
		}
		if found == nil || holds(g, left.Fingerprint) && !holds(found, left.Fingerprint) {
			found = g
		}
	}
	status, err := c.api.General.GetStatus(general.NewGetStatusParamsWithContext(ctx))
	if err != nil {
		return incidents.AskedOf{}, c.failure(err)
	}
	since := time.Time(value(status.Payload.Uptime))
	if now.Sub(since) >= knowsAfter {
		since = time.Time{}
	}
	if found == nil && since.After(left.NotedAt) {
		return incidents.AskedOf{}, errStartedAnew
	}
	told := asked(found)
	told.Since = since
	return told, nil
}

func holds(g *models.AlertGroup, fingerprint string) bool {
	for _, a := range g.Alerts {
		if value(a.Fingerprint) == fingerprint {
			return true
		}
	}
	return false
}

// asked reads a group; nil is one that has no alerts any more.
func asked(g *models.AlertGroup) incidents.AskedOf {
	answer := incidents.AskedOf{Known: map[string]bool{}}
	if g == nil {
		return answer
	}
	for _, a := range g.Alerts {
		answer.Known[value(a.Fingerprint)] = true
		if a.Status == nil || value(a.Status.State) != models.AlertStatusStateActive {
			continue
		}
		answer.Firing = append(answer.Firing, incidents.Alert{
			Fingerprint: value(a.Fingerprint), Firing: true, Labels: a.Labels, Annotations: a.Annotations,
			StartsAt: time.Time(value(a.StartsAt)), URL: a.GeneratorURL.String(),
		})
	}
	return answer
}
