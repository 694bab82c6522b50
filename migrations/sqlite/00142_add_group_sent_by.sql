-- +goose Up
-- Sent_by is what people call the sender of the group's alerts, empty when unknown.
ALTER TABLE alert_groups ADD COLUMN sent_by TEXT NOT NULL DEFAULT '';
