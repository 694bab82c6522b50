package slack

import (
	"slices"
	"sync"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// postsPerMinute is what a channel takes of chat.postMessage: about one a second
// (https://docs.slack.dev/apis/web-api/rate-limits).
const postsPerMinute = 60

// perMinute gives how many calls of a method Slack promises to take in a minute,
// by the tier on the method's page; 0 when the page names none. More may pass,
// since bursts are allowed, but how many is not published.
func perMinute(method string) int {
	for n, names := range map[int][]string{
		20: {
			"bookmarks.add", "bookmarks.edit", "bookmarks.remove", "conversations.archive", "conversations.create", "conversations.list",
			"conversations.rename", "conversations.setPurpose", "conversations.setTopic", "pins.add", "pins.list", "pins.remove",
			"reactions.remove", "usergroups.list", "usergroups.users.list", "users.list",
		},
		50: {
			"apps.connections.open", "bookmarks.list", "bots.info", "chat.delete", "chat.update", "conversations.history", "conversations.info",
			"conversations.invite", "conversations.join", "conversations.kick", "conversations.leave", "conversations.open",
			"conversations.replies", "files.delete", "reactions.add", "reactions.get", "team.info", "users.conversations", "users.lookupByEmail",
		},
		100: {
			"chat.postEphemeral", "conversations.members", "files.completeUploadExternal", "files.getUploadURLExternal", "files.info",
			"users.info", "views.open", "views.publish", "views.push", "views.update",
		},
	} {
		if slices.Contains(names, method) {
			return n
		}
	}
	return 0
}

// lane says who waits for a call.
type lane int

const (
	background lane = iota // nobody in particular
	urgent                 // a person, or an incident that has no usable channel yet
)

// laneOf puts the calls that a person always waits for into the urgent lane.
func laneOf(method string, l lane) lane {
	switch method {
	case "apps.connections.open", "auth.test", "chat.postEphemeral", "conversations.create", "users.info", "views.open", "views.push", "views.update":
		return urgent
	default:
		return l
	}
}

// budgets counts the calls of one workspace. Background work keeps to what Slack
// promises for each method, and steps aside while an urgent call of the same
// method waits; urgent calls use what Slack allows, until it says no. So does
// posting into a channel: bursts pass as long as Slack takes them, and for a
// minute after a 429 messages keep the documented distance. Each process counts
// for itself: what several use up together, Slack's 429 tells (see [gate]).
type budgets struct {
	clock  incidents.Clock
	minute time.Duration // how long Slack's minute is

	mu    sync.Mutex
	calls map[string][]time.Time // of each method, within the last minute
	// aside is until when background calls of a method let urgent ones pass.
	aside map[string]time.Time
	posts map[string]*slot // of the channels that Slack has refused a message in
}

// slot is when a channel takes its next message. After until it is bursts again.
type slot struct{ free, promised, until time.Time }

func newBudgets(clock incidents.Clock, minute time.Duration) *budgets {
	return &budgets{clock: clock, minute: minute, calls: map[string][]time.Time{}, aside: map[string]time.Time{}, posts: map[string]*slot{}}
}

// take counts a call, or tells how long to wait with it.
func (b *budgets) take(method, channel string, l lane) time.Duration {
	now := b.clock.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if l == background {
		if wait := max(b.rest(method, now), b.aside[method].Sub(now)); wait > 0 {
			return wait
		}
	}
	if method == "chat.postMessage" {
		if wait := b.post(channel, now); wait > 0 {
			return wait
		}
	}
	if perMinute(method) > 0 {
		b.calls[method] = append(b.calls[method], now)
	}
	return 0
}

// rest is how long until a method's promised calls have room for one more.
func (b *budgets) rest(method string, now time.Time) time.Duration {
	n := perMinute(method)
	calls := b.calls[method]
	for len(calls) > 0 && now.Sub(calls[0]) >= b.minute {
		calls = calls[1:]
	}
	b.calls[method] = calls
	if n == 0 || len(calls) < n {
		return 0
	}
	return calls[len(calls)-n].Add(b.minute).Sub(now)
}

// post takes a channel's slot, or promises the caller one of his own, so that
// those who wait do not all come back at once.
func (b *budgets) post(channel string, now time.Time) time.Duration {
	distance := b.minute / postsPerMinute
	s := b.posts[channel]
	switch {
	case s == nil:
		return 0
	case now.After(s.until):
		delete(b.posts, channel)
		return 0
	}
	if !now.Before(s.free) {
		s.free = now.Add(distance)
		return 0
	}
	if s.promised.Before(s.free) {
		s.promised = s.free
	} else {
		s.promised = s.promised.Add(distance)
	}
	return s.promised.Sub(now)
}

// full notes that Slack takes no more messages in a channel for a while.
func (b *budgets) full(channel string, wait time.Duration) {
	now := b.clock.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.posts) >= gateSweep {
		for id, s := range b.posts {
			if now.After(s.until) {
				delete(b.posts, id)
			}
		}
	}
	b.posts[channel] = &slot{free: now.Add(wait), until: now.Add(wait + b.minute)}
}

// refused notes that Slack, or the gate, has refused a call for a while: when it
// was an urgent one, background calls of the method let it pass first.
func (b *budgets) refused(method string, l lane, wait time.Duration) {
	if l != urgent {
		return
	}
	until := b.clock.Now().Add(wait + b.minute/postsPerMinute)
	b.mu.Lock()
	defer b.mu.Unlock()
	if until.After(b.aside[method]) {
		b.aside[method] = until
	}
}

// ahead tells how long until a call of a method that Slack promises to take.
func (b *budgets) ahead(method string) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rest(method, b.clock.Now())
}
