package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/houston-sre/houston/incidents"
)

// savePostmortem inserts revisions and publications, and keeps the tables by
// which postmortems, action items and gaps are found.
func (t *transaction) savePostmortem(ctx context.Context, change incidents.Change) error {
	for _, r := range change.Revisions {
		author, err := asJSON(r.By)
		if err != nil {
			return fmt.Errorf("encode an author: %w", err)
		}
		fields, err := asJSON(r.Fields)
		if err != nil {
			return fmt.Errorf("encode the fields of a revision: %w", err)
		}
		if _, err := t.exec(ctx, `
			INSERT INTO postmortem_revisions (incident, rev, at, author, fields, content)
			VALUES ($1, $2, $3, $4, $5, $6)`, r.Incident, r.Rev, micros(r.At), author, fields, string(r.Content)); err != nil {
			return fmt.Errorf("save revision %d of the postmortem of %s: %w", r.Rev, incidents.Key(r.Incident), err)
		}
	}
	for _, p := range change.Publications {
		author, err := asJSON(p.By)
		if err != nil {
			return fmt.Errorf("encode an author: %w", err)
		}
		if _, err := t.exec(ctx, `
			INSERT INTO postmortem_publications (incident, edition, rev, at, author, hash, document)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`, p.Incident, p.Edition, p.Rev, micros(p.At), author, p.Hash, string(p.Document)); err != nil {
			return fmt.Errorf("save edition %d of the postmortem of %s: %w", p.Edition, incidents.Key(p.Incident), err)
		}
	}
	return t.index(ctx, change)
}

// index keeps the tables for finding in step with the events of a change.
func (t *transaction) index(ctx context.Context, change incidents.Change) error {
	var postmortem bool
	actions, gaps := map[int64]bool{}, map[int64]bool{}
	for _, e := range change.Events {
		switch data := e.Data.(type) {
		case incidents.DraftReady, incidents.PostmortemMoved, incidents.PostmortemStaffed, incidents.PostmortemWritten, incidents.RoleAssigned:
			postmortem = true
		case incidents.ActionAdded:
			actions[data.Item.ID] = true
		case incidents.ActionChanged:
			actions[data.Item.ID] = true
		case incidents.GapAdded:
			gaps[data.Gap.ID] = true
		case incidents.GapChanged:
			gaps[data.Gap.ID] = true
		}
	}
	if postmortem {
		if err := t.indexPostmortem(ctx, change); err != nil {
			return fmt.Errorf("index the postmortem of %s: %w", change.Incident.Key(), err)
		}
	}
	for id := range actions {
		item, _ := change.Incident.Action(id)
		if _, err := t.exec(ctx, `
			INSERT INTO action_items (incident, id, owner, due, unfinished, state) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (incident, id) DO UPDATE SET owner = excluded.owner, due = excluded.due,
				unfinished = excluded.unfinished, state = excluded.state`,
			change.Incident.Number, id, key(item.Owner.ID), key(item.Due), item.Unfinished(), item.Stands()); err != nil {
			return fmt.Errorf("index action item %d of %s: %w", id, change.Incident.Key(), err)
		}
	}
	for id := range gaps {
		gap, _ := change.Incident.Gap(id)
		if _, err := t.exec(ctx, `
			INSERT INTO monitoring_gaps (incident, id, state, kind) VALUES ($1, $2, $3, $4)
			ON CONFLICT (incident, id) DO UPDATE SET state = excluded.state, kind = excluded.kind`,
			change.Incident.Number, id, gap.State, gap.Kind); err != nil {
			return fmt.Errorf("index monitoring gap %d of %s: %w", id, change.Incident.Key(), err)
		}
	}
	return nil
}

