-- +goose Up
-- Fired_at is the latest start that an alert was told to fire with: an end before it
-- is that of an earlier life.
ALTER TABLE alerts ADD COLUMN fired_at BIGINT NOT NULL DEFAULT 0;
UPDATE alerts SET fired_at = starts_at WHERE firing;
