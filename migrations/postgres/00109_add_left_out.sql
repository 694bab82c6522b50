-- +goose Up
-- Left_out has the groups of senders whose last delivery left alerts out, until
-- their Alertmanager has been asked about the rest. Alert_groups lists, as JSON,
-- the groups of Houston's that count what was left out.
CREATE TABLE left_out (
    id           TEXT COLLATE "C" PRIMARY KEY,
    source       TEXT NOT NULL,
    receiver     TEXT NOT NULL,
    labels       TEXT NOT NULL,
    fingerprint  TEXT NOT NULL,
    alert_groups TEXT NOT NULL,
    noted_at     BIGINT NOT NULL
);

-- Alertmanager says that the group's alerts come from an Alertmanager, which can
-- be asked about them. Of those there were nobody knows; the next delivery of
-- another sender tells.
ALTER TABLE alert_groups ADD COLUMN alertmanager BOOLEAN NOT NULL DEFAULT TRUE;
