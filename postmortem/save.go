package postmortem

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/houston-sre/houston/incidents"
)

// Save is what somebody wrote upon revision Base.
type Save struct {
	incidents.Request

	Base  int64
	Patch Written // see [Written.With]
}

// Clash is a field that two people wrote at the same time. Nil is the draft's.
type Clash struct {
	Field  string          `json:"field"`
	Base   json.RawMessage `json:"base"`   // as it was when the writing began
	Theirs json.RawMessage `json:"theirs"` // as it is now
	Yours  json.RawMessage `json:"yours"`
}

// ClashError says that nothing was stored because other people wrote the same
// fields meanwhile. It has both texts, so that nobody loses one.
type ClashError struct {
	Rev     int64 // the revision that is now
	Clashes []Clash
}

func (e *ClashError) Error() string { return e.Unwrap().Error() }

// Unwrap gives the sentence for people.
func (e *ClashError) Unwrap() error {
	names := make([]string, len(e.Clashes))
	for i, c := range e.Clashes {
		names[i] = c.Field
	}
	return incidents.Errorf(incidents.Conflict, "Somebody else changed %v meanwhile (revision %d). Take both texts together and save again.", names, e.Rev)
}

// Saved is the outcome of a [Save].
type Saved struct {
	Incident incidents.Incident
	Rev      int64
	// Fields are those that were changed; none: nothing was stored.
	Fields []string
	// Merged says that others had written other fields meanwhile; both are kept.
	Merged bool
}

// Save stores what somebody wrote. Upon an older revision it is taken together
// with the newer one where they changed different fields; otherwise it is a
// [ClashError].
func (s *Service) Save(ctx context.Context, number int64, c Save) (Saved, error) {
	const tries = 5 // each loses only to a save that came through
	for try := 1; ; try++ {
		saved, retry, err := s.save(ctx, number, c)
		if !retry || try == tries {
			return saved, err
		}
	}
}

func (s *Service) save(ctx context.Context, number int64, c Save) (saved Saved, retry bool, err error) {
	inc, err := s.config.Incidents.Incident(ctx, number, c.Request)
	if err != nil {
		return Saved{}, false, err
	}
	rev := inc.Postmortem.Rev
	if c.Base < 0 || c.Base > rev {
		return Saved{}, false, incidents.Errorf(incidents.Invalid, "The postmortem of %s has no revision %d yet.", inc.Key(), c.Base)
	}
	base, err := s.written(ctx, number, c.Base)
	if err != nil {
		return Saved{}, false, err
	}
	now, err := s.written(ctx, number, rev)
	if err != nil {
		return Saved{}, false, err
	}
	mine, changed, err := base.With(c.Patch)
	if err != nil {
		return Saved{}, false, err
	}
	if clashes := clashesOf(base, now, mine, changed); len(clashes) > 0 {
		return Saved{}, false, &ClashError{Rev: rev, Clashes: clashes}
	}
	after, changed, err := now.With(c.Patch)
	if err != nil {
		return Saved{}, false, err
	}
	content, err := after.Content()
	if err != nil {
		return Saved{}, false, err
	}
	result, err := s.config.Incidents.Do(ctx, number, incidents.WritePostmortem{
		Request: c.Request, Base: rev, Fields: changed, Content: content,
	})
	if incidents.KindOf(err) == incidents.Conflict {
		if again, look := s.config.Incidents.Incident(ctx, number, c.Request); look == nil && again.Postmortem.Rev != rev {
			return Saved{}, true, err
		}
	}
	return Saved{Incident: result.Incident, Rev: result.Incident.Postmortem.Rev, Fields: changed, Merged: c.Base != rev}, false, err
}

// clashesOf finds the fields that both sides changed, and not to the same.
func clashesOf(base, now, mine Written, changed []string) []Clash {
	var clashes []Clash
	for _, name := range changed {
		if !bytes.Equal(base[name], now[name]) && !bytes.Equal(now[name], mine[name]) {
			clashes = append(clashes, Clash{Field: name, Base: base[name], Theirs: now[name], Yours: mine[name]})
		}
	}
	return clashes
}

// Changed lists the fields in which two revisions differ, in order.
func Changed(a, b Written) []string {
	names := []string{}
	for _, name := range slices.Compact(slices.Sorted(maps.Keys(merged(a, b)))) {
		if !bytes.Equal(a[name], b[name]) {
			names = append(names, name)
		}
	}
	return names
}

func merged(a, b Written) Written {
	all := maps.Clone(a)
	if all == nil {
		all = Written{}
	}
	maps.Copy(all, b)
	return all
}
