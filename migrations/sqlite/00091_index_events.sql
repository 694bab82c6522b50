-- +goose Up
-- Who did what across incidents is read from the latest backwards.
CREATE INDEX events_recorded ON events (recorded_at, incident, seq);
