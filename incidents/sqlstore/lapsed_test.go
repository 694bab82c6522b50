package sqlstore_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

// TestLapsed: what a sender says no more is over, after all the time it has while
// somebody listens; each repeat of it is not a write.
func TestLapsed(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		service := store.service(func(c *incidents.Config) { c.StaleAfter = 4 * time.Minute })
		post := func(instances ...string) {
			d := incidents.Delivery{Source: "default", Receiver: "houston", GroupKey: "{}:{}"}
			for _, instance := range instances {
				a := firing("Down", instance)
				a.Until = store.clock.Now().Add(4 * time.Minute)
				d.Alerts = append(d.Alerts, a)
			}
			if err := service.Ingest(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
		listen := func(length time.Duration) {
			for ; length > 0; length -= 10 * time.Second {
				store.clock.move(10 * time.Second)
				if err := service.EndLapsed(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		listen(10 * time.Second)
		post("a", "b")
		received := func() time.Time { return store.alert(t, "a").ReceivedAt }
		first := received()
		listen(30 * time.Second)
		if post("a", "b"); !received().Equal(first) {
			t.Error("a repeat half a minute later was written")
		}
		listen(time.Minute)
		if post("a"); !received().After(first) {
			t.Error("a repeat a minute and a half later was not written")
		}
		listen(3 * time.Minute)
		if diff := cmp.Diff([]string{"a firing", "b ended"}, store.alertLines(t, 1)); diff != "" {
			t.Errorf("alerts (-want +got):\n%s", diff)
		}
		store.clock.move(time.Hour) // nobody listens
		listen(3 * time.Minute)
		if diff := cmp.Diff([]string{"a firing", "b ended"}, store.alertLines(t, 1)); diff != "" {
			t.Errorf("alerts three minutes after a start (-want +got):\n%s", diff)
		}
		listen(2 * time.Minute)
		if diff := cmp.Diff([]string{"a ended", "b ended"}, store.alertLines(t, 1)); diff != "" {
			t.Errorf("alerts five minutes after a start (-want +got):\n%s", diff)
		}
	})
}

// alert gives an alert of INC-1 by its instance.
func (s *testStore) alert(t *testing.T, instance string) incidents.Alert {
	t.Helper()
	alerts, err := s.Alerts(t.Context(), 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range alerts {
		if a.Labels["instance"] == instance {
			return a
		}
	}
	t.Fatalf("no alert of %s", instance)
	return incidents.Alert{}
}

// TestWhereASendersAlertsAre: alerts that join_by has put elsewhere are found by the
// sender's group that they came from, and moved when it is configured otherwise.
func TestWhereASendersAlertsAre(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		joining := store.service(func(c *incidents.Config) { c.JoinBy = []string{"service"} })
		a, b, lone := firing("Down", "a", "service", "x"), firing("Down", "b", "service", "y"), firing("Down", "c")
		if err := joining.Ingest(t.Context(), delivery(a, b, lone)); err != nil {
			t.Fatal(err)
		}
		if open, err := store.SenderAlerts(t.Context(), incidents.Shortened(groupID()), 10); err != nil || len(open) != 2 {
			t.Errorf("got %d alerts elsewhere, %v, want 2", len(open), err)
		}
		for own, want := range map[bool]int{false: 2, true: 3} {
			if open, err := store.OpenOf(t.Context(), groupID(), own); err != nil || len(open) != want {
				t.Errorf("got %d groups, %v, want %d", len(open), err, want)
			}
		}
		store.ingest(t, a, b, lone) // by a service that joins nothing
		if open, err := store.SenderAlerts(t.Context(), incidents.Shortened(groupID()), 10); err != nil || len(open) != 0 {
			t.Errorf("got %d alerts elsewhere, %v, want none", len(open), err)
		}
		open, err := store.OpenOf(t.Context(), groupID(), true)
		if err != nil || len(open) != 1 || open[0].Group != groupID() || len(open[0].Fingerprints) != 3 {
			t.Errorf("got %+v, %v, want all three in the sender's own group", open, err)
		}
	})
}
