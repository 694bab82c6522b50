// Package sqlstore keeps the truth in a database: it is [incidents.Store] on
// database/sql, for PostgreSQL and for SQLite. It holds the only SQL and the
// only transactions of Houston.
//
// The SQL is one and the same for both databases; what differs is in
// dialect.go, and the two folders of package migrations. On PostgreSQL rows are
// locked with FOR UPDATE under read committed, and many replicas may share the
// database. On SQLite one connection writes, each transaction takes the write
// lock when it begins, and a few more connections read beside it; one replica.
//
// Locks are taken in one order: once key, alert group, gate, incident, effects.
// A transaction that PostgreSQL ends because of a deadlock all the same (two
// incidents locked crosswise) is run again, and its decision with it.
//
// No text can make a call fail: what a database would refuse or could not index
// is cleaned in one place, see text.go.
//
// It does not decide anything about incidents, and it does not know the queue:
// jobs are handed to [Config].Enqueue inside the transaction.
package sqlstore
