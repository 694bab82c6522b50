-- +goose Up
-- State follows incidents.Effect.State. Job_at is when the latest job for the
-- effect is due: the sweep looks no earlier.
CREATE TABLE effects (
    key         TEXT COLLATE "C" PRIMARY KEY,
    kind        TEXT NOT NULL,
    incident    BIGINT NOT NULL,
    group_id    TEXT COLLATE "C" NOT NULL,
    target      TEXT NOT NULL,
    generation  BIGINT NOT NULL,
    wanted      BIGINT NOT NULL,
    shown       BIGINT NOT NULL,
    external_id TEXT COLLATE "C" NOT NULL,
    place       TEXT NOT NULL,
    shown_at    BIGINT NOT NULL,
    started_at  BIGINT NOT NULL,
    lease_until BIGINT NOT NULL,
    fence       BIGINT NOT NULL,
    attempts    BIGINT NOT NULL,
    next_at     BIGINT NOT NULL,
    failed      BOOLEAN NOT NULL,
    reason      TEXT NOT NULL,
    job_at      BIGINT NOT NULL,
    state       TEXT NOT NULL GENERATED ALWAYS AS (
        CASE WHEN failed THEN 'failed' WHEN external_id = '' OR shown < wanted THEN 'owed' ELSE 'done' END
    ) STORED
);
CREATE INDEX effects_incident ON effects (incident, key);
CREATE INDEX effects_owed ON effects (job_at) WHERE state = 'owed';
CREATE INDEX effects_external ON effects (external_id) WHERE external_id <> '';
