package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// twenty runs do twenty times at once.
func twenty(do func(i int)) {
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

func TestDeclareOnce(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		service := store.service()
		var repeated atomic.Int64
		twenty(func(int) {
			result, err := service.Declare(t.Context(), incidents.Declare{Request: by("command/1"), Title: "Down"})
			if err != nil {
				t.Error(err)
			}
			if result.Incident.Number == 0 || result.Incident.Title != "Down" {
				t.Errorf("got %s %q", result.Incident.Key(), result.Incident.Title)
			}
			if result.Repeated {
				repeated.Add(1)
			}
		})
		if got := store.count(t, "incidents"); got != 1 {
			t.Errorf("%d incidents, want 1", got)
		}
		if got := repeated.Load(); got != 19 {
			t.Errorf("%d repeats, want 19", got)
		}
		if got := len(store.jobs(t)); got != 1 {
			t.Errorf("%d jobs, want 1", got)
		}
	})
}

func TestUpdateOnce(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		inc := store.declare(t, "Down")
		service := store.service()
		twenty(func(int) {
			result, err := service.Do(t.Context(), inc.Number, incidents.Update{Request: by("click/1"), Text: "Restarting"})
			if err != nil {
				t.Error(err)
			}
			if result.Incident.LastUpdate != "Restarting" {
				t.Errorf("the incident says %q", result.Incident.LastUpdate)
			}
		})
		if got := store.count(t, "events WHERE type = 'update_posted'"); got != 1 {
			t.Errorf("%d updates, want 1", got)
		}
	})
}

func TestOnceMismatch(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		service := store.service()
		if _, err := service.Declare(t.Context(), incidents.Declare{Request: by("api/k"), Title: "Down"}); err != nil {
			t.Fatal(err)
		}
		store.declare(t, "Another")
		other := by("api/k")
		other.Once.Digest = "other"
		if _, err := service.Declare(t.Context(), incidents.Declare{Request: other, Title: "Up"}); incidents.KindOf(err) != incidents.Mismatch {
			t.Errorf("another content gave %v, want a mismatch", err)
		}
		if _, err := service.Do(t.Context(), 2, incidents.Update{Request: by("api/k"), Text: "x"}); incidents.KindOf(err) != incidents.Mismatch {
			t.Errorf("another incident gave %v, want a mismatch", err)
		}
		if got := store.count(t, "incidents"); got != 2 {
			t.Errorf("%d incidents, want 2", got)
		}
	})
}

func TestFailedDecisionLeavesNothing(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		failure := errors.New("on purpose")
		once := incidents.Once{Key: "command/1", Keep: time.Hour}
		_, err := store.Declare(t.Context(), once, func(int64) (incidents.Change, error) { return incidents.Change{}, failure })
		if !errors.Is(err, failure) {
			t.Errorf("declare gave %v", err)
		}
		inc := store.declare(t, "Down")
		store.jobs(t)
		_, err = store.Update(t.Context(), inc.Number, once, func(incidents.Incident) (incidents.Change, error) {
			return incidents.Change{}, incidents.Errorf(incidents.Conflict, "No.")
		})
		if incidents.KindOf(err) != incidents.Conflict || err.Error() != "No." {
			t.Errorf("update gave %v, want the decision's own words", err)
		}
		err = store.Ingest(t.Context(), incidents.AlertGroup{ID: "g"}, nil, func(tx incidents.GroupTx) error {
			return errors.Join(tx.SaveAlerts([]incidents.Alert{{Fingerprint: "f", Firing: true}}), failure)
		})
		if !errors.Is(err, failure) {
			t.Errorf("ingest gave %v", err)
		}
		for _, table := range []string{"once", "alerts", "alert_groups", "jobs"} {
			if got := store.count(t, table); got != 0 {
				t.Errorf("%d rows in %s, want none", got, table)
			}
		}
		result, err := store.service().Do(t.Context(), inc.Number, incidents.Update{
			Request: incidents.Request{Actor: ana(), Once: once}, Text: "The key is not burnt",
		})
		if err != nil || result.Repeated {
			t.Errorf("the key was used up: repeated %t, %v", result.Repeated, err)
		}
	})
}

// A second delivery that arrives while the first is being worked on acts when
// the first fails.
func TestOnceKeyOfAFailedFirst(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		inc := store.declare(t, "Down")
		service := store.service()
		once := incidents.Once{Key: "click/1", Keep: time.Hour}
		deciding, fail := make(chan struct{}), make(chan struct{})
		first := make(chan error, 1)
		go func() {
			_, err := store.Update(t.Context(), inc.Number, once, func(incidents.Incident) (incidents.Change, error) {
				close(deciding)
				<-fail
				return incidents.Change{}, errors.New("on purpose")
			})
			first <- err
		}()
		<-deciding
		second := make(chan incidents.Result, 1)
		go func() {
			result, err := service.Do(t.Context(), inc.Number, incidents.Update{
				Request: incidents.Request{Actor: ana(), Once: once}, Text: "x",
			})
			if err != nil {
				t.Error(err)
			}
			second <- result
		}()
		close(fail)
		if err := <-first; err == nil {
			t.Error("the first did not fail")
		}
		if result := <-second; result.Repeated || result.Incident.LastUpdate != "x" {
			t.Errorf("the second did nothing: %+v", result)
		}
	})
}

