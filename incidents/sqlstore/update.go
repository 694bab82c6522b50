package sqlstore

import (
	"context"
	"fmt"

	"github.com/houston-sre/houston/incidents"
)

// Declare opens an incident under the next number; see [incidents.Store].
func (s *Store) Declare(ctx context.Context, once incidents.Once, decide func(number int64) (incidents.Change, error)) (incidents.Result, error) {
	var result incidents.Result
	err := s.transact(ctx, func(t *transaction) error {
		earlier, used, err := t.claim(ctx, once, 0)
		if err != nil {
			return err
		}
		if used {
			return t.repeat(ctx, earlier, &result)
		}
		number, err := t.nextNumber(ctx)
		if err != nil {
			return err
		}
		change, err := decide(number)
		if err != nil {
			return err
		}
		result = incidents.Result{Incident: change.Incident}
		if err := t.remember(ctx, once, number); err != nil {
			return err
		}
		return t.save(ctx, change)
	})
	if err != nil {
		return incidents.Result{}, err
	}
	return result, nil
}

// Update changes one incident; see [incidents.Store]. A once key is used up by
// a decision that changes nothing, but not by one that fails.
func (s *Store) Update(ctx context.Context, number int64, once incidents.Once, decide func(incidents.Incident) (incidents.Change, error)) (incidents.Result, error) {
	var result incidents.Result
	err := s.transact(ctx, func(t *transaction) error {
		earlier, used, err := t.claim(ctx, once, number)
		if err != nil {
			return err
		}
		if used {
			return t.repeat(ctx, earlier, &result)
		}
		inc, err := t.lockIncident(ctx, number)
		if err != nil {
			return err
		}
		change, err := decide(inc)
		if err != nil {
			return err
		}
		result = incidents.Result{Incident: change.Incident}
		return t.save(ctx, change)
	})
	if err != nil {
		return incidents.Result{}, err
	}
	return result, nil
}

// repeat answers a delivery that was acted on before.
func (t *transaction) repeat(ctx context.Context, number int64, result *incidents.Result) error {
	inc, err := t.incident(ctx, number, "")
	*result = incidents.Result{Incident: inc, Repeated: true}
	return err
}

func (t *transaction) nextNumber(ctx context.Context) (int64, error) {
	number, err := scanOne[int64](t.row(ctx, t.dialect.nextNumber))
	if err != nil {
		return 0, fmt.Errorf("take the next incident number: %w", err)
	}
	return number, nil
}

// lockIncident loads an incident that nobody else can change before this
// transaction ends.
func (t *transaction) lockIncident(ctx context.Context, number int64) (incidents.Incident, error) {
	inc, err := t.incident(ctx, number, t.dialect.lock)
	if err == nil {
		t.loaded[number] = inc
	}
	return inc, err
}

// save writes all that a command does.
func (t *transaction) save(ctx context.Context, change incidents.Change) error {
	if len(change.Events) > 0 {
		if err := t.saveIncident(ctx, change.Incident, change.Events); err != nil {
			return err
		}
		if err := t.append(ctx, change.Events); err != nil {
			return err
		}
	}
	if err := t.savePostmortem(ctx, change); err != nil {
		return err
	}
	if err := t.owe(ctx, change.Effects); err != nil {
		return err
	}
	if change.Wakes {
		if err := t.wakeEffects(ctx, change.Incident); err != nil {
			return err
		}
	}
	t.jobs = append(t.jobs, change.Jobs...)
	for _, effect := range change.Settles {
		if err := t.settle(ctx, effect); err != nil {
			return err
		}
	}
	if change.Planned {
		return t.plan(ctx, change.Incident.Number, change.Nudges)
	}
	return nil
}

// saveIncident inserts an incident whose events begin at 1, or replaces the row
// that the events follow on.
func (t *transaction) saveIncident(ctx context.Context, inc incidents.Incident, events []incidents.Event) error {
	before := events[0].Seq - 1
	if inc.Seq != before+int64(len(events)) {
		return fmt.Errorf("save %s at event %d: its %d new events follow event %d", inc.Key(), inc.Seq, len(events), before)
	}
	state, err := asJSON(inc)
	if err != nil {
		return fmt.Errorf("encode %s: %w", inc.Key(), err)
	}
	var channel *string
	if inc.Channel != nil {
		id := key(inc.Channel.ID)
		channel = &id
	}
	var n int64
	if before == 0 {
		n, err = t.affect(ctx, `
			INSERT INTO incidents (number, seq, status, is_open, severity, service, private, drill,
				via, channel_id, title, declared_at, updated_at, state, published_until)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
			inc.Number, inc.Seq, inc.Status, inc.Status.Open(), inc.Severity, key(inc.Service), inc.Private, inc.Drill,
			inc.Reporter.Via, channel, inc.Title, micros(events[0].RecordedAt), micros(inc.UpdatedAt), state,
			publishedUntil(inc.Notice))
	} else {
		n, err = t.affect(ctx, `
			UPDATE incidents SET seq = $3, status = $4, is_open = $5, severity = $6, service = $7, private = $8,
				drill = $9, channel_id = $10, title = $11, updated_at = $12, state = $13, published_until = $14
			WHERE number = $1 AND seq = $2`,
			inc.Number, before, inc.Seq, inc.Status, inc.Status.Open(), inc.Severity, key(inc.Service), inc.Private,
			inc.Drill, channel, inc.Title, micros(inc.UpdatedAt), state, publishedUntil(inc.Notice))
	}
	if err != nil {
		return fmt.Errorf("save %s: %w", inc.Key(), err)
	}
	if n != 1 {
		return fmt.Errorf("save %s: it is not at event %d any more", inc.Key(), before)
	}
	old := t.loaded[inc.Number]
	t.loaded[inc.Number] = inc
	if before > 0 && old.Title == inc.Title && old.Service == inc.Service {
		return nil
	}
	return t.saveWords(ctx, inc)
}
