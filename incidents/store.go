package incidents

import (
	"context"
	"errors"
	"time"
)

// ErrStale says that an effect's lease was lost to another worker: whatever was
// made will be found by that one's look.
var ErrStale = errors.New("the lease of this effect was lost")

// Result of a command.
type Result struct {
	Incident Incident
	// Repeated is true when the action had been done before under the same
	// [Once] key; Incident is then as it is now.
	Repeated bool
}

// Store keeps incidents, their events, alerts, people and the effects owed.
// Each method is one transaction. Errors are *Error where a user can act on
// them (NotFound, Mismatch), otherwise internal.
type Store interface {
	// Declare takes the next number and stores what decide makes of it. A
	// decide that fails stores nothing (the number may stay unused). When once
	// was used before, decide is not called and the earlier incident returned.
	Declare(ctx context.Context, once Once, decide func(number int64) (Change, error)) (Result, error)
	// Update loads the incident under a lock and stores what decide makes of
	// it. A Change without events, effects, settles and jobs stores nothing.
	Update(ctx context.Context, number int64, once Once, decide func(Incident) (Change, error)) (Result, error)
	// UpdatePair changes two incidents in one transaction, both under a lock. log
	// holds the events of the first. The Result is of the first.
	UpdatePair(ctx context.Context, first, second int64, once Once, decide func(first, second Incident, log []Event) (Pair, error)) (Result, error)
	// Ingest merges one group's alerts under a lock of the group; see [GroupTx].
	Ingest(ctx context.Context, group AlertGroup, fingerprints []string, decide func(GroupTx) error) error
	// KeepBody stores a webhook's body as received.
	KeepBody(ctx context.Context, source string, at time.Time, body []byte) error

	Incident(ctx context.Context, number int64) (Incident, error)
	Incidents(ctx context.Context, query Query) ([]Incident, error)
	// Notices lists the incidents with something on the status page, neither
	// private nor drills: those whose notice is not resolved, then those whose
	// notice was resolved since then, the latest first, at most limit.
	Notices(ctx context.Context, since time.Time, limit int) ([]Incident, error)
	// IncidentByChannel finds the incident whose channel has this id: NotFound
	// when there is none.
	IncidentByChannel(ctx context.Context, channel string) (Incident, error)
	Events(ctx context.Context, number int64) ([]Event, error)
	// Alerts lists the alerts that belong to an incident: firing first, then
	// by name, at most limit.
	Alerts(ctx context.Context, number int64, limit int) ([]Alert, error)
	Group(ctx context.Context, id string) (AlertGroup, error)
	// DueGroups gives the ids of groups to be looked at now, at most limit.
	DueGroups(ctx context.Context, now time.Time, limit int) ([]string, error)
	// NoteLeftOut keeps that a sender left alerts out, and jobs. What is kept of an
	// earlier delivery of the group it takes the place of; the Groups are those of both.
	NoteLeftOut(ctx context.Context, left LeftOut, jobs ...Job) error
	// LeftOut loads it, if there is one. LeftOuts lists those noted before, at most
	// limit.
	LeftOut(ctx context.Context, id string) (left LeftOut, found bool, err error)
	LeftOuts(ctx context.Context, before time.Time, limit int) ([]LeftOut, error)
	// ForgetLeftOut deletes it, unless another delivery was noted since notedAt.
	ForgetLeftOut(ctx context.Context, id string, notedAt time.Time) error
	// WatchedAlerts lists the open alerts that count of a source and come from an
	// Alertmanager, at most limit.
	WatchedAlerts(ctx context.Context, source string, limit int) ([]WatchedAlert, error)
	// Sources lists the sources that have open alerts that count and come from an
	// Alertmanager.
	Sources(ctx context.Context) ([]string, error)
	// Pulse notes that a replica is alive now, and gives since when one has been
	// without a gap.
	Pulse(ctx context.Context, now time.Time, gap time.Duration) (since time.Time, err error)
	// GroupsOf lists the groups of an incident, those with the most alerts firing
	// first, at most limit, and how many there are.
	GroupsOf(ctx context.Context, number int64, limit int) ([]AlertGroup, int, error)
	// GroupAlerts lists a group's open alerts, at most limit; SenderAlerts those that
	// came from one group of a sender's and belong to others of Houston's.
	GroupAlerts(ctx context.Context, id string, limit int) ([]Alert, error)
	SenderAlerts(ctx context.Context, sender string, limit int) ([]Alert, error)
	// OpenOf gives, by their groups, the open alerts that came from a sender's group,
	// those of the group of that id too when own.
	OpenOf(ctx context.Context, sender string, own bool) ([]GroupAlerts, error)
	// Lapsed gives, by their groups, the open alerts whose Until has passed while
	// somebody listened, which is without a gap since then, at most limit.
	Lapsed(ctx context.Context, now, since time.Time, limit int) ([]GroupAlerts, error)

	// OweEffect stores an effect that belongs to no incident, and the job for it.
	// One that is there already stays as it is.
	OweEffect(ctx context.Context, effect Effect) error
	Effects(ctx context.Context, number int64) ([]Effect, error)
	// UndoneEffects gives, by number, those effects of some incidents that are not done.
	UndoneEffects(ctx context.Context, numbers []int64) (map[int64][]Effect, error)
	Effect(ctx context.Context, key string) (Effect, error)
	// TakeEffect leases an owed effect: it sets LeaseUntil to now+lease, raises
	// Fence by one, and Died too when the lease before ran out, and returns the row
	// and true. Otherwise (not
	// owed, leased by another, not due before NextAt) it returns the row as it
	// is and false. NotFound when there is no such row.
	TakeEffect(ctx context.Context, key string, now time.Time, lease time.Duration) (Effect, bool, error)
	// BeginAttempt notes that a call is about to be made whose outcome may stay
	// unknown: StartedAt = now. [ErrStale] when the row's Fence is not the effect's.
	BeginAttempt(ctx context.Context, effect Effect, now time.Time) error
	// SettleEffect writes a leased effect back as Change.Settles does. Whichever
	// way it is settled: when the row is still owed afterwards, a RunEffect job
	// for it is enqueued in the same transaction, due at its NextAt.
	SettleEffect(ctx context.Context, effect Effect) error
	// SweepEffects enqueues a RunEffect job for each owed effect that nobody
	// holds (lease run out), that is due (NextAt) and for which no job was
	// enqueued since distance ago, at most limit. It returns how many. What a
	// crash left behind is found again by this.
	SweepEffects(ctx context.Context, now time.Time, distance time.Duration, limit int) (int, error)
	// MadeAs lists the effects of a kind that have an outside id.
	MadeAs(ctx context.Context, kind EffectKind, id string) ([]Effect, error)
	// Claimed reports whether an effect of another key has this outside id.
	Claimed(ctx context.Context, kind EffectKind, id, exceptKey string) (bool, error)

	// DueNudges lists nudges whose time has come, the longest due first, at most
	// limit: one of each incident's channel and one for each person, and none for
	// a person of whom another question is open since less than four hours.
	DueNudges(ctx context.Context, now time.Time, limit int) ([]Nudge, error)

	// HomeOpened notes that a person has opened the home tab, HomeShown the digest
	// of what it shows; Homes lists those opened since then, the latest first.
	HomeOpened(ctx context.Context, person string, at time.Time) error
	HomeShown(ctx context.Context, person, shown string) error
	Homes(ctx context.Context, since time.Time, limit int) ([]Home, error)

	// Enqueue stores jobs that belong to no change of an incident, once. first is
	// false, and nothing is stored, when the key was used before and its time
	// (Once.Keep) is not over: without jobs it tells whether something is new.
	Enqueue(ctx context.Context, once Once, jobs ...Job) (first bool, err error)

	// SaveChange stores what decide makes of a change, known by its source and
	// external id or new, under a lock. created is false when there was one
	// before; when the once key was used, decide is not called and the change
	// returned that was stored with it.
	SaveChange(ctx context.Context, once Once, source, external string, decide func(known ChangeEvent, found bool) ChangeEvent) (stored ChangeEvent, created bool, err error)
	// Changes lists changes, the latest start first.
	Changes(ctx context.Context, query ChangeQuery) ([]ChangeEvent, error)
	// Change loads one change: NotFound when there is none.
	Change(ctx context.Context, id int64) (ChangeEvent, error)

	// Used reports whether a once key was used and its time is not over.
	Used(ctx context.Context, key string) (bool, error)

	// Keep stores what a person has begun; a repeat of the same id changes nothing.
	Keep(ctx context.Context, kept Kept) error
	// Kept loads it again: NotFound when it is not there or its time is over.
	Kept(ctx context.Context, id string) (Kept, error)

	SaveProfiles(ctx context.Context, profiles []Profile) error
	Profiles(ctx context.Context) ([]Profile, error)
	Profile(ctx context.Context, id string) (Profile, error)
	// ChooseLanguage keeps the language that a person chose, "" for none;
	// Languages gives all choices by the ids of the people.
	ChooseLanguage(ctx context.Context, person, language string) error
	Languages(ctx context.Context) (map[string]string, error)

	// Forget deletes once keys, what people have begun and webhook bodies older
	// than before.
	Forget(ctx context.Context, before time.Time) error
	// Ping tells whether the database answers.
	Ping(ctx context.Context) error
}

