package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/houston-sre/houston/incidents"
)

// Keep stores what a person has begun; see [incidents.Store].
func (s *Store) Keep(ctx context.Context, kept incidents.Kept) error {
	_, err := s.writer().exec(ctx, `
		INSERT INTO kept (id, person, body, keep_until) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO NOTHING`, key(kept.ID), key(kept.Person), clean(kept.Body), micros(kept.Until))
	if err != nil {
		return fmt.Errorf("keep what a person has begun: %w", err)
	}
	return nil
}

// Kept loads what a person has begun; see [incidents.Store].
func (s *Store) Kept(ctx context.Context, id string) (incidents.Kept, error) {
	kept := incidents.Kept{ID: id}
	var until int64
	err := s.row(ctx, `SELECT person, body, keep_until FROM kept WHERE id = $1 AND keep_until > $2`, key(id), micros(s.clock.Now())).
		Scan(&kept.Person, &kept.Body, &until)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return kept, incidents.Errorf(incidents.NotFound, "This was begun too long ago. Send the command again.")
	case err != nil:
		return kept, fmt.Errorf("load what a person has begun: %w", err)
	}
	kept.Until = moment(until)
	return kept, nil
}
