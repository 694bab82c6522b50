-- +goose Up
-- What people wrote of a postmortem, every revision of it. Content is JSON.
CREATE TABLE postmortem_revisions (
    incident BIGINT NOT NULL REFERENCES incidents (number),
    rev      BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    author   TEXT NOT NULL,
    fields   TEXT NOT NULL,
    content  TEXT NOT NULL,
    PRIMARY KEY (incident, rev)
);

-- Postmortems as they were published: frozen.
CREATE TABLE postmortem_publications (
    incident BIGINT NOT NULL REFERENCES incidents (number),
    edition  BIGINT NOT NULL,
    rev      BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    author   TEXT NOT NULL,
    hash     TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (incident, edition)
);
CREATE INDEX postmortem_publications_at ON postmortem_publications (at, incident);

-- The three below say nothing that the incidents' states do not: they are for
-- finding. State is in_review and so on; entered_at is when an incident owed
-- its postmortem.
CREATE TABLE postmortems (
    incident   BIGINT PRIMARY KEY REFERENCES incidents (number),
    state      TEXT NOT NULL,
    is_open    BOOLEAN NOT NULL,
    owner      TEXT COLLATE "C" NOT NULL,
    entered_at BIGINT NOT NULL
);
CREATE INDEX postmortems_open ON postmortems (incident) WHERE is_open;

CREATE TABLE action_items (
    incident   BIGINT NOT NULL REFERENCES incidents (number),
    id         BIGINT NOT NULL,
    owner      TEXT COLLATE "C" NOT NULL,
    due        TEXT COLLATE "C" NOT NULL,
    unfinished BOOLEAN NOT NULL,
    state      TEXT NOT NULL,
    PRIMARY KEY (incident, id)
);
CREATE INDEX action_items_unfinished ON action_items (due, incident, id) WHERE unfinished;
CREATE INDEX action_items_owner ON action_items (owner, due);

CREATE TABLE monitoring_gaps (
    incident BIGINT NOT NULL REFERENCES incidents (number),
    id       BIGINT NOT NULL,
    state    TEXT NOT NULL,
    kind     TEXT NOT NULL,
    PRIMARY KEY (incident, id)
);
CREATE INDEX monitoring_gaps_state ON monitoring_gaps (state, incident, id);
