package slack

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

const (
	directoryRefresh = 15 * time.Minute
	// missTimeout bounds the one call that a command may cost when Slack names
	// a person we have never seen: Slack waits three seconds for an answer.
	missTimeout = 1500 * time.Millisecond
)

// DirectoryConfig says where a Directory learns of people. All but Groups, Zone
// and Refresh are required.
type DirectoryConfig struct {
	Client *Client
	Store  incidents.Store
	Log    *slog.Logger
	// Groups lists user group ids (S…) whose members are to be known; ids of
	// anything else are passed over.
	Groups []string
	// Zone is for people of whom Slack tells no time zone; nil: UTC.
	Zone    *time.Location
	Refresh time.Duration // 0: every 15 minutes
}

// Directory knows who people are: what they are to the workspace, their names,
// time zones and user groups. It answers from memory, so that an answer to Slack
// costs no call to Slack; what it learns it also keeps in the store, so that a
// restart knows people at once.
type Directory struct {
	config DirectoryConfig
	ready  chan struct{}
	done   sync.WaitGroup
	learnt chan incidents.Profile // seen between refreshes, to be stored

	mu     sync.RWMutex
	people map[string]person
	groups map[string][]string // user group id → user ids; what was read last
	team   workspace
	// languages that people chose, by their ids
	languages map[string]string
}

// person is a profile with what is only of use in memory.
type person struct {
	incidents.Profile

	// Unknown until Slack tells:
	handle   string // the user name, "anna.schmidt"
	realName string
	updated  int64 // Slack's version of the user, Unix seconds
}

// workspace says where our bot lives.
type workspace struct{ team, enterprise string }

// NewDirectory makes a Directory that knows nobody yet.
func NewDirectory(config DirectoryConfig) *Directory {
	if config.Zone == nil {
		config.Zone = time.UTC
	}
	if config.Refresh == 0 {
		config.Refresh = directoryRefresh
	}
	config.Groups = slices.DeleteFunc(slices.Clone(config.Groups), func(id string) bool { return id == "" || id[0] != 'S' })
	return &Directory{
		config: config, ready: make(chan struct{}), learnt: make(chan incidents.Profile, 256),
		people: map[string]person{}, groups: map[string][]string{}, languages: map[string]string{},
	}
}

// Start reads what the store knows and keeps the directory current until ctx
// ends; see [Directory.Wait].
func (d *Directory) Start(ctx context.Context) {
	d.done.Go(func() { d.run(ctx) })
}

// Wait returns when everything that Start began has ended.
func (d *Directory) Wait() { d.done.Wait() }

// Ready is closed as soon as people are known: from the store, or else after
// the first reading from Slack, be it a failure. Answers do not depend on it.
func (d *Directory) Ready() <-chan struct{} { return d.ready }

// Actor tells who acts. For somebody not seen before Slack is asked once, for at
// most 1.5 s; when it does not answer the standing stays Unproven and fallback,
// what Slack called the person in the request, is the name.
func (d *Directory) Actor(ctx context.Context, id, fallback string) incidents.Actor {
	actor := incidents.Actor{Person: incidents.Person{ID: id, Name: firstOf(fallback, id)}, Via: incidents.FromSlack}
	profile, ok := d.Profile(ctx, id)
	if !ok {
		return actor
	}
	actor.Name = firstOf(profile.Name, actor.Name)
	if profile.Bot || profile.Deleted {
		return actor
	}
	actor.Standing, actor.Groups = profile.Standing, profile.Groups
	return actor
}

// Profile gives what is known of a person; see [Directory.Actor] for the call it
// may cost. False when nothing is known.
func (d *Directory) Profile(ctx context.Context, id string) (incidents.Profile, bool) {
	d.mu.RLock()
	known, ok := d.people[id]
	d.mu.RUnlock()
	if ok && !known.Deleted { // whoever acts is not deleted: what we know is old
		return known.Profile, true
	}
	ctx, cancel := context.WithTimeout(ctx, missTimeout)
	defer cancel()
	user, err := d.config.Client.API().GetUserInfoContext(ctx, id)
	switch {
	case err == nil:
		d.Learn(*user)
		d.mu.RLock()
		defer d.mu.RUnlock()
		known, ok = d.people[id]
		return known.Profile, ok
	case refusedAs(err, "user_not_visible", "user_not_found"):
		// Someone of another workspace, seen in a channel we share.
		return incidents.Profile{Person: incidents.Person{ID: id}, Standing: incidents.Stranger}, true
	default:
		d.config.Log.WarnContext(ctx, "asking Slack for a person failed", "user", id, "error", err)
		return known.Profile, ok
	}
}

