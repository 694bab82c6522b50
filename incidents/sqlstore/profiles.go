package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/houston-sre/houston/incidents"
)

// SaveProfiles inserts or replaces what is known of people.
func (s *Store) SaveProfiles(ctx context.Context, profiles []incidents.Profile) error {
	at := map[string]int{}
	var rows [][]any
	for _, p := range profiles {
		profile, err := asJSON(p)
		if err != nil {
			return fmt.Errorf("encode a profile: %w", err)
		}
		row := []any{key(p.ID), profile}
		if i, found := at[p.ID]; found {
			rows[i] = row // a statement may meet a row only once
			continue
		}
		at[p.ID] = len(rows)
		rows = append(rows, row)
	}
	return s.transact(ctx, func(t *transaction) error {
		err := t.execRows(ctx, `INSERT INTO profiles (id, profile)`, rows,
			`ON CONFLICT (id) DO UPDATE SET profile = excluded.profile`)
		if err != nil {
			return fmt.Errorf("save profiles: %w", err)
		}
		return nil
	})
}

// Profiles lists all people by their ids.
func (s *Store) Profiles(ctx context.Context) ([]incidents.Profile, error) {
	rows, err := s.query(ctx, `SELECT profile FROM profiles ORDER BY id`)
	profiles, err := collect(rows, err, scanProfile)
	if err != nil {
		return nil, fmt.Errorf("list profiles: %w", err)
	}
	return profiles, nil
}

// Profile loads what is known of one person.
func (s *Store) Profile(ctx context.Context, id string) (incidents.Profile, error) {
	p, err := scanProfile(s.row(ctx, `SELECT profile FROM profiles WHERE id = $1`, key(id)))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return p, incidents.Errorf(incidents.NotFound, "Houston does not know the person %s.", id)
	case err != nil:
		return p, fmt.Errorf("load the profile of %s: %w", id, err)
	}
	return p, nil
}

func scanProfile(row scanner) (incidents.Profile, error) {
	var p incidents.Profile
	profile, err := scanOne[string](row)
	if err != nil {
		return p, err
	}
	return p, fromJSON(profile, &p)
}
