package sandbox

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Slack's tiers by calls a minute (docs.slack.dev/apis/web-api/rate-limits). The
// page promises at least so many and allows bursts without saying how large:
// the stand-in allows not one call more in any minute.
func tierLimits() map[int]int {
	return map[int]int{1: 1, 2: 20, 3: 50, 4: 100, tierSpecial: 200}
}

// tierSpecial marks methods that the page gives limits of their own, or none.
const tierSpecial = 5

// Posting is limited to about one message a second in a channel and "several
// hundred" a minute in the workspace.
const (
	postsInChannel   = time.Second
	postsInWorkspace = 300
)

// methodTiers are the tiers from the methods' pages. Methods that are not here
// are not limited.
func methodTiers() map[string]int {
	out := map[string]int{}
	for tier, names := range map[int][]string{
		2: {
			"bookmarks.add", "bookmarks.edit", "bookmarks.remove", "conversations.archive", "conversations.create", "conversations.list",
			"conversations.rename", "conversations.setPurpose", "conversations.setTopic", "conversations.unarchive", "pins.add", "pins.list",
			"pins.remove", "reactions.remove", "usergroups.list", "usergroups.users.list", "users.list",
		},
		3: {
			"apps.connections.open", "bookmarks.list", "bots.info", "chat.delete", "chat.update", "conversations.history", "conversations.info",
			"conversations.invite", "conversations.join", "conversations.kick", "conversations.leave", "conversations.open",
			"conversations.replies", "files.delete", "reactions.add", "reactions.get", "team.info", "users.conversations", "users.lookupByEmail",
		},
		4: {
			"api.test", "chat.postEphemeral", "conversations.members", "files.completeUploadExternal", "files.getUploadURLExternal", "files.info",
			"users.info", "views.open", "views.publish", "views.push", "views.update",
		},
		tierSpecial: {"auth.test", "chat.getPermalink", "chat.postMessage"},
	} {
		for _, name := range names {
			out[name] = tier
		}
	}
	return out
}

// EnforceRates holds calls to Slack's rate limits: what is too much answers 429
// with Retry-After in whole seconds and is not carried out. Each method has a
// limit of its own, chat.postMessage one for each channel besides. Turning it on
// forgets the calls so far.
func (w *Workspace) EnforceRates(on bool) {
	w.rates.mu.Lock()
	defer w.rates.mu.Unlock()
	w.rates.taken, w.rates.minute = nil, time.Minute
	if on {
		w.rates.taken = map[string][]time.Time{}
	}
}

// EnforceRatesBy is EnforceRates with a shorter minute, so that a test need not
// wait for a whole one. Retry-After stays in whole seconds.
func (w *Workspace) EnforceRatesBy(minute time.Duration) {
	w.EnforceRates(true)
	w.rates.mu.Lock()
	defer w.rates.mu.Unlock()
	w.rates.minute = minute
}

// rateLimits remembers when calls were made, by what they are counted under.
type rateLimits struct {
	mu    sync.Mutex
	tiers map[string]int
	taken map[string][]time.Time // nil: nothing is limited
	// minute is how long a minute is; all limits shrink with it.
	minute time.Duration
}

// quota is so many calls in a span of time.
type quota struct {
	key string
	n   int
	per time.Duration
}

// take counts a call, or gives how long to wait when it is one too many.
func (l *rateLimits) take(method, channel string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	tier := l.tiers[method]
	if l.taken == nil || tier == 0 {
		return 0
	}
	quotas := []quota{{method, tierLimits()[tier], l.minute}}
	if method == "chat.postMessage" {
		quotas = []quota{{method, postsInWorkspace, l.minute}, {method + " " + channel, 1, l.minute / (time.Minute / postsInChannel)}}
	}
	var wait time.Duration
	for _, q := range quotas {
		wait = max(wait, l.wait(q, now))
	}
	if wait > 0 {
		return wait
	}
	for _, q := range quotas {
		l.taken[q.key] = append(l.taken[q.key], now)
	}
	return 0
}

// wait is how long until the quota has room again. Calls older than its span are
// forgotten.
func (l *rateLimits) wait(q quota, now time.Time) time.Duration {
	taken := l.taken[q.key]
	for len(taken) > 0 && now.Sub(taken[0]) >= q.per {
		taken = taken[1:]
	}
	l.taken[q.key] = taken
	if len(taken) < q.n {
		return 0
	}
	return q.per - now.Sub(taken[0])
}

// rateLimitError answers 429.
type rateLimitError struct{ wait time.Duration }

func (e *rateLimitError) Error() string { return "ratelimited" }

// answerRateLimit tells the caller to wait, in whole seconds and at least one.
func answerRateLimit(rw http.ResponseWriter, wait time.Duration) {
	rw.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	writeJSON(rw, http.StatusTooManyRequests, object{"ok": false, "error": "ratelimited"})
}
