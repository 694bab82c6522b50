package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

// The first attempt at each job ends differently, further ones succeed.
func TestAttempts(t *testing.T) {
	const (
		succeeds = iota
		stale
		gone
		unavailable
		fails
		panics
		kinds
	)
	onBoth(t, func(t *testing.T, d database) {
		q, log := newQueue(t, d)
		var worked tally
		Handle(q, func(_ context.Context, job poke) error {
			if worked.add(job.N) > 1 {
				return nil
			}
			switch job.N {
			case stale:
				return incidents.ErrStale
			case gone:
				return incidents.Errorf(incidents.Gone, "The channel was deleted.")
			case unavailable:
				return &incidents.Error{Kind: incidents.Unavailable, Message: "Slack asks to wait.", After: 300 * time.Millisecond}
			case fails:
				return errors.New("no route to host")
			case panics:
				panic("index out of range")
			}
			return nil
		})
		start(t, q)
		for n := range kinds {
			enqueue(t, q, poke{N: n})
		}

		want := map[string]int{"completed": kinds - 1, "cancelled": 1}
		eventually(t, "all jobs finished", func() bool { return cmp.Equal(states(t, d), want) })
		for _, test := range []struct {
			name        string
			n, attempts int
			least, most time.Duration // between the two attempts
		}{
			{"succeeds", succeeds, 1, 0, 0},
			{"stale", stale, 1, 0, 0},
			{"gone", gone, 1, 0, 0},
			{"unavailable", unavailable, 2, 290 * time.Millisecond, patience},
			{"fails", fails, 2, time.Second, patience},
			{"panics", panics, 2, time.Second, patience},
		} {
			at := worked.of(test.n)
			if len(at) != test.attempts {
				t.Errorf("%s: %d attempts, want %d", test.name, len(at), test.attempts)
			} else if len(at) == 2 && at[1].Sub(at[0]) < test.least {
				t.Errorf("%s: tried again after %v, want at least %v", test.name, at[1].Sub(at[0]), test.least)
			}
		}
		for text, times := range map[string]int{
			`level=WARN msg="job given up" kind=poke`:                1,
			`error="The channel was deleted."`:                       1,
			`level=DEBUG msg="job put off" kind=poke`:                1,
			`level=WARN msg="job failed, trying again" kind=poke`:    1,
			`error="no route to host"`:                               1,
			`level=ERROR msg="job panicked, trying again" kind=poke`: 1,
			`index out of range`:                                     1,
			`queue: `:                                                0, // River has nothing to say
			`work_test.go`:                                           1, // the stack
		} {
			if got := strings.Count(log.String(), text); got != times {
				t.Errorf("%d lines with %q, want %d", got, text, times)
			}
		}
		if t.Failed() {
			t.Log(log)
		}
	})
}

func TestFailureBacksOff(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, _ := newQueue(t, d)
		var worked tally
		Handle(q, func(_ context.Context, job poke) error {
			if worked.add(job.N) < 3 {
				return errors.New("no route to host")
			}
			return nil
		})
		start(t, q)
		enqueue(t, q, poke{})
		eventually(t, "the third attempt", func() bool { return len(worked.of(0)) == 3 })
		at := worked.of(0)
		if first, second := at[1].Sub(at[0]), at[2].Sub(at[1]); first < time.Second || second < 2*time.Second {
			t.Errorf("waits of %v and %v, want at least 1s and 2s", first, second)
		}
	})
}

