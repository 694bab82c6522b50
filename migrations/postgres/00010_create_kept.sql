-- +goose Up
-- What a person has begun and goes on with by a click.
CREATE TABLE kept (
    id         TEXT COLLATE "C" PRIMARY KEY,
    person     TEXT NOT NULL,
    body       TEXT NOT NULL,
    keep_until BIGINT NOT NULL
);
CREATE INDEX kept_keep_until ON kept (keep_until);
