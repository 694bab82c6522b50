package queue

import (
	"context"
	"slices"
	"syscall"
	"testing"
	"time"
)

// TestLatency prints how long a job waits from its commit to its worker.
func TestLatency(t *testing.T) {
	onBoth(t, func(t *testing.T, d database) {
		q, _ := newQueue(t, d)
		done := make(chan time.Time, 1)
		Handle(q, func(context.Context, poke) error { done <- time.Now(); return nil })
		start(t, q)
		took := measure(t, q, done, 100)
		t.Logf("commit to worker: median %v, 99th percentile %v", median(took), percentile(took, 99))
		if got := median(took); got > 100*time.Millisecond {
			t.Errorf("median %v from commit to worker, want less than 100ms", got)
		}
	})
}

// BenchmarkLatency reports the same figures, undisturbed by other tests.
func BenchmarkLatency(b *testing.B) {
	for name, open := range databases() {
		b.Run(name, func(b *testing.B) {
			d := open(b)
			q, _ := newQueue(b, d)
			done := make(chan time.Time, 1)
			Handle(q, func(context.Context, poke) error { done <- time.Now(); return nil })
			start(b, q)
			took := measure(b, q, done, max(b.N, 100))
			b.ReportMetric(float64(median(took).Microseconds())/1000, "ms/median")
			b.ReportMetric(float64(percentile(took, 99).Microseconds())/1000, "ms/p99")
		})
	}
}

// BenchmarkIdle reports the share of one processor that a started queue with
// nothing to do takes in this process.
func BenchmarkIdle(b *testing.B) {
	for name, open := range databases() {
		b.Run(name, func(b *testing.B) {
			d := open(b)
			q, _ := newQueue(b, d)
			Handle(q, func(context.Context, poke) error { return nil })
			start(b, q)
			<-time.After(time.Second)
			began, used := time.Now(), processorTime(b)
			<-time.After(5 * time.Second)
			b.ReportMetric(100*(processorTime(b)-used).Seconds()/time.Since(began).Seconds(), "%cpu")
		})
	}
}

// measure enqueues jobs one after another, each at another moment of the poll.
func measure(tb testing.TB, q *Queue, done <-chan time.Time, jobs int) []time.Duration {
	tb.Helper()
	took := make([]time.Duration, jobs)
	for n := range took {
		enqueue(tb, q, poke{N: n})
		committed := time.Now()
		took[n] = max(0, receive(tb, "the job worked", done).Sub(committed))
		<-time.After(time.Duration(n%7) * time.Millisecond)
	}
	return took
}

func median(d []time.Duration) time.Duration { return percentile(d, 50) }

func percentile(d []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(d))
	return sorted[(len(sorted)-1)*p/100]
}

func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
