-- +goose Up
-- Lists by a status or a severity that few incidents have must not read all.
CREATE INDEX incidents_status ON incidents (status, number);
CREATE INDEX incidents_severity ON incidents (severity, number);
