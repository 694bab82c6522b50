package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// pauseBetween is how long the page waits between two steps at speed 1.
const pauseBetween = 4 * time.Second

// Speeds the slider offers, in steps of the usual speed.
const (
	slowest = 1
	fastest = 20
)

// player plays the story step by step before a visitor's eyes. It waits until
// somebody starts it, and can be paused, stepped and sped up at any time.
type player struct {
	story   *story
	refresh func() // the page shows what has changed

	mu      sync.Mutex
	next    int // index of the step to come
	playing bool
	single  bool // one step was asked for
	busy    bool // a step is being played
	speed   int
	failed  string
	wake    chan struct{}
}

func newPlayer(s *story) *player {
	return &player{story: s, refresh: func() {}, speed: 2, wake: make(chan struct{}, 1)}
}

// run plays until ctx ends.
func (p *player) run(ctx context.Context) {
	steps := p.story.steps()
	for ctx.Err() == nil {
		pause, ready := p.due(len(steps))
		if !ready {
			select {
			case <-ctx.Done():
			case <-p.wake:
			}
			continue
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-p.wake: // paused, stepped or sped up: look again
		case <-timer.C:
			p.step(ctx, steps)
		}
		timer.Stop()
	}
}

// due says how long to wait for the next step, false when none is to be played.
func (p *player) due(steps int) (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.next >= steps || (!p.playing && !p.single):
		return 0, false
	case p.single || p.next == 0:
		return 0, true
	}
	return pauseBetween * 2 / time.Duration(p.speed), true
}

// step plays the next step, if no other is being played.
func (p *player) step(ctx context.Context, steps []step) {
	p.mu.Lock()
	if p.busy || p.next >= len(steps) {
		p.mu.Unlock()
		return
	}
	next := steps[p.next]
	p.busy, p.single, p.next = true, false, p.next+1
	p.mu.Unlock()
	p.refresh()

	playing, cancel := context.WithTimeout(ctx, stepFor)
	err := p.story.play(playing, next)
	cancel()

	p.mu.Lock()
	p.busy = false
	if err != nil {
		p.failed, p.playing = err.Error(), false
	}
	if p.next >= len(steps) {
		p.playing = false
	}
	p.mu.Unlock()
	p.refresh()
}

// ServeHTTP takes the buttons of the bar: POST …/play, …/pause, …/step and
// …/speed with the form value speed.
func (p *player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	if err := p.act(r); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case p.wake <- struct{}{}:
	default: // it is awake
	}
	p.refresh()
	w.WriteHeader(http.StatusNoContent)
}

func (p *player) act(r *http.Request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch r.PathValue("act") {
	case "play":
		p.playing = true
	case "pause":
		p.playing = false
	case "step":
		p.playing, p.single = false, true
	case "speed":
		speed, err := strconv.Atoi(r.FormValue("speed"))
		if err != nil || speed < slowest || speed > fastest {
			return fmt.Errorf("speed is a number from %d to %d", slowest, fastest)
		}
		p.speed = speed
	default:
		return fmt.Errorf("there is no button %q", r.PathValue("act"))
	}
	return nil
}
