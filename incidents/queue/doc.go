// Package queue has the jobs of incidents done: it puts them into River's
// tables in the caller's transaction, wakes a worker when that commits, and
// decides what an error of a worker means for its job.
//
// It owns the River client, its tables' migrations and a ticker for sweeps. It
// does not own what a job does, nor whether an effect is still owed: the rows
// of effects say that. A job is a wake-up call, no more; it may be lost or come
// twice. What a killed process was working on stays "running" in River's table
// for [rescueAfter] and is worked again then, but nobody needs to wait for
// that: a sweep of the effects owed ([Queue.Periodic]) enqueues new jobs
// seconds later, on whichever process lives.
//
// # How a worker wakes up
//
// PostgreSQL: [Queue.Enqueue] sends NOTIFY in the caller's transaction, so that each
// replica hears of it at the commit; the fetch skips what another has locked.
// Listening holds one connection per process for as long as it runs, taken out
// of Config.Pool, and needs session pooling where a PgBouncer stands between.
// SQLite has no NOTIFY; River's driver polls a table of notifications there,
// 20 times a second. As SQLite means one process, [Queue.Enqueue] tells the
// process's own fetcher instead: it asks for the one writing connection at once
// and gets it when the caller's transaction ends. On both, a poll every
// [pollEvery] finds what no signal tells of: jobs whose time has come, and what
// was enqueued while the connection that listens was broken.
//
// An urgent job, one whose method Urgent says so, is in a queue of its own with
// workers of its own: it does not wait for a worker while many other jobs wait
// for answers from outside.
//
// # Time
//
// [incidents.Scheduled] gives a time of Houston's clock. It is turned into a
// wait from now when the job is enqueued; from there on all time is River's,
// that is the machine's (SQLite) or the database server's (PostgreSQL): when a
// job is due, back-off, timeout, rescue, retention. A clock that a test moves
// afterwards moves no job. A due job is worked up to [pollEvery] late.
//
// River's leader, one of the processes, has waits longer than five seconds end
// (a job enqueued for later is not among them), rescues and cleans. When it is
// killed the next one takes over within 15 to 20 seconds.
package queue
