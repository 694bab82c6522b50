// Package incidents is the truth of Houston: what an incident is, what may
// happen to it, and what follows from it.
//
// It is pure: standard library only, no clock, no network, no database. Every
// command goes one way: an edge calls one method of [Service], which asks the
// [Store] to load one incident under a lock, decides, and hands back a
// [Change]; the store writes the row, the events, the effects owed and the
// jobs in one transaction. What has to happen outside (Slack, a bridge, a
// status page) is done afterwards by workers, from what was committed.
//
// It does not know SQL, Slack, HTTP or River.
package incidents
