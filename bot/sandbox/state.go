package sandbox

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"sync"
	"time"
)

// state is everything the workspace remembers. Its lock is held while a method
// runs; changed is closed and replaced after each change.
type state struct {
	mu          sync.Mutex
	changed     chan struct{}
	subscribers map[chan struct{}]bool
	now         func() time.Time

	teamID, teamName   string
	appID, botID       string
	botUser            string
	scopes             map[string]bool // nil: all
	ids                map[byte]int
	users              map[string]*User
	userOrder          []string
	groups             []UserGroup
	channels           map[string]*channel
	channelOrder       []string
	files              map[string]*file
	views              map[string]*modal
	triggers           map[string]*trigger
	responses          map[string]*responseURL
	tickets            map[string]bool
	text               *rewriter
	calls              []Call
	defects            []string
	capture            *[]*delivery // where an act collects its events
	deliveriesInFlight int
}

// UserGroup is a Slack user group (subteam).
type UserGroup struct {
	ID, Name, Handle string
	Users            []string
	Disabled         bool
}

func newState(cfg Config) *state {
	s := &state{
		changed:     make(chan struct{}),
		subscribers: map[chan struct{}]bool{},
		now:         cfg.Now,
		teamID:      "T0SB000001",
		teamName:    cfg.TeamName,
		appID:       "A0SB000001",
		botID:       "B0SB000001",
		ids:         map[byte]int{},
		users:       map[string]*User{},
		channels:    map[string]*channel{},
		files:       map[string]*file{},
		views:       map[string]*modal{},
		triggers:    map[string]*trigger{},
		responses:   map[string]*responseURL{},
		tickets:     map[string]bool{},
		text:        newRewriter(),
	}
	if cfg.Scopes != nil {
		s.scopes = map[string]bool{}
		for _, scope := range cfg.Scopes {
			s.scopes[scope] = true
		}
	}
	bot := s.addUser(User{ID: "U0SB0BOT00", Name: cfg.AppName, RealName: cfg.AppName, Bot: true})
	s.botUser = bot.ID
	s.addChannel(Channel{Name: "general", General: true})
	return s
}

// touch wakes everyone who waits for a change. The caller holds the lock.
func (s *state) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
	s.tick()
}

// id makes the next identifier of a kind ('C' channels, 'F' files …).
func (s *state) id(kind byte) string {
	s.ids[kind]++
	return fmt.Sprintf("%c0SB%06d", kind, s.ids[kind])
}

// stamp gives a channel's next message timestamp, `seconds.6digits`, unique and
// increasing within the channel.
func (s *state) stamp(c *channel) string {
	micros := max(s.now().UnixMicro(), c.last+1)
	c.last = micros
	return formatTS(micros)
}

func formatTS(micros int64) string {
	return fmt.Sprintf("%d.%06d", micros/1_000_000, micros%1_000_000)
}

// parseTS reads a timestamp strictly: digits, a dot and six digits.
func parseTS(ts string) (int64, bool) {
	if len(ts) < 8 || ts[len(ts)-7] != '.' {
		return 0, false
	}
	seconds, err1 := strconv.ParseUint(ts[:len(ts)-7], 10, 40)
	micros, err2 := strconv.ParseUint(ts[len(ts)-6:], 10, 32)
	return int64(seconds)*1_000_000 + int64(micros), err1 == nil && err2 == nil
}

// defect records that the stand-in itself broke a promise.
func (s *state) defect(format string, args ...any) string {
	text := fmt.Sprintf(format, args...)
	s.defects = append(s.defects, text)
	return text
}

// secret makes n random bytes in hex.
func secret(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails since Go 1.24
	return hex.EncodeToString(b)
}
