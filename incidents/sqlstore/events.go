package sqlstore

import (
	"context"
	"fmt"

	"github.com/houston-sre/houston/incidents"
)

// append writes new events behind those there are.
func (t *transaction) append(ctx context.Context, events []incidents.Event) error {
	rows := make([][]any, 0, len(events))
	for i, e := range events {
		if e.Seq != events[0].Seq+int64(i) {
			return fmt.Errorf("append event %d of %s: it does not follow the one before", e.Seq, incidents.Key(e.Incident))
		}
		actor, err := asJSON(e.Actor)
		if err != nil {
			return fmt.Errorf("encode an actor: %w", err)
		}
		data, err := asJSON(e.Data)
		if err != nil {
			return fmt.Errorf("encode a %s event: %w", e.Data.Type(), err)
		}
		rows = append(rows, []any{
			e.Incident, e.Seq, micros(e.At), e.Precision, micros(e.RecordedAt), e.Data.Type(), actor, data,
		})
	}
	err := t.execRows(ctx, `
		INSERT INTO events (incident, seq, at, precision, recorded_at, type, actor, data)`, rows, "")
	if err != nil {
		return fmt.Errorf("append events: %w", err)
	}
	return nil
}

// Events lists all events of an incident in the order of their Seq.
func (s *Store) Events(ctx context.Context, number int64) ([]incidents.Event, error) {
	return s.events(ctx, number)
}

func (h handle) events(ctx context.Context, number int64) ([]incidents.Event, error) {
	rows, err := h.query(ctx, `
		SELECT incident, seq, at, precision, recorded_at, type, actor, data
		FROM events WHERE incident = $1 ORDER BY seq`, number)
	events, err := collect(rows, err, scanEvent)
	if err != nil {
		return nil, fmt.Errorf("load events of %s: %w", incidents.Key(number), err)
	}
	if len(events) == 0 {
		return nil, incidents.NotFoundIncident(number)
	}
	return events, nil
}

func scanEvent(row scanner) (incidents.Event, error) {
	var e incidents.Event
	var at, recordedAt int64
	var name, actor, data string
	if err := row.Scan(&e.Incident, &e.Seq, &at, &e.Precision, &recordedAt, &name, &actor, &data); err != nil {
		return e, err
	}
	e.At, e.RecordedAt = moment(at), moment(recordedAt)
	if err := fromJSON(actor, &e.Actor); err != nil {
		return e, fmt.Errorf("decode an actor: %w", err)
	}
	var err error
	e.Data, err = incidents.Decode(name, []byte(data))
	return e, err
}
