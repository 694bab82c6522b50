package incidents

import (
	"context"
	"crypto/rand"
)

// TakeChange stores a change, or brings the one of the same source and external
// id up to date. Without an external id it is a change of its own. created is
// false when it was known, or when the once key was used before.
func (s *Service) TakeChange(ctx context.Context, once Once, change ChangeEvent) (stored ChangeEvent, created bool, err error) {
	change, err = change.checked(s.now())
	if err != nil {
		return ChangeEvent{}, false, err
	}
	if change.External == "" {
		change.External = "own/" + rand.Text()
	}
	return s.store.SaveChange(ctx, once, change.Source, change.External, func(known ChangeEvent, found bool) ChangeEvent {
		if !found {
			return change
		}
		next, _ := known.merge(change)
		return next
	})
}
