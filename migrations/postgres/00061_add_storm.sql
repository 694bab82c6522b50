-- +goose Up
-- Incident is the number of the storm that was opened last when alerts had opened
-- as many incidents as they may; 0 for none yet.
ALTER TABLE gates ADD COLUMN incident BIGINT NOT NULL DEFAULT 0;
