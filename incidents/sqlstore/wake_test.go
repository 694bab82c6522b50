package sqlstore_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

// TestTheChannelWakesWhatWaits: the change that stores a channel has what waits
// for it looked at, and leaves alone what backs off or may be under way.
func TestTheChannelWakesWhatWaits(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "Down")
		effect := func(target string) incidents.Effect {
			return incidents.Effect{
				Key: incidents.EffectKey(1, incidents.MakeFile, target), Kind: incidents.MakeFile, Incident: 1, Target: target, Generation: 1, Wanted: 1,
				NextAt: start.Add(time.Hour),
			}
		}
		failing, open := effect("failing"), effect("open")
		failing.Reason, open.StartedAt = "Slack is slow", start
		// A closed incident that goes private has a new channel, whose time to be
		// archived has not come by that.
		archive := incidents.Effect{
			Key: incidents.EffectKey(1, incidents.MakeArchive, "9"), Kind: incidents.MakeArchive, Incident: 1, Target: "9", Generation: 1, Wanted: 1,
			NextAt: start.Add(time.Hour),
		}
		store.owe(t, effect("waiting"), failing, open, archive)
		store.jobs(t) // those until now
		channel := store.take(t, "INC-1/channel")
		if _, err := store.service().ChannelMade(t.Context(), channel, incidents.Channel{ID: "C1", Name: "inc-1-down"}); err != nil {
			t.Fatal(err)
		}
		jobs := strings.Join(store.jobs(t), "\n")
		for name, want := range map[string]bool{effect("waiting").Key: true, failing.Key: false, open.Key: false, archive.Key: false} {
			_, taken, err := store.TakeEffect(t.Context(), name, start, lease)
			if woken := strings.Contains(jobs, name); err != nil || taken != want || woken != want {
				t.Errorf("%s: has a job %t, can be taken %t, %v; want %t", name, woken, taken, err, want)
			}
		}
	})
}

// TestUndoneEffects gives of several incidents what is not done, and of no other.
func TestUndoneEffects(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		var numbers []int64
		for range 3 {
			inc := store.declare(t, "Down")
			numbers = append(numbers, inc.Number)
			e := store.take(t, incidents.EffectKey(inc.Number, incidents.MakeChannel, ""))
			e.ID, e.Shown = inc.Key(), 1
			if err := store.SettleEffect(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		undone, err := store.UndoneEffects(t.Context(), numbers[:2])
		if err != nil || len(undone) != 2 {
			t.Fatalf("got %v, %v, want those of two incidents", undone, err)
		}
		for _, n := range numbers[:2] {
			all, err := store.Effects(t.Context(), n)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(all, func(e incidents.Effect) bool { return e.State() == incidents.Done })
			if diff := cmp.Diff(want, undone[n]); diff != "" || len(want) == 0 {
				t.Errorf("INC-%d (-want +got):\n%s", n, diff)
			}
		}
		if none, err := store.UndoneEffects(t.Context(), nil); err != nil || len(none) != 0 {
			t.Errorf("of no incident: %v, %v", none, err)
		}
	})
}
