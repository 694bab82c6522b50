package main

import (
	"sync"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// storyClock is the machine's clock, set back by what of the story has still to
// be told: it runs like any clock, and jumps ahead when the story says that time
// passes. At the story's end it is right.
type storyClock struct {
	mu     sync.Mutex
	behind time.Duration
}

func (c *storyClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return incidents.Micros(time.Now().Add(-c.behind))
}

// pass lets time pass, at most until the clock is right.
func (c *storyClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.behind = max(c.behind-d, 0)
}
