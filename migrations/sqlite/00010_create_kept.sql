-- +goose Up
-- What a person has begun and goes on with by a click.
CREATE TABLE kept (
    id         TEXT PRIMARY KEY,
    person     TEXT NOT NULL,
    body       TEXT NOT NULL,
    keep_until INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_keep_until ON kept (keep_until);
