package alertmanager

import (
	"context"
	"errors"
	"regexp"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// ourMarker is the effect's key in the comment of a silence; see marker.
var ourMarker = regexp.MustCompile(`\[(INC-\d+/silence/\d+)#\d+\]`)

// early is how much before its end a silence must have ended to have been ended by
// somebody: that is the time at which it was ended, where it ran out it is its end.
const early = 2 * time.Second

// lifted records the silences of Houston's that somebody has ended at Alertmanager.
// They would come back otherwise as soon as they were to be extended.
func (w *Watch) lifted(ctx context.Context, all []Silence) error {
	var failures []error
	for _, s := range all {
		found := ourMarker.FindStringSubmatch(s.Comment)
		if !s.Expired || found == nil {
			continue
		}
		failures = append(failures, w.lift(ctx, s, found[1]))
	}
	return errors.Join(failures...)
}

func (w *Watch) lift(ctx context.Context, s Silence, key string) error {
	store := w.config.Service.Store()
	effect, err := store.Effect(ctx, key)
	switch {
	case incidents.KindOf(err) == incidents.NotFound:
		return nil // another Houston's
	case err != nil:
		return err
	case effect.ID != s.ID || effect.State() != incidents.Done:
		return nil // an older one, or it is being changed at this moment
	}
	inc, err := store.Incident(ctx, effect.Incident)
	if err != nil {
		return err
	}
	for _, silence := range inc.Silences {
		if effect.Key == incidents.SilenceKey(inc.Number, silence.ID) && !silence.Ended && s.EndsAt.Add(early).Before(silence.Until) {
			return w.config.Service.NoteSilenceEnded(ctx, inc.Number, silence.ID)
		}
	}
	return nil
}
