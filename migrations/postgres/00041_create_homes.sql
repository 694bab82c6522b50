-- +goose Up
-- Who has opened the home tab, when last, and a digest of what it shows.
CREATE TABLE homes (
    person    TEXT COLLATE "C" PRIMARY KEY,
    opened_at BIGINT NOT NULL,
    shown     TEXT NOT NULL
);
CREATE INDEX homes_opened ON homes (opened_at);
