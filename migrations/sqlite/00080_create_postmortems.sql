-- +goose Up
-- What people wrote of a postmortem, every revision of it. Content is JSON.
CREATE TABLE postmortem_revisions (
    incident INTEGER NOT NULL REFERENCES incidents (number),
    rev      INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    author   TEXT NOT NULL,
    fields   TEXT NOT NULL,
    content  TEXT NOT NULL,
    PRIMARY KEY (incident, rev)
) STRICT;

-- Postmortems as they were published: frozen.
CREATE TABLE postmortem_publications (
    incident INTEGER NOT NULL REFERENCES incidents (number),
    edition  INTEGER NOT NULL,
    rev      INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    author   TEXT NOT NULL,
    hash     TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (incident, edition)
) STRICT;
CREATE INDEX postmortem_publications_at ON postmortem_publications (at, incident);

-- The three below say nothing that the incidents' states do not: they are for
-- finding. State is in_review and so on; entered_at is when an incident owed
-- its postmortem.
CREATE TABLE postmortems (
    incident   INTEGER PRIMARY KEY REFERENCES incidents (number),
    state      TEXT NOT NULL,
    is_open    INTEGER NOT NULL,
    owner      TEXT NOT NULL,
    entered_at INTEGER NOT NULL
) STRICT;
CREATE INDEX postmortems_open ON postmortems (incident) WHERE is_open;

CREATE TABLE action_items (
    incident   INTEGER NOT NULL REFERENCES incidents (number),
    id         INTEGER NOT NULL,
    owner      TEXT NOT NULL,
    due        TEXT NOT NULL,
    unfinished INTEGER NOT NULL,
    state      TEXT NOT NULL,
    PRIMARY KEY (incident, id)
) STRICT;
CREATE INDEX action_items_unfinished ON action_items (due, incident, id) WHERE unfinished;
CREATE INDEX action_items_owner ON action_items (owner, due);

CREATE TABLE monitoring_gaps (
    incident INTEGER NOT NULL REFERENCES incidents (number),
    id       INTEGER NOT NULL,
    state    TEXT NOT NULL,
    kind     TEXT NOT NULL,
    PRIMARY KEY (incident, id)
) STRICT;
CREATE INDEX monitoring_gaps_state ON monitoring_gaps (state, incident, id);
