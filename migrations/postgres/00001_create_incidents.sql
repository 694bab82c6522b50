-- +goose Up
CREATE SEQUENCE incident_numbers AS BIGINT;

-- State is the whole incident as JSON; the other columns are for finding it.
CREATE TABLE incidents (
    number      BIGINT PRIMARY KEY,
    seq         BIGINT NOT NULL,
    status      TEXT NOT NULL,
    is_open     BOOLEAN NOT NULL,
    severity    TEXT NOT NULL,
    service     TEXT COLLATE "C" NOT NULL,
    private     BOOLEAN NOT NULL,
    drill       BOOLEAN NOT NULL,
    via         TEXT NOT NULL,
    channel_id  TEXT COLLATE "C",
    title       TEXT NOT NULL,
    declared_at BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    state       TEXT NOT NULL
);
CREATE UNIQUE INDEX incidents_channel ON incidents (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX incidents_open ON incidents (number) WHERE is_open;
CREATE INDEX incidents_declared ON incidents (via, declared_at);

CREATE TABLE events (
    incident    BIGINT NOT NULL REFERENCES incidents (number),
    seq         BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    precision   TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    type        TEXT NOT NULL,
    actor       TEXT NOT NULL,
    data        TEXT NOT NULL,
    PRIMARY KEY (incident, seq)
);

-- +goose StatementBegin
CREATE FUNCTION events_are_final() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are append-only';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER events_are_final BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION events_are_final();

CREATE TABLE words (
    word     TEXT COLLATE "C" NOT NULL,
    incident BIGINT NOT NULL REFERENCES incidents (number),
    PRIMARY KEY (word, incident)
);
CREATE INDEX words_incident ON words (incident);

CREATE TABLE once (
    key        TEXT COLLATE "C" PRIMARY KEY,
    digest     TEXT NOT NULL,
    incident   BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    keep_until BIGINT NOT NULL
);
CREATE INDEX once_keep_until ON once (keep_until);

-- A gate is a row to lock where no row of the matter itself can be: who opens
-- incidents for alerts waits here for whoever is counting them.
CREATE TABLE gates (
    name TEXT PRIMARY KEY
);
INSERT INTO gates (name) VALUES ('declare');
