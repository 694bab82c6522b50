package queue

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestStopWaitsForRunningWork(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, log := newQueue(t, d)
		started, release := make(chan int, 1), make(chan struct{})
		var finished atomic.Bool
		Handle(q, func(ctx context.Context, job poke) error {
			started <- job.N
			<-release
			finished.Store(ctx.Err() == nil)
			return nil
		})
		start(t, q)
		enqueue(t, q, poke{N: 1})
		receive(t, "the job begun", started)

		stopped := make(chan error, 1)
		go func() { stopped <- q.Stop(t.Context()) }()
		select {
		case err := <-stopped:
			t.Fatalf("Stop returned %v while a job ran", err)
		case <-time.After(100 * time.Millisecond):
		}
		close(release)
		if err := receive(t, "Stop", stopped); err != nil {
			t.Error(err)
		}
		if !finished.Load() {
			t.Error("the job was cancelled, want it to end by itself")
		}
		if got := states(t, d)["completed"]; got != 1 {
			t.Errorf("%d jobs completed, want 1", got)
		}
		enqueue(t, q, poke{N: 2}) // still stored, for the next start
		if got := states(t, d)["available"]; got != 1 {
			t.Errorf("%d jobs left for the next start, want 1", got)
		}
		if text := log.String(); text != "" {
			t.Errorf("logged %s", text)
		}
	})
}

func TestStopCancelsWhatDoesNotEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, log := newQueue(t, d)
		started := make(chan int, 1)
		Handle(q, func(ctx context.Context, job poke) error {
			started <- job.N
			<-ctx.Done()
			return ctx.Err()
		})
		sweeping := make(chan int, 1)
		q.Periodic("endless", time.Hour, func(ctx context.Context) error {
			sweeping <- 1
			<-ctx.Done()
			return ctx.Err()
		})
		start(t, q)
		enqueue(t, q, poke{N: 1})
		receive(t, "the job begun", started)
		receive(t, "the sweep begun", sweeping)

		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := q.Stop(ctx); err != nil {
			t.Error(err)
		}
		if got := states(t, d)["available"]; got != 1 {
			t.Errorf("states %v, want the job available again", states(t, d))
		}
		if text := log.String(); strings.Contains(text, "job failed") || strings.Contains(text, "sweep failed") {
			t.Errorf("a cancellation was logged as a failure: %s", text)
		}

		next, _ := newQueue(t, d)
		worked := count(next)
		start(t, next)
		eventually(t, "the next start works it", func() bool { return len(worked.of(1)) == 1 })
	})
}

// Start's context is the process's, which a signal ends; jobs go on then.
func TestEndOfStartsContextStopsNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, _ := newQueue(t, d)
		worked := count(q)
		ctx, cancel := context.WithCancel(t.Context())
		if err := q.Start(ctx); err != nil {
			t.Fatal(err)
		}
		cancel()
		enqueue(t, q, poke{N: 1})
		eventually(t, "the job worked", func() bool { return len(worked.of(1)) == 1 })
		if err := q.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		if err := q.Stop(t.Context()); err != nil {
			t.Errorf("a second Stop: %v", err)
		}
	})
}

func TestStopOfWhatNeverStarted(t *testing.T) {
	t.Parallel()
	q, err := New(Config{DB: sqliteDatabase(t).db, Clock: clock{}, Log: discard()})
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSweeps(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, log := newQueue(t, d)
		var turns, panics, rare atomic.Int32
		q.Periodic("often", 20*time.Millisecond, func(context.Context) error {
			turns.Add(1)
			return context.DeadlineExceeded
		})
		q.Periodic("broken", 20*time.Millisecond, func(context.Context) error {
			panics.Add(1)
			panic("nil map")
		})
		q.Periodic("rare", time.Hour, func(context.Context) error {
			rare.Add(1)
			return nil
		})
		Handle(q, func(context.Context, poke) error { return nil })
		start(t, q)
		eventually(t, "turns of each", func() bool { return turns.Load() > 3 && panics.Load() > 3 && rare.Load() == 1 })
		if err := q.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		after := turns.Load()
		<-time.After(60 * time.Millisecond)
		if got := turns.Load(); got != after {
			t.Errorf("%d turns after Stop", got-after)
		}
		for _, want := range []string{
			`level=WARN msg="sweep failed" sweep=often error="context deadline exceeded"`,
			`level=WARN msg="sweep failed" sweep=broken error="panic: nil map"`,
		} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("no line with %q in %s", want, log)
			}
		}
	})
}
