-- +goose Up
-- What an incident of the group was detected by; empty: an alert.
ALTER TABLE alert_groups ADD COLUMN detection TEXT NOT NULL DEFAULT '';
