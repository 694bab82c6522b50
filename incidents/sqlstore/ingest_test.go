package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

// firing makes an alert that fires since before; more labels come in pairs.
func firing(name, instance string, labels ...string) incidents.Alert {
	a := incidents.Alert{
		Firing: true, StartsAt: start.Add(-time.Minute),
		Labels: map[string]string{"alertname": name, "instance": instance, "severity": "critical"},
	}
	for i := 0; i < len(labels); i += 2 {
		a.Labels[labels[i]] = labels[i+1]
	}
	return a
}

func resolved(a incidents.Alert, at time.Time) incidents.Alert {
	a.Firing, a.EndsAt = false, at
	return a
}

func delivery(alerts ...incidents.Alert) incidents.Delivery {
	return incidents.Delivery{
		Source: "default", Receiver: "houston", GroupKey: "{}:{}", Alertmanager: true, Body: []byte(`{"alerts":[]}`),
		Labels: map[string]string{"cluster": "eu"}, Alerts: alerts,
	}
}

func groupID() string { return incidents.GroupID("default", "houston", "{}:{}") }

func (s *testStore) ingest(t *testing.T, alerts ...incidents.Alert) {
	t.Helper()
	if err := s.service().Ingest(t.Context(), delivery(alerts...)); err != nil {
		t.Fatal(err)
	}
}

// alertLines lists an incident's alerts, written like "a firing".
func (s *testStore) alertLines(t *testing.T, number int64) []string {
	t.Helper()
	alerts, err := s.Alerts(t.Context(), number, 100)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	for _, a := range alerts {
		state := "ended"
		if a.Firing {
			state = "firing"
		}
		lines = append(lines, a.Labels["instance"]+" "+state)
	}
	return lines
}

func (s *testStore) lastSeq(t *testing.T, number int64) int64 {
	t.Helper()
	inc, err := s.Incident(t.Context(), number)
	if err != nil {
		t.Fatal(err)
	}
	return inc.Seq
}

func TestIngestOpensGrowsAndEnds(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		a, b, c := firing("Down", "a"), firing("Down", "b"), firing("Down", "c")
		store.ingest(t, a)
		store.ingest(t, a, b) // grows
		inc, err := store.Incident(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if inc.Status != incidents.Triage || inc.AlertsFiring() != 2 {
			t.Errorf("incident is %s with %d alerts firing, want triage with 2", inc.Status, inc.AlertsFiring())
		}
		seq := inc.Seq
		store.ingest(t, a, b)               // a repeat
		store.ingest(t, resolved(c, start)) // unknown
		store.ingest(t, resolved(c, start)) // and told again
		if got := store.lastSeq(t, 1); got != seq {
			t.Errorf("repeats made events: %d, want %d", got, seq)
		}
		store.ingest(t, resolved(a, start), b)
		if diff := cmp.Diff([]string{"b firing", "a ended"}, store.alertLines(t, 1)); diff != "" {
			t.Errorf("alerts (-want +got):\n%s", diff)
		}
		store.ingest(t, a) // overtaken by its own end
		store.ingest(t, resolved(b, start))
		open, err := store.GroupAlerts(t.Context(), groupID(), 10)
		if err != nil {
			t.Fatal(err)
		}
		if len(open) != 0 {
			t.Errorf("%d alerts are open, want none", len(open))
		}
		group, err := store.Group(t.Context(), groupID())
		if err != nil {
			t.Fatal(err)
		}
		want := incidents.AlertGroup{
			ID: groupID(), Source: "default", Receiver: "houston", Labels: map[string]string{"cluster": "eu"},
			Incident: 1, Severity: incidents.Sev2, Title: "Down", FiringSince: start.Add(-time.Minute), Alertmanager: true,
		}
		if diff := cmp.Diff(want, group); diff != "" {
			t.Errorf("group (-want +got):\n%s", diff)
		}
	})
}

// What a row says must survive the way there and back.
func TestAlertComesBackAsItWas(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		want := incidents.Alert{
			Fingerprint: "f1", Firing: true, URL: "http://prometheus/graph?a=1&b=<2>", Action: incidents.RouteDeclare,
			StartsAt: time.Unix(0, 0).UTC(), // some senders begin in 1970, which is not "unknown"
			Labels:   map[string]string{"alertname": "Störung 🔥"}, Annotations: map[string]string{"summary": "it's \"down\"\n"},
			ReceivedAt: start,
		}
		save := func(alerts ...incidents.Alert) error {
			return store.Ingest(t.Context(), incidents.AlertGroup{ID: "g"}, nil, func(tx incidents.GroupTx) error {
				return tx.SaveAlerts(alerts)
			})
		}
		if err := save(want); err != nil {
			t.Fatal(err)
		}
		known := func() incidents.Alert {
			var known map[string]incidents.Alert
			err := store.Ingest(t.Context(), incidents.AlertGroup{ID: "g"}, []string{"f1", "f2"}, func(tx incidents.GroupTx) error {
				known = tx.Known()
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(known) != 1 {
				t.Fatalf("%d alerts are known, want 1", len(known))
			}
			return known["f1"]
		}
		got := known()
		want.Group, want.ID = "g", got.ID
		if diff := cmp.Diff(want, got); diff != "" || got.ID == 0 {
			t.Errorf("alert (-saved +loaded):\n%s", diff)
		}
		want.Firing, want.EndsAt, want.URL, want.Labels = false, start.Add(time.Second), "", nil
		if err := save(want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, known()); diff != "" {
			t.Errorf("alert after its end (-saved +loaded):\n%s", diff)
		}
	})
}

