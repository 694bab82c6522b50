-- +goose Up
CREATE TABLE profiles (
    id      TEXT COLLATE "C" PRIMARY KEY,
    profile TEXT NOT NULL
);
