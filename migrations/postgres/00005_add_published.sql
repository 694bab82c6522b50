-- +goose Up
-- Until when an incident's public notice counts as new: the time of its last
-- text once that says resolved, the end of time before, NULL without a notice.
ALTER TABLE incidents ADD COLUMN published_until BIGINT;
CREATE INDEX incidents_published ON incidents (published_until) WHERE published_until IS NOT NULL;
