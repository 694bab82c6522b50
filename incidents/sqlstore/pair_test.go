package sqlstore_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/houston-sre/houston/incidents"
)

func TestMergeMovesGroupsAndAlerts(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.ingest(t, firing("Down", "1", "severity", "critical"))
		store.declare(t, "Broker misses his offers")
		service := store.service()
		if _, err := service.Merge(t.Context(), incidents.Merge{Request: by(""), Number: 1, Into: 2}); err != nil {
			t.Fatal(err)
		}
		if n := store.count(t, "alert_groups WHERE incident = 2"); n != 1 {
			t.Errorf("%d groups belong to INC-2", n)
		}
		if lines := store.alertLines(t, 2); len(lines) != 1 {
			t.Errorf("alerts of INC-2 are %q", lines)
		}
		for _, number := range []int64{1, 2} {
			inc, err := store.Incident(t.Context(), number)
			if err != nil {
				t.Fatal(err)
			}
			compareReplay(t, store, inc)
		}
		store.ingest(t, firing("Down", "1", "severity", "critical"), firing("Down", "2", "severity", "critical"))
		inc, err := store.Incident(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		if inc.AlertsFiring() != 2 || store.count(t, "incidents") != 2 {
			t.Errorf("%d alerts fire in INC-2, there are %d incidents", inc.AlertsFiring(), store.count(t, "incidents"))
		}
	})
}

// TestOppositeMerges has many pairs merged both ways at once, while alerts of
// both come in: one way wins, and nothing waits for ever.
func TestOppositeMerges(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		service := store.service()
		for round := range int64(8) {
			one, other := 2*round+1, 2*round+2
			store.declare(t, "One")
			store.declare(t, "Other")
			var both sync.WaitGroup
			errs := make([]error, 2)
			for i, merge := range []incidents.Merge{{Number: one, Into: other}, {Number: other, Into: one}} {
				both.Go(func() {
					merge.Request = by("")
					_, errs[i] = service.Merge(t.Context(), merge)
				})
			}
			both.Wait()
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Fatalf("merging both ways gave %v and %v", errs[0], errs[1])
			}
			if err := errors.Join(errs...); incidents.KindOf(err) != incidents.Conflict {
				t.Errorf("the loser is told %v", err)
			}
		}
	})
}
