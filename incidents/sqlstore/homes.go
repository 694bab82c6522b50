package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// HomeOpened notes that a person has opened the home tab; see [incidents.Store].
func (s *Store) HomeOpened(ctx context.Context, person string, at time.Time) error {
	_, err := s.writer().exec(ctx, `
		INSERT INTO homes (person, opened_at, shown) VALUES ($1, $2, '')
		ON CONFLICT (person) DO UPDATE SET opened_at = excluded.opened_at`, key(person), micros(at))
	if err != nil {
		return fmt.Errorf("note that a home tab was opened: %w", err)
	}
	return nil
}

// HomeShown notes what a home tab shows; see [incidents.Store].
func (s *Store) HomeShown(ctx context.Context, person, shown string) error {
	if _, err := s.writer().exec(ctx, `UPDATE homes SET shown = $2 WHERE person = $1`, key(person), shown); err != nil {
		return fmt.Errorf("note what a home tab shows: %w", err)
	}
	return nil
}

// Homes lists the home tabs opened since then; see [incidents.Store].
func (s *Store) Homes(ctx context.Context, since time.Time, limit int) ([]incidents.Home, error) {
	rows, err := s.query(ctx, `
		SELECT person, opened_at, shown FROM homes WHERE opened_at >= $1
		ORDER BY opened_at DESC, person LIMIT $2`, micros(since), max(limit, 0))
	homes, err := collect(rows, err, func(row scanner) (incidents.Home, error) {
		var h incidents.Home
		var at int64
		err := row.Scan(&h.Person, &at, &h.Shown)
		h.OpenedAt = moment(at)
		return h, err
	})
	if err != nil {
		return nil, fmt.Errorf("list home tabs: %w", err)
	}
	return homes, nil
}
