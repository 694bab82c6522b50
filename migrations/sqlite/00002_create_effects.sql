-- +goose Up
-- State follows incidents.Effect.State. Job_at is when the latest job for the
-- effect is due: the sweep looks no earlier.
CREATE TABLE effects (
    key         TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    incident    INTEGER NOT NULL,
    group_id    TEXT NOT NULL,
    target      TEXT NOT NULL,
    generation  INTEGER NOT NULL,
    wanted      INTEGER NOT NULL,
    shown       INTEGER NOT NULL,
    external_id TEXT NOT NULL,
    place       TEXT NOT NULL,
    shown_at    INTEGER NOT NULL,
    started_at  INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    fence       INTEGER NOT NULL,
    attempts    INTEGER NOT NULL,
    next_at     INTEGER NOT NULL,
    failed      INTEGER NOT NULL,
    reason      TEXT NOT NULL,
    job_at      INTEGER NOT NULL,
    state       TEXT NOT NULL GENERATED ALWAYS AS (
        CASE WHEN failed THEN 'failed' WHEN external_id = '' OR shown < wanted THEN 'owed' ELSE 'done' END
    ) STORED
) STRICT;
CREATE INDEX effects_incident ON effects (incident, key);
CREATE INDEX effects_owed ON effects (job_at) WHERE state = 'owed';
CREATE INDEX effects_external ON effects (external_id) WHERE external_id <> '';
