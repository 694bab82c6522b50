-- +goose Up
CREATE TABLE profiles (
    id      TEXT PRIMARY KEY,
    profile TEXT NOT NULL
) STRICT;
