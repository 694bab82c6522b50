package sqlstore_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

func TestNotices(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		do := func(number int64, c incidents.Command) {
			t.Helper()
			if _, err := store.service().Do(t.Context(), number, c); err != nil {
				t.Fatal(err)
			}
		}
		publish := func(number int64, status incidents.NoticeStatus) {
			t.Helper()
			do(number, incidents.PublishNotice{Request: by(""), Status: status, Text: "We look into it"})
		}
		want := func(when string, limit int, since time.Time, numbers ...int64) {
			t.Helper()
			list, err := store.Notices(t.Context(), since, limit)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, inc := range list {
				got = append(got, inc.Number)
				if inc.Notice == nil {
					t.Errorf("%s: %s has no notice", when, inc.Key())
				}
			}
			if diff := cmp.Diff(numbers, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", when, diff)
			}
		}
		for range 5 {
			store.declare(t, "Offers are missing")
		}
		want("nothing is published", 10, start)
		publish(1, incidents.NoticeInvestigating)
		publish(2, incidents.NoticeInvestigating)
		publish(3, incidents.NoticeResolved)
		publish(4, incidents.NoticeIdentified)
		want("unresolved ones first", 10, start, 4, 2, 1, 3)
		want("at most two", 2, start, 4, 2)

		do(2, incidents.WithdrawNotice{Request: by("")})
		want("one is withdrawn", 10, start, 4, 1, 3)

		store.clock.move(time.Hour)
		publish(4, incidents.NoticeResolved)
		want("one is resolved", 10, start, 1, 4, 3)
		want("one was resolved too long ago", 10, start.Add(time.Minute), 1, 4)
		want("unresolved ones are never too old", 10, start.AddDate(1, 0, 0), 1)

		publish(3, incidents.NoticeInvestigating)
		want("one is taken up again", 10, start.AddDate(1, 0, 0), 3, 1)
	})
}

// Nothing of a private incident or a drill is listed, whatever its row says.
func TestNoticesOfPrivateIncidents(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "Offers leak")
		store.declare(t, "An exercise")
		for number := range int64(2) {
			c := incidents.PublishNotice{Request: by(""), Status: incidents.NoticeInvestigating, Text: "We look into it"}
			if _, err := store.service().Do(t.Context(), number+1, c); err != nil {
				t.Fatal(err)
			}
		}
		for _, statement := range []string{`UPDATE incidents SET private = TRUE WHERE number = 1`, `UPDATE incidents SET drill = TRUE WHERE number = 2`} {
			if _, err := store.DB().ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		list, err := store.Notices(t.Context(), start, 10)
		if err != nil || len(list) != 0 {
			t.Errorf("got %d notices and %v, want none", len(list), err)
		}
	})
}
