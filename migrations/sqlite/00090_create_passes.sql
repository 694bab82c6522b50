-- +goose Up
-- A pass lets the holder of a secret read as a person; only the hash is kept.
CREATE TABLE passes (
    hash       TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    person     TEXT NOT NULL,
    made_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX passes_person ON passes (person, kind);
CREATE INDEX passes_expires ON passes (expires_at);
