// Package incidents is the truth of Houston: what an incident is, what may
// happen to it, and what follows from it.
//
// It is pure: standard library only, no clock of its own, no network, no
// database. Every command goes one way: an edge (Slack, a webhook, the API)
// calls one method of [Service], which has the [Store] load one incident under
// a lock, decides, and hands back a [Change]; the store writes the row, the
// events, the effects owed and the jobs in one transaction. What has to happen
// outside is done afterwards by workers, who record what they learnt through
// the Service again. So there is no state change without an event, no event
// without its jobs and no job without a commit.
//
// The event log is the timeline: an [Incident] is nothing but its events
// applied in the order of their Seq (see [Replay]).
//
// The package does not know SQL, Slack, HTTP or River.
package incidents
