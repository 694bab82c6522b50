package sqlstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// TestAllAtOnce has two peers deliver, sweeps presume, people decide and merge, all
// at once and over the same groups. Nothing may fail but what a person is told, and
// in the end each incident counts what is open in it.
func TestAllAtOnce(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		ctx := t.Context()
		const groups, alerts, rounds = 4, 6, 20
		services := []*incidents.Service{
			store.service(func(c *incidents.Config) { c.MaxDeclaredPerMinute, c.StaleAfter = 3, time.Hour }),
			store.service(func(c *incidents.Config) {
				c.MaxDeclaredPerMinute, c.StaleAfter, c.JoinBy = 3, time.Hour, []string{"service"}
			}),
		}
		d := func(r *rand.Rand) incidents.Delivery {
			d := incidents.Delivery{Source: "default", Receiver: "r", GroupKey: strconv.Itoa(r.IntN(groups)), Alertmanager: true}
			for range 1 + r.IntN(alerts) {
				severity := []string{"critical", "warning"}[r.IntN(2)]
				a := firing("Down", strconv.Itoa(r.IntN(alerts)), "severity", severity, "service", strconv.Itoa(r.IntN(2)))
				a.StartsAt = start.Add(time.Duration(r.IntN(100)) * time.Second)
				if r.IntN(2) == 0 {
					a = resolved(a, a.StartsAt.Add(time.Duration(r.IntN(50))*time.Second))
				}
				d.Alerts = append(d.Alerts, a)
			}
			return d
		}
		person := func(r *rand.Rand, n int) incidents.Request {
			return by(fmt.Sprintf("%d-%d", r.Uint64(), n))
		}
		acts := []func(*rand.Rand, int) error{
			func(r *rand.Rand, _ int) error { return services[0].Ingest(ctx, d(r)) },
			func(r *rand.Rand, _ int) error { return services[0].Ingest(ctx, d(r)) },
			func(r *rand.Rand, n int) error { return services[n%2].Ingest(ctx, d(r)) },
			func(r *rand.Rand, _ int) error {
				id := incidents.GroupID("default", "r", strconv.Itoa(r.IntN(groups)))
				open, err := store.GroupAlerts(ctx, id, 3)
				if err != nil || len(open) == 0 {
					return err
				}
				return services[0].Presume(ctx, id, []string{open[0].Fingerprint}, start.Add(time.Hour))
			},
			func(r *rand.Rand, n int) error {
				id := incidents.GroupID("default", "r", strconv.Itoa(r.IntN(groups)))
				if n%2 == 0 {
					return services[0].DismissOffer(ctx, person(r, n), id)
				}
				_, err := services[0].AcceptOffer(ctx, person(r, n), id)
				return err
			},
			func(r *rand.Rand, n int) error {
				_, err := services[0].Do(ctx, 1+r.Int64N(4), incidents.Resolve{Request: person(r, n)})
				return err
			},
			func(r *rand.Rand, n int) error {
				_, err := services[0].Merge(ctx, incidents.Merge{Request: person(r, n), Number: 1 + r.Int64N(4), Into: 1 + r.Int64N(4)})
				return err
			},
			func(*rand.Rand, int) error {
				return errors.Join(services[0].RecheckDue(ctx), services[0].EndLapsed(ctx))
			},
		}
		var wg sync.WaitGroup
		for i, act := range acts {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(uint64(i), 7))
				for n := range rounds {
					if err := act(r, n); err != nil && incidents.KindOf(err) == "" {
						t.Errorf("act %d, round %d: %v", i, n, err)
					}
				}
			})
		}
		wg.Wait()
		list, err := store.Incidents(ctx, incidents.Query{Private: true, Limit: 1000})
		if err != nil || len(list) == 0 {
			t.Fatalf("got %d incidents, %v", len(list), err)
		}
		for _, inc := range list {
			compareReplay(t, store, inc)
			if open := store.count(t, fmt.Sprintf("alerts WHERE firing AND counts AND incident = %d", inc.Number)); inc.AlertsFiring() != open {
				t.Errorf("%s (%s, storm %t) counts %d alerts, and %d are open in it", inc.Key(), inc.Status, inc.Storm, inc.AlertsFiring(), open)
			}
		}
	})
}