// GroupTx is what a decision about alerts may see and do inside one transaction.
type GroupTx interface {
	// Group is the group's row, locked.
	Group() AlertGroup
	// Known gives, for each of the fingerprints asked for, the open row if
	// there is one and else the latest closed one.
	Known() map[string]Alert
	// OpenCount counts the group's open alerts whose action counts (see
	// [RouteAction.Counts]).
	OpenCount() (int, error)
	// Ripe counts the group's open alerts of a route that were first heard of
	// between from and until, and gives when the first later one was heard of;
	// zero for none.
	Ripe(route string, from, until time.Time) (n int, next time.Time, err error)
	// OpenRoutes gives the names of the routes of the group's open alerts that count.
	OpenRoutes() ([]string, error)
	// SaveAlerts writes rows: those with an ID are replaced, the others inserted.
	SaveAlerts(alerts []Alert) error
	SaveGroup(group AlertGroup) error
	// Effects inserts or raises effects, with jobs, that belong to no incident.
	Owe(effects []Effect, jobs []Job) error
	// Incident loads an incident under a lock.
	Incident(number int64) (Incident, error)
	// OpenIncident finds the newest open incident that is neither private nor a
	// drill and has the service or, when service is empty, was opened by an
	// alert, under a lock. False when there is none.
	OpenIncident(service string) (Incident, bool, error)
	// BlindIncident finds the newest open incident that a silent heart of a source
	// belongs to, under a lock, and keeps others from opening one at the same time.
	BlindIncident(source string) (Incident, bool, error)
	// DeclaredSince counts the incidents that alerts opened since then.
	DeclaredSince(since time.Time) (int, error)
	// Storm gives the number of the storm that was opened last, 0 for none; SaveStorm
	// notes another. Both only after DeclaredSince, which keeps others out.
	Storm() (int64, error)
	SaveStorm(number int64) error
	NextNumber() (int64, error)
	// Save stores a change of an incident, new (events begin at Seq 1) or old.
	Save(change Change) error
}

// Query selects incidents, newest first.
type Query struct {
	Statuses   []Status
	Severities []Severity
	Text       string // words of title and service; all must match, case-insensitively
	Before     int64  // numbers below this only (paging); 0: from the newest
	Limit      int
	Private    bool // include private incidents
	// Channels are those of private incidents that are in the list, too.
	Channels []string
	Open     bool // those of an open status only
	Service  string
}