// One delivery that says an alert ended and fires again keeps one open row.
func TestEndAndNewFireInOneDelivery(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		a := firing("Down", "a")
		store.ingest(t, a)
		again := a
		again.StartsAt = start.Add(time.Minute)
		store.clock.move(2 * time.Minute)
		store.ingest(t, resolved(a, start), again)
		if diff := cmp.Diff([]string{"a firing", "a ended"}, store.alertLines(t, 1)); diff != "" {
			t.Errorf("alerts, the ended life beside the new one (-want +got):\n%s", diff)
		}
	})
}

func TestPeersDeliverAtOnce(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		var alerts []incidents.Alert
		for i := range 200 {
			alerts = append(alerts, firing("Down", strconv.Itoa(i)))
		}
		service := store.service()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for n := 50; n <= len(alerts); n += 50 {
					if err := service.Ingest(t.Context(), delivery(alerts[:n]...)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if got := store.count(t, "incidents"); got != 1 {
			t.Errorf("%d incidents, want 1", got)
		}
		if got := store.count(t, "alerts"); got != len(alerts) {
			t.Errorf("%d alerts, want %d", got, len(alerts))
		}
		if got := store.count(t, "events WHERE type = 'alerts_received'"); got != 4 {
			t.Errorf("%d deliveries changed something, want 4", got)
		}
	})
}

// Alerts belong to the incident that they fired in.
func TestAlertsGoWithTheirIncident(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		a, ignored := firing("Down", "a"), firing("InfoInhibitor", "i")
		store.ingest(t, a, ignored)
		store.ingest(t, resolved(a, start))
		_, err := store.service().Do(t.Context(), 1, incidents.Decline{Request: by("")})
		if err != nil {
			t.Fatal(err)
		}
		store.clock.move(24 * time.Hour)
		b := firing("Down", "b")
		b.StartsAt = store.clock.Now()
		store.ingest(t, b)
		if diff := cmp.Diff([]string{"a ended"}, store.alertLines(t, 1)); diff != "" {
			t.Errorf("alerts of the first incident (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"b firing"}, store.alertLines(t, 2)); diff != "" {
			t.Errorf("alerts of the second incident (-want +got):\n%s", diff)
		}
	})
}

func TestAcceptedOfferTakesItsAlerts(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		a, b := firing("Slow", "a", "severity", "warning"), firing("Slow", "b", "severity", "warning")
		store.ingest(t, a, b)
		store.ingest(t, resolved(a, start))
		result, err := store.service().AcceptOffer(t.Context(), by(""), groupID())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"b firing", "a ended"}, store.alertLines(t, result.Incident.Number)); diff != "" {
			t.Errorf("alerts (-want +got):\n%s", diff)
		}
		again, err := store.service().AcceptOffer(t.Context(), by(""), groupID())
		if err != nil || !again.Repeated || again.Incident.Number != result.Incident.Number {
			t.Errorf("the second click gave %s, repeated %t, %v", again.Incident.Key(), again.Repeated, err)
		}
	})
}

func TestUnknownGroup(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		if _, err := store.Group(t.Context(), "nope"); incidents.KindOf(err) != incidents.NotFound {
			t.Errorf("an unknown group gave %v, want not found", err)
		}
		if _, err := store.service().AcceptOffer(t.Context(), by(""), "nope"); incidents.KindOf(err) != incidents.NotFound {
			t.Errorf("an unknown offer gave %v, want not found", err)
		}
		if got := store.count(t, "alert_groups"); got != 0 {
			t.Errorf("asking made %d groups", got)
		}
	})
}

