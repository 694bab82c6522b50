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

// SaveChange stores a change, or what is new of one; see [incidents.Store].
func (s *Store) SaveChange(ctx context.Context, once incidents.Once, source, external string, decide func(incidents.ChangeEvent, bool) incidents.ChangeEvent) (stored incidents.ChangeEvent, created bool, err error) {
	err = s.transact(ctx, func(t *transaction) error {
		earlier, used, err := t.claim(ctx, once, 0)
		if err != nil {
			return err
		}
		if used {
			stored, err = t.change(ctx, earlier)
			created = false
			return err
		}
		stored, created, err = t.saveChange(ctx, source, external, decide)
		if err != nil {
			return err
		}
		return t.remember(ctx, once, stored.ID)
	})
	return stored, created && err == nil, err
}

func (t *transaction) saveChange(ctx context.Context, source, external string, decide func(incidents.ChangeEvent, bool) incidents.ChangeEvent) (incidents.ChangeEvent, bool, error) {
	// The row comes first, so that two deliveries of one change meet at its lock.
	n, err := t.affect(ctx, `
		INSERT INTO changes (source, external_id, service, started_at, until_at, change) VALUES ($1, $2, '', 0, 0, '')
		ON CONFLICT (source, external_id) DO NOTHING`, key(source), key(external))
	if err != nil {
		return incidents.ChangeEvent{}, false, fmt.Errorf("insert a change: %w", err)
	}
	var id int64
	var state string
	err = t.row(ctx, `SELECT id, change FROM changes WHERE source = $1 AND external_id = $2`+t.dialect.lock,
		key(source), key(external)).Scan(&id, &state)
	if err != nil {
		return incidents.ChangeEvent{}, false, fmt.Errorf("lock a change: %w", err)
	}
	var known incidents.ChangeEvent
	if state != "" {
		if err := fromJSON(state, &known); err != nil {
			return incidents.ChangeEvent{}, false, fmt.Errorf("read change %d: %w", id, err)
		}
	}
	next := decide(known, state != "")
	next.ID = id
	if state, err = asJSON(next); err != nil {
		return incidents.ChangeEvent{}, false, fmt.Errorf("encode change %d: %w", id, err)
	}
	_, err = t.exec(ctx, `UPDATE changes SET service = $2, started_at = $3, until_at = $4, change = $5 WHERE id = $1`,
		id, key(strings.ToLower(next.Service)), micros(next.StartedAt), micros(next.Until()), state)
	if err != nil {
		return incidents.ChangeEvent{}, false, fmt.Errorf("save change %d: %w", id, err)
	}
	return next, n == 1, t.saveChangeWords(ctx, next)
}

func (t *transaction) saveChangeWords(ctx context.Context, c incidents.ChangeEvent) error {
	if _, err := t.exec(ctx, `DELETE FROM change_words WHERE change = $1`, c.ID); err != nil {
		return fmt.Errorf("forget the words of change %d: %w", c.ID, err)
	}
	texts := []string{c.Title, c.Service, c.Actor, string(c.Kind), c.Source}
	for _, value := range c.Labels {
		texts = append(texts, value)
	}
	slices.Sort(texts[5:])
	var rows [][]any
	for _, word := range words(strings.Join(texts, " ")) {
		rows = append(rows, []any{word, c.ID})
	}
	if err := t.execRows(ctx, `INSERT INTO change_words (word, change)`, rows, ""); err != nil {
		return fmt.Errorf("save the words of change %d: %w", c.ID, err)
	}
	return nil
}

// Change loads one change.
func (s *Store) Change(ctx context.Context, id int64) (incidents.ChangeEvent, error) {
	return s.change(ctx, id)
}

func (h handle) change(ctx context.Context, id int64) (incidents.ChangeEvent, error) {
	change, err := scanChange(h.row(ctx, `SELECT change FROM changes WHERE id = $1`, id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return incidents.ChangeEvent{}, incidents.Errorf(incidents.NotFound, "There is no change %d.", id)
	case err != nil:
		return incidents.ChangeEvent{}, fmt.Errorf("load change %d: %w", id, err)
	}
	return change, nil
}

func scanChange(row scanner) (incidents.ChangeEvent, error) {
	var c incidents.ChangeEvent
	state, err := scanOne[string](row)
	if err != nil {
		return c, err
	}
	return c, fromJSON(state, &c)
}

// Changes lists the changes that match a query, the latest start first, those of
// the same moment by their ids.
func (s *Store) Changes(ctx context.Context, query incidents.ChangeQuery) ([]incidents.ChangeEvent, error) {
	var f filter
	if query.Service != "" {
		f.add(`c.service = ?`, key(strings.ToLower(query.Service)))
	}
	if !query.Since.IsZero() {
		f.add(`c.until_at >= ?`, micros(query.Since))
	}
	if !query.Until.IsZero() {
		f.add(`c.started_at <= ?`, micros(query.Until))
	}
	if query.Before > 0 {
		f.add(`EXISTS (SELECT 1 FROM changes p WHERE p.id = ? AND (c.started_at < p.started_at OR c.started_at = p.started_at AND c.id < p.id))`, query.Before)
	}
	for _, word := range words(query.Text) {
		f.add(`EXISTS (SELECT 1 FROM change_words w WHERE w.change = c.id AND w.word >= ? AND w.word < ?)`, word, word+lastRune)
	}
	limit := query.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	rows, err := s.query(ctx, `SELECT c.change FROM changes c`+f.where()+
		fmt.Sprintf(` ORDER BY c.started_at DESC, c.id DESC LIMIT %d`, limit), f.args...)
	list, err := collect(rows, err, scanChange)
	if err != nil {
		return nil, fmt.Errorf("list changes: %w", err)
	}
	return list, nil
}
