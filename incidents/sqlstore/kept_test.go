package sqlstore_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

func TestKept(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		begun := incidents.Kept{ID: "k1", Person: "U1", Body: `{"text":"update ü"}`, Until: store.clock.Now().Add(time.Hour)}
		if err := store.Keep(t.Context(), begun); err != nil {
			t.Fatal(err)
		}
		if err := store.Keep(t.Context(), incidents.Kept{ID: "k1", Person: "U2", Body: "{}", Until: begun.Until}); err != nil {
			t.Fatal(err)
		}
		got, err := store.Kept(t.Context(), "k1")
		if diff := cmp.Diff(begun, got); err != nil || diff != "" {
			t.Errorf("kept (-want +got): %v\n%s", err, diff)
		}
		if _, err := store.Kept(t.Context(), "k2"); incidents.KindOf(err) != incidents.NotFound {
			t.Errorf("what was never kept: got %v", err)
		}
		store.clock.move(time.Hour)
		if _, err := store.Kept(t.Context(), "k1"); incidents.KindOf(err) != incidents.NotFound {
			t.Errorf("after its time: got %v", err)
		}
		if err := store.Forget(t.Context(), store.clock.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		if n := store.count(t, "kept"); n != 0 {
			t.Errorf("%d rows are left after they were forgotten", n)
		}
	})
}
