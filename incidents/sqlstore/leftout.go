package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/houston-sre/houston/incidents"
)

const leftOutColumns = `id, source, receiver, labels, fingerprint, alert_groups, noted_at`

func scanLeftOut(row scanner) (incidents.LeftOut, error) {
	var l incidents.LeftOut
	var labels, groups string
	var notedAt int64
	if err := row.Scan(&l.ID, &l.Source, &l.Receiver, &labels, &l.Fingerprint, &groups, &notedAt); err != nil {
		return l, err
	}
	l.NotedAt = moment(notedAt)
	return l, errors.Join(fromJSON(labels, &l.Labels), fromJSON(groups, &l.Groups))
}

// NoteLeftOut keeps that a sender left alerts out; see [incidents.Store].
func (s *Store) NoteLeftOut(ctx context.Context, left incidents.LeftOut, jobs ...incidents.Job) error {
	labels, err := asJSON(left.Labels)
	if err != nil {
		return fmt.Errorf("encode labels: %w", err)
	}
	return s.transact(ctx, func(t *transaction) error {
		t.jobs = append(t.jobs, jobs...)
		_, err := t.exec(ctx, `INSERT INTO left_out (`+leftOutColumns+`) VALUES ($1, '', '', '{}', '', '[]', 0) ON CONFLICT (id) DO NOTHING`, key(left.ID))
		if err != nil {
			return fmt.Errorf("note what a sender left out: %w", err)
		}
		before, err := scanLeftOut(t.row(ctx, `SELECT `+leftOutColumns+` FROM left_out WHERE id = $1`+t.dialect.lock, key(left.ID)))
		if err != nil {
			return fmt.Errorf("load what a sender left out: %w", err)
		}
		all := slices.Concat(before.Groups, left.Groups)
		slices.Sort(all)
		groups, err := asJSON(slices.Compact(all))
		if err != nil {
			return fmt.Errorf("encode alert groups: %w", err)
		}
		_, err = t.exec(ctx, `
			UPDATE left_out SET source = $2, receiver = $3, labels = $4, fingerprint = $5, alert_groups = $6, noted_at = $7
			WHERE id = $1`, key(left.ID), left.Source, left.Receiver, labels, left.Fingerprint, groups, micros(left.NotedAt))
		if err != nil {
			return fmt.Errorf("note what a sender left out: %w", err)
		}
		return nil
	})
}

// LeftOut loads what is noted of a sender's group; see [incidents.Store].
func (s *Store) LeftOut(ctx context.Context, id string) (incidents.LeftOut, bool, error) {
	left, err := scanLeftOut(s.row(ctx, `SELECT `+leftOutColumns+` FROM left_out WHERE id = $1`, key(id)))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return left, false, nil
	case err != nil:
		return left, false, fmt.Errorf("load what a sender left out: %w", err)
	}
	return left, true, nil
}

// LeftOuts lists what was noted before, the oldest first.
func (s *Store) LeftOuts(ctx context.Context, before time.Time, limit int) ([]incidents.LeftOut, error) {
	rows, err := s.query(ctx, `SELECT `+leftOutColumns+` FROM left_out WHERE noted_at < $1 ORDER BY noted_at LIMIT $2`,
		micros(before), max(limit, 0))
	list, err := collect(rows, err, scanLeftOut)
	if err != nil {
		return nil, fmt.Errorf("list what senders left out: %w", err)
	}
	return list, nil
}

// ForgetLeftOut deletes what was noted then; see [incidents.Store].
func (s *Store) ForgetLeftOut(ctx context.Context, id string, notedAt time.Time) error {
	write := s.writer()
	if _, err := write.exec(ctx, `DELETE FROM left_out WHERE id = $1 AND noted_at <= $2`, key(id), micros(notedAt)); err != nil {
		return fmt.Errorf("forget what a sender left out: %w", err)
	}
	return nil
}
