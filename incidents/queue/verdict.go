package queue

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/houston-sre/houston/incidents"
)

const (
	// unavailableFor is the wait after passing trouble of unknown length.
	unavailableFor = 2 * time.Second
	// backOffCap bounds the waits after other errors: 1, 2, 4, 8, 15, 15 … s.
	backOffCap = 15 * time.Second
)

// verdict says what an error of a worker means for its job, in River's words:
// nil is done, a JobCancelError gives the job up, a JobSnoozeError puts it off.
//
//   - Unavailable: put off for as long as the error says, or two seconds;
//   - another [incidents.Error]: given up, since the same try meets the same;
//   - [incidents.ErrStale]: done, another worker has taken it over;
//   - the cancellation by Stop: as it is, by which River hands the job back;
//   - all else: put off for a wait that grows with before, the number of times
//     it was put off already, up to 15 seconds, and without end.
//
// Putting off instead of failing keeps River from discarding the job after so
// many attempts and from growing its row by each error's text.
func verdict(ctx context.Context, err error, before int) error {
	if err == nil || errors.Is(err, incidents.ErrStale) {
		return nil
	}
	if e, ok := errors.AsType[*incidents.Error](err); ok {
		switch e.Kind {
		case incidents.Unavailable:
			if e.After > 0 {
				return river.JobSnooze(e.After)
			}
			return river.JobSnooze(unavailableFor)
		case incidents.Invalid, incidents.NotFound, incidents.Forbidden,
			incidents.Conflict, incidents.Mismatch, incidents.Gone:
			return river.JobCancel(err)
		}
	}
	if errors.Is(err, context.Canceled) && errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	return river.JobSnooze(backOff(before))
}

// backOff is the wait after a failure that before others went ahead of, with up
// to a tenth more so that what failed together is not tried together.
func backOff(before int) time.Duration {
	wait := backOffCap
	if before < 4 {
		wait = time.Second << max(before, 0)
	}
	return wait + rand.N(wait/10)
}

// tell logs what a person may want to know of an attempt, once.
func (q *Queue) tell(ctx context.Context, row *rivertype.JobRow, err, result error) {
	if err == nil || errors.Is(err, incidents.ErrStale) {
		return
	}
	log := q.log.With("kind", row.Kind, "job_id", row.ID, "error", err.Error())
	if p, ok := errors.AsType[*panicked](err); ok {
		log.ErrorContext(ctx, "job panicked, trying again", "stack", string(p.stack))
		return
	}
	snooze, isPutOff := errors.AsType[*river.JobSnoozeError](result)
	_, isGivenUp := errors.AsType[*river.JobCancelError](result)
	switch {
	case isGivenUp:
		log.WarnContext(ctx, "job given up")
	case isPutOff && incidents.KindOf(err) == incidents.Unavailable:
		log.DebugContext(ctx, "job put off", "wait", snooze.Duration)
	case isPutOff:
		log.WarnContext(ctx, "job failed, trying again", "wait", snooze.Duration)
	}
}
