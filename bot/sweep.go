package bot

import (
	"context"
	"fmt"
	"time"
)

// SweepEvery is the distance of two sweeps, and how long a job may take to be
// picked up before another is enqueued for the same effect.
const SweepEvery = 3 * time.Second

// Sweep finds owed effects that nobody works on: those of a process that was
// killed, and those whose job was lost.
func (r *Runner) Sweep(ctx context.Context) error {
	n, err := r.store().SweepEffects(ctx, r.now(), 2*SweepEvery, 500)
	if err != nil {
		return fmt.Errorf("sweep owed effects: %w", err)
	}
	if n > 0 {
		r.config.Log.InfoContext(ctx, "took owed effects up again", "count", n)
	}
	return nil
}
