package sqlstore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

func TestDeclareStoresAll(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		inc := store.declare(t, "Broker misses his offers")
		got, err := store.Incident(t.Context(), inc.Number)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(inc, got); diff != "" {
			t.Errorf("stored incident (-decided +stored):\n%s", diff)
		}
		events, err := store.Events(t.Context(), inc.Number)
		if err != nil {
			t.Fatal(err)
		}
		replayed, err := incidents.Replay(events)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(replayed, got); diff != "" {
			t.Errorf("events and row differ (-events +row):\n%s", diff)
		}
		if diff := cmp.Diff([]string{`open_channel {"incident":1}`}, store.jobs(t)); diff != "" {
			t.Errorf("jobs (-want +got):\n%s", diff)
		}
		effects, err := store.Effects(t.Context(), inc.Number)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, e := range effects {
			keys = append(keys, e.Key)
		}
		if diff := cmp.Diff([]string{"INC-1/card", "INC-1/channel", "INC-1/invite/U1", "INC-1/pin"}, keys); diff != "" {
			t.Errorf("effects (-want +got):\n%s", diff)
		}
	})
}
