-- +goose Up
-- What people are to be asked, by when. The rows of an incident are replaced as
-- a whole; open_since is the zero moment while no question is open.
CREATE TABLE nudges (
    incident   BIGINT NOT NULL,
    kind       TEXT COLLATE "C" NOT NULL,
    target     TEXT COLLATE "C" NOT NULL,
    direct     TEXT COLLATE "C" NOT NULL,
    due_at     BIGINT NOT NULL,
    open_since BIGINT NOT NULL,
    PRIMARY KEY (incident, kind, target)
);
CREATE INDEX nudges_due ON nudges (due_at);
CREATE INDEX nudges_direct ON nudges (direct, open_since) WHERE direct <> '';
