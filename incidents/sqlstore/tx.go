package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// maxTries is how often a transaction is run that lost against others.
const maxTries = 8

// transaction is one transaction of the store: what is done in it, and the
// jobs that go to the queue before it is committed.
type transaction struct {
	handle

	now  time.Time
	jobs []incidents.Job
	// loaded are the incidents as they were, by number.
	loaded map[int64]incidents.Incident
}

// transact runs do in a transaction and commits it unless do fails. Errors of
// do come back as they are.
func (s *Store) transact(ctx context.Context, do func(*transaction) error) error {
	for try := 1; ; try++ {
		err := s.try(ctx, do)
		if err == nil || try == maxTries || !s.dialect.lost(err) {
			return err
		}
		s.log.WarnContext(ctx, "a transaction lost a deadlock and is run again", "try", try, "error", err)
	}
}

func (s *Store) try(ctx context.Context, do func(*transaction) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin a transaction: %w", err)
	}
	defer tx.Rollback()
	t := &transaction{
		handle: handle{tx, s.dialect}, now: incidents.Micros(s.clock.Now()),
		loaded: map[int64]incidents.Incident{},
	}
	if err := do(t); err != nil {
		return err
	}
	if len(t.jobs) > 0 {
		if s.enqueue == nil {
			return errors.New("enqueue jobs: the store has no queue")
		}
		if err := s.enqueue(ctx, tx, t.jobs); err != nil {
			return fmt.Errorf("enqueue jobs: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
