-- +goose Up
-- Change is the whole change as JSON; the other columns are for finding it.
-- Until_at is when it was over as far as is known.
CREATE TABLE changes (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    source      TEXT NOT NULL,
    external_id TEXT NOT NULL,
    service     TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    until_at    INTEGER NOT NULL,
    change      TEXT NOT NULL,
    UNIQUE (source, external_id)
) STRICT;
CREATE INDEX changes_until ON changes (until_at);
CREATE INDEX changes_started ON changes (started_at);

CREATE TABLE change_words (
    word   TEXT NOT NULL,
    change INTEGER NOT NULL REFERENCES changes (id),
    PRIMARY KEY (word, change)
) STRICT;
CREATE INDEX change_words_change ON change_words (change);
