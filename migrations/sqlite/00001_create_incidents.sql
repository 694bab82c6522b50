-- +goose Up
CREATE TABLE incident_numbers (
    last INTEGER NOT NULL
) STRICT;
INSERT INTO incident_numbers (last) VALUES (0);

-- State is the whole incident as JSON; the other columns are for finding it.
CREATE TABLE incidents (
    number      INTEGER PRIMARY KEY,
    seq         INTEGER NOT NULL,
    status      TEXT NOT NULL,
    is_open     INTEGER NOT NULL,
    severity    TEXT NOT NULL,
    service     TEXT NOT NULL,
    private     INTEGER NOT NULL,
    drill       INTEGER NOT NULL,
    via         TEXT NOT NULL,
    channel_id  TEXT,
    title       TEXT NOT NULL,
    declared_at INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    state       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX incidents_channel ON incidents (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX incidents_open ON incidents (number) WHERE is_open;
CREATE INDEX incidents_declared ON incidents (via, declared_at);

CREATE TABLE events (
    incident    INTEGER NOT NULL REFERENCES incidents (number),
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    precision   TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    type        TEXT NOT NULL,
    actor       TEXT NOT NULL,
    data        TEXT NOT NULL,
    PRIMARY KEY (incident, seq)
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER events_are_not_updated BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;
-- +goose StatementEnd

CREATE TABLE words (
    word     TEXT NOT NULL,
    incident INTEGER NOT NULL REFERENCES incidents (number),
    PRIMARY KEY (word, incident)
) STRICT, WITHOUT ROWID;
CREATE INDEX words_incident ON words (incident);

CREATE TABLE once (
    key        TEXT PRIMARY KEY,
    digest     TEXT NOT NULL,
    incident   INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    keep_until INTEGER NOT NULL
) STRICT;
CREATE INDEX once_keep_until ON once (keep_until);

-- A gate is a row to lock where no row of the matter itself can be: who opens
-- incidents for alerts waits here for whoever is counting them.
CREATE TABLE gates (
    name TEXT PRIMARY KEY
) STRICT;
INSERT INTO gates (name) VALUES ('declare');