func TestScheduled(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, _ := newQueue(t, d)
		worked := count(q)
		start(t, q)
		const wait = 700 * time.Millisecond
		began := time.Now()
		now := q.clock.Now()
		enqueue(t, q,
			incidents.Scheduled{Job: poke{N: 1}, At: now.Add(wait)},
			incidents.Scheduled{Job: poke{N: 2}, At: now.Add(-time.Hour)},
			incidents.Scheduled{Job: poke{N: 3}},
			incidents.Scheduled{Job: poke{N: 4}, At: now.Add(time.Hour)},
		)
		eventually(t, "three jobs worked", func() bool { return worked.jobs() == 3 })
		for n, least := range map[int]time.Duration{1: wait - 5*time.Millisecond, 2: 0, 3: 0} {
			at := worked.of(n)
			if len(at) != 1 {
				t.Errorf("job %d was worked %d times, want once", n, len(at))
				continue
			}
			took := at[0].Sub(began)
			t.Logf("job %d after %v", n, took)
			// Not as loose as a wait for River's leader, who needs seconds.
			if most := least + 2*time.Second; took < least || took > most {
				t.Errorf("job %d was worked after %v, want %v to %v", n, took, least, most)
			}
		}
	})
}

func TestManyJobs(t *testing.T) {
	const jobs = 1000
	onBoth(t, func(t *testing.T, d database) {
		q, log := newQueue(t, d)
		worked := count(q)
		start(t, q)
		began := time.Now()
		for batch := range 10 {
			var pokes []incidents.Job
			for n := range jobs / 10 {
				pokes = append(pokes, poke{N: batch*jobs/10 + n})
			}
			enqueue(t, q, pokes...)
		}
		eventually(t, "all jobs worked", func() bool { return worked.jobs() == jobs })
		t.Logf("%d jobs in %v", jobs, time.Since(began).Round(time.Millisecond))
		eventually(t, "all jobs completed", func() bool { return states(t, d)["completed"] == jobs })
		if odd := worked.repeated(); len(odd) > 0 {
			t.Errorf("not worked once: %v", odd)
		}
		if text := log.String(); text != "" {
			t.Errorf("logged %s", text)
		}
	})
}

// A worker that waits must not keep others, nor writers, from the database.
func TestSlowWorkersHoldNoConnection(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, _ := newQueue(t, d)
		release, started := make(chan struct{}), make(chan int, 64)
		Handle(q, func(ctx context.Context, job poke) error {
			if job.N == -1 {
				started <- -1
				return nil
			}
			started <- job.N
			select {
			case <-release:
			case <-ctx.Done():
			}
			return nil
		})
		start(t, q)
		defer close(release)
		var pokes []incidents.Job
		for n := range sqliteWorkers - 1 { // all but one, on SQLite
			pokes = append(pokes, poke{N: n})
		}
		enqueue(t, q, pokes...)
		for range pokes {
			receive(t, "slow workers at work", started)
		}
		enqueue(t, q, poke{N: -1})
		if got := receive(t, "a quick job beside them", started); got != -1 {
			t.Errorf("job %d was worked twice", got)
		}
	})
}

func TestKindsOfAnotherVersionAreLeftAlone(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, log := newQueue(t, d)
		count(q)
		start(t, q)
		enqueue(t, q, incidents.OpenChannel{Incident: 1}, poke{N: 1})
		want := map[string]int{"completed": 1, "available": 1}
		eventually(t, "the known job done, the other left", func() bool { return cmp.Equal(states(t, d), want) })
		if text := log.String(); text != "" {
			t.Errorf("logged %s", text)
		}
	})
}

func TestArgumentsComeBackAsTheyWere(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, _ := newQueue(t, d)
		got := make(chan incidents.Job, 3)
		Handle(q, func(_ context.Context, job incidents.OpenChannel) error { got <- job; return nil })
		Handle(q, func(_ context.Context, job incidents.RunEffect) error { got <- job; return nil })
		Handle(q, func(_ context.Context, job incidents.RepairIncident) error { got <- job; return nil })
		start(t, q)
		for _, job := range []incidents.Job{
			incidents.OpenChannel{Incident: 1 << 52},
			incidents.RunEffect{Effect: `INC-1/invite/Ünder "quotes"`, Version: 3},
			incidents.RepairIncident{Incident: 4, Version: 5},
		} {
			enqueue(t, q, job)
			if diff := cmp.Diff(job, receive(t, fmt.Sprintf("%T", job), got)); diff != "" {
				t.Errorf("job changed on its way (-sent +worked):\n%s", diff)
			}
		}
	})
}
