package sqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

// plan has an incident want some nudges and nothing else.
func (s *testStore) plan(t *testing.T, number int64, nudges ...incidents.Nudge) {
	t.Helper()
	_, err := s.Update(t.Context(), number, incidents.Once{}, func(inc incidents.Incident) (incidents.Change, error) {
		return incidents.Change{Incident: inc, Nudges: nudges, Planned: true}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// due lists what is due, like "INC-1 stale", "INC-1 action_due:2 U1".
func (s *testStore) due(t *testing.T) []string {
	t.Helper()
	due, err := s.DueNudges(t.Context(), s.clock.Now(), 10)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, n := range due {
		list = append(list, fmt.Sprintf("%s %s %s", incidents.Key(n.Incident), n.Name(), n.Direct))
	}
	return list
}

func TestDueNudges(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "One")
		store.declare(t, "Two")
		wants := func(step string, want ...string) {
			t.Helper()
			if diff := cmp.Diff(want, store.due(t)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step, diff)
			}
		}
		nudge := func(number int64, kind incidents.NudgeKind, target, direct string, after time.Duration) incidents.Nudge {
			return incidents.Nudge{Incident: number, Kind: kind, Target: target, Direct: direct, DueAt: start.Add(after)}
		}
		first := nudge(1, incidents.NudgeAction, "1", "U1", time.Minute)
		store.plan(t, 1, nudge(1, incidents.NudgeStale, "", "", 2*time.Minute), nudge(1, incidents.NudgeUpdate, "", "", time.Minute), first)
		store.plan(t, 2, nudge(2, incidents.NudgeStale, "", "", time.Minute), nudge(2, incidents.NudgeAction, "1", "U1", 2*time.Minute))
		wants("nothing is due yet")
		store.clock.move(5 * time.Minute)
		wants("one of each channel, and one for each person", "INC-1 action_due:1 U1", "INC-1 update_due ", "INC-2 stale ")

		first.OpenSince, first.DueAt = store.clock.Now(), store.clock.Now().Add(7*24*time.Hour)
		store.plan(t, 1, first)
		wants("what the incident does not want any more is gone, and a question to a person is open", "INC-2 stale ")
		store.clock.move(5 * time.Hour)
		wants("the person has had his time", "INC-2 stale ", "INC-2 action_due:1 U1")
	})
}