// However many groups fire at once, alerts open no more incidents a minute than
// they may.
func TestDeclarationsAreBounded(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		const most = 3
		service := store.service(func(c *incidents.Config) { c.MaxDeclaredPerMinute = most })
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				d := delivery(firing("Down", "a"))
				d.GroupKey = strconv.Itoa(i)
				if err := service.Ingest(t.Context(), d); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := store.count(t, "incidents"); got != most+1 {
			t.Errorf("%d incidents, want %d and the storm", got, most)
		}
		storm, err := store.Incident(t.Context(), int64(most+1))
		if err != nil {
			t.Fatal(err)
		}
		groups, n, err := store.GroupsOf(t.Context(), storm.Number, 5)
		if err != nil || !storm.Storm || storm.AlertsFiring() != 20-most || n != 20-most || len(groups) != 5 {
			t.Errorf("the storm has %d alerts of %d groups (%d listed), %v, want %d", storm.AlertsFiring(), n, len(groups), err, 20-most)
		}
	})
}

func TestOpenIncident(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		long := strings.Repeat("ü", 3000)
		declare := func(c incidents.Declare) int64 {
			c.Request, c.Title = by(""), "t"
			result, err := store.service().Declare(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			return result.Incident.Number
		}
		declare(incidents.Declare{Service: "offers"})
		newest := declare(incidents.Declare{Service: "offers"})
		declare(incidents.Declare{Service: "offers", Private: true})
		declare(incidents.Declare{Service: "offers", Drill: true})
		closed := declare(incidents.Declare{Service: "offers"})
		if _, err := store.service().Do(t.Context(), closed, incidents.Resolve{Request: by("")}); err != nil {
			t.Fatal(err)
		}
		store.ingest(t, firing("Down", "a", "service", long))
		byAlert := int64(6)
		odd := declare(incidents.Declare{Service: "odd\xff\x00"})
		for _, tt := range []struct {
			name, service string
			want          int64
		}{
			{"by service", "offers", newest},
			{"of a service whose name fits in no index", long, byAlert},
			{"none of the service", "scoring", 0},
			{"of a service whose name is no text", "odd\xff\x00", odd},
			{"opened by an alert", "", byAlert},
		} {
			err := store.Ingest(t.Context(), incidents.AlertGroup{ID: "g"}, nil, func(tx incidents.GroupTx) error {
				inc, found, err := tx.OpenIncident(tt.service)
				if inc.Number != tt.want || found != (tt.want != 0) {
					t.Errorf("%s: found %s, %t, want %s", tt.name, inc.Key(), found, incidents.Key(tt.want))
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// The incident that was found is closed before it could be locked: the next one
// is found.
func TestOpenIncidentIsClosedMeanwhile(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		for range 2 {
			if _, err := store.service().Declare(t.Context(), incidents.Declare{Request: by(""), Title: "t", Service: "offers"}); err != nil {
				t.Fatal(err)
			}
		}
		_, err := store.service().ChannelMade(t.Context(), store.take(t, "INC-2/channel"), incidents.Channel{ID: "C2"})
		if err != nil {
			t.Fatal(err)
		}
		found := make(chan int64, 1)
		// The queue is the last to be asked before the resolution is committed.
		store.SetEnqueue(func(ctx context.Context, tx *sql.Tx, jobs []incidents.Job) error {
			go func() {
				var inc incidents.Incident
				err := store.Ingest(ctx, incidents.AlertGroup{ID: "g"}, nil, func(tx incidents.GroupTx) (err error) {
					inc, _, err = tx.OpenIncident("offers")
					return err
				})
				if err != nil {
					t.Error(err)
				}
				found <- inc.Number
			}()
			store.awaitLock(ctx, t)
			return enqueue(ctx, tx, jobs)
		})
		if _, err := store.service().Do(t.Context(), 2, incidents.Resolve{Request: by("")}); err != nil {
			t.Fatal(err)
		}
		if got := <-found; got != 1 {
			t.Errorf("found %s, want INC-1", incidents.Key(got))
		}
	})
}

func TestManyAlertsInAllWays(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		const n = 1234 // neither a batch nor a multiple of one
		var alerts, ends []incidents.Alert
		for i := range n {
			a := firing("Down", fmt.Sprintf("%04d", i))
			alerts = append(alerts, a)
			ends = append(ends, resolved(a, start))
		}
		store.ingest(t, alerts...)
		if got := store.count(t, "alerts WHERE firing AND incident = 1"); got != n {
			t.Errorf("%d alerts fire in INC-1, want %d", got, n)
		}
		store.ingest(t, ends...)
		if got := store.count(t, "alerts WHERE NOT firing AND incident = 1"); got != n {
			t.Errorf("%d alerts have ended, want %d", got, n)
		}
		inc, err := store.Incident(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if inc.AlertsFiring() != 0 {
			t.Errorf("%d alerts fire, want none", inc.AlertsFiring())
		}
		few, err := store.Alerts(t.Context(), 1, 5)
		if err != nil {
			t.Fatal(err)
		}
		if len(few) != 5 {
			t.Errorf("listed %d alerts, want 5", len(few))
		}
	})
}
