-- +goose Up
-- A pass lets the holder of a secret read as a person; only the hash is kept.
CREATE TABLE passes (
    hash       TEXT COLLATE "C" PRIMARY KEY,
    kind       TEXT NOT NULL,
    person     TEXT COLLATE "C" NOT NULL,
    made_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX passes_person ON passes (person, kind);
CREATE INDEX passes_expires ON passes (expires_at);
