package main

import (
	"sync"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// movedClock is the machine's clock, moved ahead by a test: it runs, since
// Houston waits on it, and jumps.
type movedClock struct {
	mu    sync.Mutex
	ahead time.Duration
}

// clockAt makes a clock at which it is that time now.
func clockAt(at time.Time) *movedClock { return &movedClock{ahead: time.Until(at)} }

func (c *movedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return incidents.Micros(time.Now().Add(c.ahead))
}

// move lets time pass.
func (c *movedClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// moveTo lets time pass until a moment.
func (c *movedClock) moveTo(at time.Time) { c.move(at.Sub(c.Now())) }
