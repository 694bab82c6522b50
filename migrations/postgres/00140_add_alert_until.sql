-- +goose Up
-- Until_at is when an alert counts as over unless its sender has said again that it
-- fires, 0 for never; sender is the sender's own group, shortened, of an alert that
-- belongs to another group here.
ALTER TABLE alerts ADD COLUMN until_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE alerts ADD COLUMN sender TEXT NOT NULL DEFAULT '';
CREATE INDEX alerts_until ON alerts (until_at) WHERE firing AND until_at > 0;
CREATE INDEX alerts_sender ON alerts (sender) WHERE firing AND sender <> '';
