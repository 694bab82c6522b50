package bot

import (
	"context"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// Work is one effect to be made, with the incident it belongs to as it is now.
type Work struct {
	Effect   incidents.Effect
	Incident incidents.Incident // zero for an offer
}

// Made says where an effect stands outside.
type Made struct {
	ID    string // the outside's own id of it
	Place string // the channel it is in, when it is in one
	Name  string // of a channel
	Shown int64  // the version it shows

	// Page is what a pager was told of a page; empty: nothing.
	Page incidents.PageState
}

// Maker makes one kind of effect. Its errors are *[Failure] where it knows what
// a failure means; any other error counts as an outcome nobody knows.
type Maker interface {
	// Make makes the effect.
	Make(ctx context.Context, work Work) (Made, error)
}

// Looker is a Maker whose outside offers a way to find an effect by its marker.
// After an attempt with an unknown outcome it is asked before Make is.
type Looker interface {
	// Look finds what an attempt begun at Effect.StartedAt has made, if it did.
	Look(ctx context.Context, work Work) (Made, bool, error)
}

// Refresher is a Maker whose effect is kept current.
type Refresher interface {
	// Refresh edits what was made so that it shows what is true now.
	Refresh(ctx context.Context, work Work) (Made, error)
}

// Repeater is a Maker whose effect people may undo: it is made again when it is
// wanted again. Making it twice does nothing.
type Repeater interface {
	// Again makes what was made before.
	Again(ctx context.Context, work Work) (Made, error)
}

// Checker is a Maker that can tell whether its effect still exists.
type Checker interface {
	// Check reports whether the effect is still there.
	Check(ctx context.Context, work Work) (bool, error)
}

// Failure says what a failed call means. The zero value is a passing failure of
// a call that is known to have done nothing.
type Failure struct { //nolint:errname // it is what a maker says, as Made is; asFailure reads it
	Reason   string        // in words for people
	Terminal bool          // no use in trying again
	Unknown  bool          // it may have been done all the same
	Waiting  bool          // something it needs is not there yet; it does not count as a try
	Woken    bool          // with Waiting: whoever learns that it is there wakes the effect
	After    time.Duration // the outside said when to try again; it does not count as a try
	Err      error
}

func (f *Failure) Error() string {
	if f.Err == nil {
		return f.Reason
	}
	return fmt.Sprintf("%s: %v", f.Reason, f.Err)
}

func (f *Failure) Unwrap() error { return f.Err }

// WaitForChannel is the failure of an effect that needs its incident's channel. It
// is woken by the change that stores the channel.
func WaitForChannel() *Failure {
	return &Failure{Reason: "waiting for the channel", Waiting: true, Woken: true}
}

// Wait is the failure of an effect that needs something not made yet.
func Wait(what string) *Failure { return &Failure{Reason: "waiting for " + what, Waiting: true} }
