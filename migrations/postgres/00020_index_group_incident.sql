-- +goose Up
CREATE INDEX alert_groups_incident ON alert_groups (incident) WHERE incident <> 0;
