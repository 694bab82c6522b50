package sqlstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// ActionItems lists action items of all incidents, the one due first first and
// those without a date last.
func (s *Store) ActionItems(ctx context.Context, q incidents.ActionQuery) ([]incidents.ListedAction, error) {
	f := seen(q.Private, q.Channels)
	if q.Incident != 0 {
		f.add(`a.incident = ?`, q.Incident)
	}
	if q.Owner != "" {
		f.add(`a.owner = ?`, key(q.Owner))
	}
	f.owners(q.Owners)
	if q.Unfinished {
		f.add(`a.unfinished`)
	}
	if q.DueBefore != "" {
		f.add(`a.due <> '' AND a.due < ?`, q.DueBefore)
	}
	in(&f, `a.state`, q.States)
	found, err := within(ctx, s, `action_items`, f, `CASE WHEN a.due = '' THEN 1 ELSE 0 END, a.due, a.incident, a.id`, q.Limit,
		func(id int64, inc incidents.Incident) incidents.ListedAction {
			item, _ := inc.Action(id)
			return incidents.ListedAction{Incident: inc, Item: item}
		})
	if err != nil {
		return nil, fmt.Errorf("list action items: %w", err)
	}
	return found, nil
}

// owners leaves out what none of these people own.
func (f *filter) owners(ids []string) {
	if ids == nil {
		return
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = key(id)
	}
	marks := strings.Repeat("?, ", len(ids))
	f.add(`a.owner IN (`+marks+`'')`, args...)
	f.add(`a.owner <> ''`)
}

// Gaps lists monitoring gaps of all incidents, those of the newest incident first.
func (s *Store) Gaps(ctx context.Context, q incidents.GapQuery) ([]incidents.ListedGap, error) {
	f := seen(q.Private, q.Channels)
	if q.Incident != 0 {
		f.add(`a.incident = ?`, q.Incident)
	}
	in(&f, `a.state`, q.States)
	in(&f, `a.kind`, q.Kinds)
	found, err := within(ctx, s, `monitoring_gaps`, f, `a.incident DESC, a.id`, q.Limit,
		func(id int64, inc incidents.Incident) incidents.ListedGap {
			gap, _ := inc.Gap(id)
			return incidents.ListedGap{Incident: inc, Gap: gap}
		})
	if err != nil {
		return nil, fmt.Errorf("list monitoring gaps: %w", err)
	}
	return found, nil
}

// Postmortems lists the incidents that owe or have a postmortem, the newest
// first.
func (s *Store) Postmortems(ctx context.Context, q incidents.PostmortemQuery) ([]incidents.Incident, error) {
	f := seen(q.Private, q.Channels)
	if q.Open {
		f.add(`a.is_open`)
	}
	if q.Owner != "" {
		f.add(`a.owner = ?`, key(q.Owner))
	}
	if q.Before != 0 {
		f.add(`a.incident < ?`, q.Before)
	}
	in(&f, `a.state`, q.States)
	found, err := within(ctx, s, `(SELECT p.*, 0 AS id FROM postmortems p)`, f, `a.incident DESC`, q.Limit,
		func(_ int64, inc incidents.Incident) incidents.Incident { return inc })
	if err != nil {
		return nil, fmt.Errorf("list postmortems: %w", err)
	}
	return found, nil
}

// seen begins a filter on what belongs to incidents.
func seen(private bool, channels []string) filter {
	var f filter
	f.visible(incidents.Visible{Private: private, Channels: channels})
	return f
}

// within lists rows of a table for finding, each with the state of its incident.
func within[T any](ctx context.Context, s *Store, table string, f filter, order string, limit int, give func(int64, incidents.Incident) T) ([]T, error) {
	if limit <= 0 {
		limit = defaultLimit
	}
	rows, err := s.query(ctx, `SELECT a.id, i.state FROM `+table+` a JOIN incidents i ON i.number = a.incident`+f.where()+
		fmt.Sprintf(` ORDER BY %s LIMIT %d`, order, limit), f.args...)
	return collect(rows, err, func(row scanner) (T, error) {
		var id int64
		var state string
		var inc incidents.Incident
		if err := row.Scan(&id, &state); err != nil {
			return give(0, inc), err
		}
		err := fromJSON(state, &inc)
		return give(id, inc), err
	})
}