func TestNoEventWithoutItsJobs(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		inc := store.declare(t, "Down")
		if _, err := store.DB().ExecContext(t.Context(), `DROP TABLE jobs`); err != nil {
			t.Fatal(err)
		}
		if _, err := store.service().Declare(t.Context(), incidents.Declare{Request: by("c"), Title: "Lost"}); err == nil {
			t.Error("declared without a queue")
		}
		if err := store.service().Ingest(t.Context(), delivery(firing("Down", "a"))); err == nil {
			t.Error("ingested without a queue")
		}
		for table, want := range map[string]int{"incidents": 1, "events": int(inc.Seq), "effects": 4, "words": 1, "once": 0, "alerts": 0} {
			if got := store.count(t, table); got != want {
				t.Errorf("%d rows in %s, want %d", got, table, want)
			}
		}
	})
}

func TestNumbersAreUnique(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		service := store.service()
		var mu sync.Mutex
		var numbers []int64
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				result, err := service.Declare(t.Context(), incidents.Declare{Request: by(""), Title: "Down"})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				numbers = append(numbers, result.Incident.Number)
			})
		}
		wg.Wait()
		slices.Sort(numbers)
		if got := len(slices.Compact(numbers)); got != 50 {
			t.Errorf("%d numbers for 50 incidents", got)
		}
	})
}

func TestNoUpdateIsLost(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		inc := store.declare(t, "Down")
		service := store.service()
		twenty(func(int) {
			if _, err := service.Do(t.Context(), inc.Number, incidents.Note{Request: by(""), Text: "x"}); err != nil {
				t.Error(err)
			}
		})
		if got := store.lastSeq(t, inc.Number); got != inc.Seq+20 {
			t.Errorf("the last event is %d, want %d", got, inc.Seq+20)
		}
	})
}

func TestForget(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		service := store.service()
		declare := func() bool {
			result, err := service.Declare(t.Context(), incidents.Declare{Request: by("k"), Title: "Down"})
			if err != nil {
				t.Fatal(err)
			}
			return result.Repeated
		}
		declare()
		if err := store.KeepBody(t.Context(), "default", start, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		if err := store.Forget(t.Context(), start.Add(time.Hour)); err != nil { // it is to be kept for an hour
			t.Fatal(err)
		}
		if !declare() {
			t.Error("a once key was forgotten too early")
		}
		if got := store.count(t, "webhook_bodies"); got != 0 {
			t.Errorf("%d bodies are left, want none", got)
		}
		if err := store.Forget(t.Context(), start.Add(time.Hour+time.Second)); err != nil {
			t.Fatal(err)
		}
		if declare() {
			t.Error("a once key was not forgotten")
		}
	})
}

func TestEnqueueOnce(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		once := incidents.Once{Key: "event/1", Keep: time.Hour}
		job := incidents.FollowMessage{Channel: "C1", TS: "1.2", Event: "1"}
		var first atomic.Int64
		twenty(func(int) {
			if ok, err := store.Enqueue(t.Context(), once, job); err != nil {
				t.Error(err)
			} else if ok {
				first.Add(1)
			}
		})
		want := []string{`follow_message {"channel":"C1","ts":"1.2","event":"1"}`}
		if got := store.jobs(t); first.Load() != 1 || !slices.Equal(got, want) {
			t.Errorf("%d were first and the jobs are %q, want 1 and %q", first.Load(), got, want)
		}
		for _, step := range []struct {
			after time.Duration
			want  bool
		}{{59 * time.Minute, false}, {time.Minute, true}, {0, false}} {
			store.clock.move(step.after)
			if ok, err := store.Enqueue(t.Context(), once); err != nil || ok != step.want {
				t.Errorf("%s later: got %t, %v, want %t", step.after, ok, err, step.want)
			}
		}
		if ok, err := store.Enqueue(t.Context(), incidents.Once{}, job); err != nil || !ok || len(store.jobs(t)) != 1 {
			t.Errorf("without a key: got %t, %v, want a job each time", ok, err)
		}
	})
}

func TestEnqueueFailsWhole(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.SetEnqueue(func(context.Context, *sql.Tx, []incidents.Job) error { return errors.New("no queue") })
		once := incidents.Once{Key: "event/1", Keep: time.Hour}
		if ok, err := store.Enqueue(t.Context(), once, incidents.FollowMessage{}); err == nil || ok {
			t.Errorf("got %t, %v, want a failure", ok, err)
		}
		store.SetEnqueue(enqueue)
		if ok, err := store.Enqueue(t.Context(), once, incidents.FollowMessage{}); err != nil || !ok {
			t.Errorf("got %t, %v, want the key free after a failure", ok, err)
		}
	})
}
