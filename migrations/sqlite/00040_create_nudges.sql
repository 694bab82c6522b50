-- +goose Up
-- What people are to be asked, by when. The rows of an incident are replaced as
-- a whole; open_since is the zero moment while no question is open.
CREATE TABLE nudges (
    incident   INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    target     TEXT NOT NULL,
    direct     TEXT NOT NULL,
    due_at     INTEGER NOT NULL,
    open_since INTEGER NOT NULL,
    PRIMARY KEY (incident, kind, target)
) STRICT;
CREATE INDEX nudges_due ON nudges (due_at);
CREATE INDEX nudges_direct ON nudges (direct, open_since) WHERE direct <> '';
