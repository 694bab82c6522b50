// Package migrations holds the database schema as numbered SQL files: the same
// names in postgres and sqlite. A file is never changed once it has landed.
//
// What the two have in common, and why:
//
//   - Moments are BIGINTs, microseconds since 1970 in UTC: both databases
//     compare and sort them rightly, neither driver turns them into text or
//     another zone, and they keep exactly what the domain keeps. A zero
//     time.Time is its own number (the year 1), before every real moment.
//   - JSON is opaque text; what is searched by has a column of its own.
//   - Text that identifies something is compared byte by byte.
package migrations

import "embed"

// FS holds the folders postgres and sqlite.
//
//go:embed postgres/*.sql sqlite/*.sql
var FS embed.FS
