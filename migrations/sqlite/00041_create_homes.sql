-- +goose Up
-- Who has opened the home tab, when last, and a digest of what it shows.
CREATE TABLE homes (
    person    TEXT PRIMARY KEY,
    opened_at INTEGER NOT NULL,
    shown     TEXT NOT NULL
) STRICT;
CREATE INDEX homes_opened ON homes (opened_at);
