-- +goose Up
-- Pulse is one row: when a replica was last alive, and since when one has been
-- without a gap. A heart is not taken for silent for what nobody here could hear.
CREATE TABLE pulse (
    name     TEXT PRIMARY KEY,
    alive_at BIGINT NOT NULL,
    since    BIGINT NOT NULL
);
INSERT INTO pulse (name, alive_at, since) VALUES ('houston', 0, 0);
