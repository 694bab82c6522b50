-- +goose Up
-- The language that a person chose; without a row it is that of his Slack.
CREATE TABLE languages (
    person   TEXT COLLATE "C" PRIMARY KEY,
    language TEXT NOT NULL
);
