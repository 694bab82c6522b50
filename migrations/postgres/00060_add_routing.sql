-- +goose Up
-- Plan is what the route of the group's alerts wants of an incident, truncated
-- how many alerts the sender left out, by its group; heart is the state of a dead
-- man's switch, empty for others. Due_at is when the group is to be looked at
-- unasked, 0 for never.
ALTER TABLE alert_groups ADD COLUMN plan TEXT NOT NULL DEFAULT '{}';
ALTER TABLE alert_groups ADD COLUMN truncated TEXT NOT NULL DEFAULT '{}';
ALTER TABLE alert_groups ADD COLUMN heart TEXT NOT NULL DEFAULT '';
ALTER TABLE alert_groups ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX alert_groups_due ON alert_groups (due_at) WHERE due_at > 0;
CREATE INDEX alert_groups_incident ON alert_groups (incident) WHERE incident <> 0;

-- Seen_at is when an alert's life was first heard of, route the name of the
-- route that it takes.
ALTER TABLE alerts ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE alerts ADD COLUMN route TEXT NOT NULL DEFAULT '';
UPDATE alerts SET seen_at = received_at;
