package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/houston-sre/houston/incidents"
)

// Handle has work do the jobs of T's kind. It is called before Start, once for
// each kind; a second time panics, as the program is wrong then.
//
// work's context ends after a minute, and when Stop runs out of patience; work
// returns soon then. What its error means is [verdict]'s to say. No database
// connection is held while it runs.
func Handle[T incidents.Job](q *Queue, work func(ctx context.Context, job T) error) {
	river.AddWorker(q.workers, river.WorkFunc(func(ctx context.Context, job *river.Job[T]) error {
		err := safely(func() error { return work(ctx, job.Args) })
		result := verdict(ctx, err, putOff(job.JobRow))
		q.tell(ctx, job.JobRow, err, result)
		return result
	}))
}

// panicked is the error of a worker that panicked.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// safely turns a panic into an error.
func safely(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value: value, stack: debug.Stack()}
		}
	}()
	return f()
}

// putOff says how often the job has been put off before, by River's count.
func putOff(row *rivertype.JobRow) int {
	var metadata struct {
		Snoozes int `json:"snoozes"`
	}
	if json.Unmarshal(row.Metadata, &metadata) != nil {
		return 0
	}
	return metadata.Snoozes
}