// Name gives the name of a person, or "" when it is not known. It calls nobody.
func (d *Directory) Name(id string) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.people[id].Name
}

// Zone gives a person's time zone, or the configured one. It calls nobody.
func (d *Directory) Zone(id string) *time.Location {
	d.mu.RLock()
	name := d.people[id].TimeZone
	d.mu.RUnlock()
	if zone, err := time.LoadLocation(name); err == nil && name != "" {
		return zone
	}
	return d.config.Zone
}

// Members lists the people of one of the configured user groups. False when it
// could not be read yet.
func (d *Directory) Members(group string) ([]string, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	ids, ok := d.groups[group]
	return slices.Clone(ids), ok
}

// Learn takes in a user as Slack sent it, unless something newer is known. It
// calls nobody and never waits.
func (d *Directory) Learn(user slack.User) {
	d.mu.Lock()
	profile, changed := d.learn(user)
	d.mu.Unlock()
	if !changed {
		return
	}
	select {
	case d.learnt <- profile:
	default: // the next refresh stores it
	}
}

// learn takes a user into memory, the lock held. It reports whether anything
// that is stored has changed.
func (d *Directory) learn(user slack.User) (incidents.Profile, bool) {
	known, ok := d.people[user.ID]
	if user.ID == "" || (ok && known.updated > int64(user.Updated)) {
		return known.Profile, false
	}
	next := person{Profile: profileOf(user, d.team), handle: user.Name, realName: user.RealName, updated: int64(user.Updated)}
	next.Groups = d.groupsOf(user.ID, known.Groups)
	if next.TimeZone == "" {
		next.TimeZone = known.TimeZone
	}
	if next.Locale == "" {
		next.Locale = known.Locale // events do not carry it
	}
	d.people[user.ID] = next
	return next.Profile, !ok || !sameProfile(known.Profile, next.Profile)
}

// groupsOf lists the configured groups a person is in; of groups not read yet
// what was stored holds.
func (d *Directory) groupsOf(id string, stored []string) []string {
	var in []string
	for _, group := range slices.Sorted(slices.Values(d.config.Groups)) {
		members, read := d.groups[group]
		if (read && slices.Contains(members, id)) || (!read && slices.Contains(stored, group)) {
			in = append(in, group)
		}
	}
	return in
}

// all copies what is known of everybody.
func (d *Directory) all() map[string]person {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return maps.Clone(d.people)
}

func sameProfile(a, b incidents.Profile) bool {
	groups := slices.Equal(a.Groups, b.Groups)
	a.Groups, b.Groups = nil, nil
	return groups && a.Person == b.Person && a.Standing == b.Standing && a.Bot == b.Bot &&
		a.Deleted == b.Deleted && a.TimeZone == b.TimeZone && a.Locale == b.Locale
}

// profileOf reads what Houston needs of a user
// (https://docs.slack.dev/reference/objects/user-object).
func profileOf(user slack.User, ours workspace) incidents.Profile {
	return incidents.Profile{
		Person:   incidents.Person{ID: user.ID, Name: firstOf(user.Profile.DisplayName, user.RealName, user.Profile.RealName, user.Name)},
		Standing: standingOf(user, ours),
		Bot:      user.IsBot || user.IsWorkflowBot || user.IsConnectorBot || user.ID == "USLACKBOT",
		Deleted:  user.Deleted, TimeZone: user.TZ, Locale: user.Locale,
	}
}

func standingOf(user slack.User, ours workspace) incidents.Standing {
	sameOrg := ours.enterprise != "" && user.Enterprise.EnterpriseID == ours.enterprise && slices.Contains(user.Enterprise.Teams, ours.team)
	foreign := ours.team != "" && user.TeamID != "" && user.TeamID != ours.team && !sameOrg
	switch {
	case user.IsStranger || foreign:
		return incidents.Stranger
	case user.IsRestricted || user.IsUltraRestricted:
		return incidents.Guest
	default:
		return incidents.Member
	}
}

// refusedAs reports whether Slack refused a call with one of these codes.
func refusedAs(err error, codes ...string) bool {
	refused, ok := errors.AsType[slack.SlackErrorResponse](err)
	return ok && slices.Contains(codes, refused.Err)
}
