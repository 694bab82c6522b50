package sqlstore

import (
	"context"
	"fmt"
)

// ChooseLanguage keeps the language that a person chose, or forgets it when it
// is empty.
func (s *Store) ChooseLanguage(ctx context.Context, person, language string) error {
	return s.transact(ctx, func(t *transaction) error {
		_, err := t.exec(ctx, `DELETE FROM languages WHERE person = $1`, key(person))
		if err == nil && language != "" {
			_, err = t.exec(ctx, `INSERT INTO languages (person, language) VALUES ($1, $2)`, key(person), language)
		}
		if err != nil {
			return fmt.Errorf("keep the language of %s: %w", person, err)
		}
		return nil
	})
}

// Languages gives the languages that people chose, by their ids.
func (s *Store) Languages(ctx context.Context) (map[string]string, error) {
	type choice struct{ person, language string }
	rows, err := s.query(ctx, `SELECT person, language FROM languages`)
	choices, err := collect(rows, err, func(row scanner) (c choice, err error) {
		return c, row.Scan(&c.person, &c.language)
	})
	if err != nil {
		return nil, fmt.Errorf("list the languages of people: %w", err)
	}
	chosen := make(map[string]string, len(choices))
	for _, c := range choices {
		chosen[c.person] = c.language
	}
	return chosen, nil
}
