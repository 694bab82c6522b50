package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// sweep is a function to be run again and again.
type sweep struct {
	name  string
	every time.Duration
	run   func(ctx context.Context) error
}

// Periodic has run called when the queue starts and every so often afterwards,
// never twice at a time, until Stop. It is called before Start. Each process
// runs it by its own ticker, not River's leader alone, because what a crash
// left behind must not wait for an election: so run must be harmless on several
// processes at once. Its error is logged and the next turn comes as usual.
func (q *Queue) Periodic(name string, every time.Duration, run func(ctx context.Context) error) {
	q.sweeps = append(q.sweeps, sweep{name: name, every: every, run: run})
}

// sweeper owns the goroutines of the sweeps, one for each.
type sweeper struct {
	cancel context.CancelFunc
	stop   func() // no further turns
	done   chan struct{}
}

func startSweeps(ctx context.Context, sweeps []sweep, log *slog.Logger) *sweeper {
	ctx, cancel := context.WithCancel(ctx)
	stopping := make(chan struct{})
	s := &sweeper{
		cancel: cancel,
		stop:   sync.OnceFunc(func() { close(stopping) }),
		done:   make(chan struct{}),
	}
	var wg sync.WaitGroup
	for _, sweep := range sweeps {
		wg.Go(func() { sweep.loop(ctx, stopping, log) })
	}
	go func() {
		wg.Wait()
		cancel()
		close(s.done)
	}()
	return s
}

// wait returns when all sweeps have ended, or ctx has.
func (s *sweeper) wait(ctx context.Context) {
	select {
	case <-s.done:
	case <-ctx.Done():
	}
}

func (s *sweeper) stopped() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s sweep) loop(ctx context.Context, stopping <-chan struct{}, log *slog.Logger) {
	ticker := time.NewTicker(s.every)
	defer ticker.Stop()
	for {
		if err := safely(func() error { return s.run(ctx) }); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "sweep failed", "sweep", s.name, "error", err.Error())
		}
		select {
		case <-stopping:
			return
		case <-ticker.C:
		}
		select { // both may have been ready
		case <-stopping:
			return
		default:
		}
	}
}
