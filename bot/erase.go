package bot

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/houston-sre/houston/incidents"
)

// Eraser deletes the bytes of files whose entry was redacted, deleted or taken
// back. The same bytes may belong to another entry, here or in another incident:
// then they stay for it. Deleting what is gone does nothing, so it needs no look.
type Eraser struct {
	Store interface {
		Events(ctx context.Context, number int64) ([]incidents.Event, error)
		Effects(ctx context.Context, number int64) ([]incidents.Effect, error)
		Incident(ctx context.Context, number int64) (incidents.Incident, error)
		// MadeAs lists the effects of a kind that have an outside id.
		MadeAs(ctx context.Context, kind incidents.EffectKind, id string) ([]incidents.Effect, error)
	}
	Files *Files
}

// Make deletes the files of one entry.
func (e Eraser) Make(ctx context.Context, work Work) (Made, error) {
	number := work.Incident.Number
	seq, err := strconv.ParseInt(work.Effect.Target, 10, 64)
	if err != nil {
		return Made{}, &Failure{Reason: "the effect names no entry", Terminal: true}
	}
	effects, err := e.Store.Effects(ctx, number)
	if err != nil {
		return Made{}, fmt.Errorf("load effects of %s: %w", incidents.Key(number), err)
	}
	for _, effect := range effects {
		of, _, ok := incidents.ParseFetchTarget(effect.Target)
		if ok && of == seq && effect.Kind == incidents.MakeFetch && effect.State() == incidents.Owed {
			return Made{}, Wait("a file that is being fetched")
		}
	}
	events, err := e.Store.Events(ctx, number)
	if err != nil {
		return Made{}, fmt.Errorf("load events of %s: %w", incidents.Key(number), err)
	}
	for _, digest := range incidents.Digests(events, seq) {
		wanted, err := e.wanted(ctx, digest, number)
		if err != nil {
			return Made{}, err
		}
		if wanted {
			continue
		}
		if err := e.Files.Remove(digest); err != nil {
			return Made{}, &Failure{Reason: "a file could not be deleted", Err: err}
		}
	}
	return Made{ID: "erased", Shown: max(work.Effect.Wanted, 1)}, nil
}

// Refresh deletes what has come since.
func (e Eraser) Refresh(ctx context.Context, work Work) (Made, error) { return e.Make(ctx, work) }

// wanted reports whether an entry that people can read has a file: of this
// incident, of one that fetched the same, or of one that took such an entry along.
func (e Eraser) wanted(ctx context.Context, digest string, number int64) (bool, error) {
	fetched, err := e.Store.MadeAs(ctx, incidents.MakeFetch, digest)
	if err != nil {
		return false, fmt.Errorf("ask who has fetched a file: %w", err)
	}
	numbers := []int64{number}
	for _, effect := range fetched {
		numbers = append(numbers, effect.Incident)
	}
	for i := 0; i < len(numbers); i++ {
		if slices.Contains(numbers[:i], numbers[i]) {
			continue
		}
		inc, err := e.Store.Incident(ctx, numbers[i])
		if err != nil {
			return false, fmt.Errorf("load %s: %w", incidents.Key(numbers[i]), err)
		}
		if inc.MergedInto != 0 {
			numbers = append(numbers, inc.MergedInto)
		}
		events, err := e.Store.Events(ctx, numbers[i])
		if err != nil {
			return false, fmt.Errorf("load events of %s: %w", incidents.Key(numbers[i]), err)
		}
		for _, entry := range incidents.Timeline(events) {
			if slices.ContainsFunc(entry.Files, func(f incidents.File) bool { return f.Digest == digest }) {
				return true, nil
			}
		}
	}
	return false, nil
}

// Remove deletes a stored file. One that is not there is no failure.
func (f *Files) Remove(digest string) error {
	path, err := f.path(digest)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("delete a stored file: %w", err)
	}
	return nil
}
