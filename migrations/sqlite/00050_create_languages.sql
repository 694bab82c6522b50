-- +goose Up
-- The language that a person chose; without a row it is that of his Slack.
CREATE TABLE languages (
    person   TEXT PRIMARY KEY,
    language TEXT NOT NULL
) STRICT;
