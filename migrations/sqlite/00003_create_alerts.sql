-- +goose Up
CREATE TABLE alert_groups (
    id           TEXT PRIMARY KEY,
    source       TEXT NOT NULL,
    receiver     TEXT NOT NULL,
    labels       TEXT NOT NULL,
    incident     INTEGER NOT NULL,
    offer        TEXT NOT NULL,
    version      INTEGER NOT NULL,
    round        INTEGER NOT NULL,
    firing       INTEGER NOT NULL,
    title        TEXT NOT NULL,
    summary      TEXT NOT NULL,
    severity     TEXT NOT NULL,
    service      TEXT NOT NULL,
    firing_since INTEGER NOT NULL,
    decided_by   TEXT NOT NULL
) STRICT;

-- No foreign key to the group: it is in the same transaction always, and a
-- check for each of ten thousand rows costs more than the rows.
CREATE TABLE alerts (
    id          INTEGER PRIMARY KEY,
    group_id    TEXT NOT NULL,
    incident    INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    firing      INTEGER NOT NULL,
    counts      INTEGER NOT NULL,
    name        TEXT NOT NULL,
    starts_at   INTEGER NOT NULL,
    ends_at     INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    labels      TEXT NOT NULL,
    annotations TEXT NOT NULL,
    url         TEXT NOT NULL,
    action      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX alerts_open ON alerts (group_id, fingerprint) WHERE firing;
CREATE INDEX alerts_latest ON alerts (group_id, fingerprint, id);
CREATE INDEX alerts_incident ON alerts (incident) WHERE incident <> 0;

-- Body is gzip; digest is of the body before it was compressed.
CREATE TABLE webhook_bodies (
    id       INTEGER PRIMARY KEY,
    source   TEXT NOT NULL,
    digest   TEXT NOT NULL,
    first_at INTEGER NOT NULL,
    last_at  INTEGER NOT NULL,
    received INTEGER NOT NULL,
    body     BLOB NOT NULL
) STRICT;
CREATE INDEX webhook_bodies_digest ON webhook_bodies (digest, source);
CREATE INDEX webhook_bodies_last_at ON webhook_bodies (last_at);