// indexPostmortem inserts the row once the postmortem is owed (the incident is
// resolved) or somebody works on it; before that there is nothing to find.
func (t *transaction) indexPostmortem(ctx context.Context, change incidents.Change) error {
	inc := change.Incident
	begun := inc.Postmortem.State != "" || inc.Postmortem.Rev > 0 || inc.Postmortem.Owner.ID != "" || !inc.Status.Open()
	if !begun || inc.Drill {
		return nil
	}
	owner, _ := inc.PostmortemOwner()
	_, err := t.exec(ctx, `
		INSERT INTO postmortems (incident, state, is_open, owner, entered_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (incident) DO UPDATE SET state = excluded.state, is_open = excluded.is_open, owner = excluded.owner`,
		inc.Number, inc.Postmortem.Stands(), inc.Postmortem.Open(), key(owner.ID), micros(t.now))
	return err
}

// Revision loads one revision of an incident's postmortem; NotFound when there
// is none of this number.
func (s *Store) Revision(ctx context.Context, number, rev int64) (incidents.Revision, error) {
	r, err := scanRevision(s.row(ctx, `
		SELECT incident, rev, at, author, fields, content FROM postmortem_revisions WHERE incident = $1 AND rev = $2`, number, rev))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return r, incidents.Errorf(incidents.NotFound, "The postmortem of %s has no revision %d.", incidents.Key(number), rev)
	case err != nil:
		return r, fmt.Errorf("load revision %d of the postmortem of %s: %w", rev, incidents.Key(number), err)
	}
	return r, nil
}

// Revisions lists all revisions of an incident's postmortem, the newest first.
func (s *Store) Revisions(ctx context.Context, number int64) ([]incidents.Revision, error) {
	rows, err := s.query(ctx, `
		SELECT incident, rev, at, author, fields, content FROM postmortem_revisions WHERE incident = $1 ORDER BY rev DESC`, number)
	list, err := collect(rows, err, scanRevision)
	if err != nil {
		return nil, fmt.Errorf("list the revisions of the postmortem of %s: %w", incidents.Key(number), err)
	}
	return list, nil
}

func scanRevision(row scanner) (incidents.Revision, error) {
	var r incidents.Revision
	var at int64
	var author, fields, content string
	if err := row.Scan(&r.Incident, &r.Rev, &at, &author, &fields, &content); err != nil {
		return r, err
	}
	r.At, r.Content = moment(at), []byte(content)
	return r, errors.Join(fromJSON(author, &r.By), fromJSON(fields, &r.Fields))
}

// Publication loads a postmortem as it was published; NotFound when there is no
// such edition.
func (s *Store) Publication(ctx context.Context, number, edition int64) (incidents.Publication, error) {
	p, err := scanPublication(s.row(ctx, `
		SELECT incident, edition, rev, at, author, hash, document
		FROM postmortem_publications WHERE incident = $1 AND edition = $2`, number, edition))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return p, incidents.Errorf(incidents.NotFound, "The postmortem of %s has no edition %d.", incidents.Key(number), edition)
	case err != nil:
		return p, fmt.Errorf("load edition %d of the postmortem of %s: %w", edition, incidents.Key(number), err)
	}
	return p, nil
}

// Publications lists what was published of one incident (0: of all that are not
// private), the newest first, at most limit.
func (s *Store) Publications(ctx context.Context, number int64, limit int) ([]incidents.Publication, error) {
	rows, err := s.query(ctx, `
		SELECT p.incident, p.edition, p.rev, p.at, p.author, p.hash, p.document
		FROM postmortem_publications p JOIN incidents i ON i.number = p.incident
		WHERE (p.incident = $1 OR ($1 = 0 AND NOT i.private))
		ORDER BY p.at DESC, p.incident DESC, p.edition DESC LIMIT $2`, number, limit)
	list, err := collect(rows, err, scanPublication)
	if err != nil {
		return nil, fmt.Errorf("list publications: %w", err)
	}
	return list, nil
}

func scanPublication(row scanner) (incidents.Publication, error) {
	var p incidents.Publication
	var at int64
	var author, document string
	if err := row.Scan(&p.Incident, &p.Edition, &p.Rev, &at, &author, &p.Hash, &document); err != nil {
		return p, err
	}
	p.At, p.Document = moment(at), []byte(document)
	return p, fromJSON(author, &p.By)
}
