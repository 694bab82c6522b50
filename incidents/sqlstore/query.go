package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// defaultLimit is how many incidents a query without a limit gives.
const defaultLimit = 100

// Incident loads one incident.
func (s *Store) Incident(ctx context.Context, number int64) (incidents.Incident, error) {
	return s.incident(ctx, number, "")
}

func (h handle) incident(ctx context.Context, number int64, lock string) (incidents.Incident, error) {
	inc, err := scanIncident(h.row(ctx, `SELECT state FROM incidents WHERE number = $1`+lock, number))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return incidents.Incident{}, incidents.NotFoundIncident(number)
	case err != nil:
		return incidents.Incident{}, fmt.Errorf("load %s: %w", incidents.Key(number), err)
	}
	return inc, nil
}

func scanIncident(row scanner) (incidents.Incident, error) {
	var inc incidents.Incident
	state, err := scanOne[string](row)
	if err != nil {
		return inc, err
	}
	return inc, fromJSON(state, &inc)
}

// IncidentByChannel finds the incident that a channel belongs to now.
func (s *Store) IncidentByChannel(ctx context.Context, channel string) (incidents.Incident, error) {
	inc, err := scanIncident(s.row(ctx, `SELECT state FROM incidents WHERE channel_id = $1`, key(channel)))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return incidents.Incident{}, incidents.Errorf(incidents.NotFound,
			"This is not the channel of an incident. Say it in an incident's channel; `list` shows the open ones.")
	case err != nil:
		return incidents.Incident{}, fmt.Errorf("load the incident of channel %s: %w", channel, err)
	}
	return inc, nil
}

// Incidents lists the incidents that match a query, newest first.
func (s *Store) Incidents(ctx context.Context, query incidents.Query) ([]incidents.Incident, error) {
	var f filter
	f.visible(incidents.Visible{Private: query.Private, Channels: query.Channels})
	if query.Open {
		f.add(`i.is_open`)
	}
	if query.Service != "" {
		f.add(`i.service = ?`, query.Service)
	}
	if query.Before > 0 {
		f.add(`i.number < ?`, query.Before)
	}
	oneOf(&f, `i.status`, query.Statuses, incidents.Statuses())
	oneOf(&f, `i.severity`, query.Severities, incidents.Severities())
	found, rare, err := s.withWords(ctx, &f, query.Text)
	if err != nil {
		return nil, err
	}
	limit := query.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	if !rare {
		return s.listed(ctx, f, limit)
	}
	if query.Before > 0 {
		found = slices.DeleteFunc(found, func(n int64) bool { return n >= query.Before })
	}
	list := []incidents.Incident{}
	for part := range slices.Chunk(found, listChunk) {
		chosen := filter{slices.Clone(f.conditions), slices.Clone(f.args)}
		inNumbers(&chosen, `i.number`, padded(part))
		more, err := s.listed(ctx, chosen, limit-len(list))
		if err != nil {
			return nil, err
		}
		if list = append(list, more...); len(list) >= limit {
			break
		}
	}
	return list, nil
}

// listChunk is how many numbers are asked for at once, always as many, so that
// there is one statement.
const listChunk = 100

func padded(numbers []int64) []int64 {
	full := make([]int64, listChunk) // no incident has the number 0
	copy(full, numbers)
	return full
}

func (s *Store) listed(ctx context.Context, f filter, limit int) ([]incidents.Incident, error) {
	rows, err := s.query(ctx, `SELECT i.state FROM incidents i`+f.where()+
		fmt.Sprintf(` ORDER BY i.number DESC LIMIT %d`, limit), f.args...)
	list, err := collect(rows, err, scanIncident)
	if err != nil {
		return nil, fmt.Errorf("list incidents: %w", err)
	}
	return list, nil
}

// oneOf is [in] for the values of an enumeration, which it writes into the
// statement: a planner that knows them knows how many rows have them.
func oneOf[T ~string](f *filter, column string, values, all []T) {
	for _, v := range values {
		if !slices.Contains(all, v) {
			in(f, column, values)
			return
		}
	}
	if len(values) > 0 {
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = `'` + string(v) + `'`
		}
		f.conditions = append(f.conditions, column+` IN (`+strings.Join(texts, `, `)+`)`)
	}
}

// filter collects the conditions of a WHERE clause.
type filter struct {
	conditions []string
	args       []any
}

// add takes a condition whose arguments are written as question marks.
func (f *filter) add(condition string, args ...any) {
	for _, arg := range args {
		f.args = append(f.args, arg)
		condition = strings.Replace(condition, "?", fmt.Sprintf("$%d", len(f.args)), 1)
	}
	f.conditions = append(f.conditions, condition)
}

// visible leaves the private incidents out that the list may not hold.
func (f *filter) visible(v incidents.Visible) {
	switch {
	case v.Private:
	case len(v.Channels) == 0:
		f.add(`NOT i.private`)
	default:
		args := make([]any, len(v.Channels))
		for i, id := range v.Channels {
			args[i] = key(id)
		}
		f.add(`(NOT i.private OR i.channel_id IN (?`+strings.Repeat(`, ?`, len(args)-1)+`))`, args...)
	}
}

func in[T ~string](f *filter, column string, values []T) {
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = string(v)
	}
	f.add(column+` IN (?`+strings.Repeat(`, ?`, len(values)-1)+`)`, args...)
}

func (f *filter) where() string {
	if len(f.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(f.conditions, " AND ")
}
