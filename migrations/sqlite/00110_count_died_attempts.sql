-- +goose Up
-- Died counts the attempts at an effect, one after the other, whose process ended
-- before it could say what came of them.
ALTER TABLE effects ADD COLUMN died INTEGER NOT NULL DEFAULT 0;
