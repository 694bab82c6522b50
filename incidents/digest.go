package incidents

import (
	"context"
	"fmt"
	"time"
)

// MakeDigest is the weekly message about action items. It belongs to no
// incident; Target: the Monday it is of, YYYY-MM-DD.
const MakeDigest EffectKind = "digest"

// digestFor is how long after its hour a digest is still posted, by a Houston
// that was not running then.
const digestFor = 12 * time.Hour

// DigestKey names the digest of a Monday.
func DigestKey(monday string) string { return "digest/" + monday }

// digest gives the Monday of the digest that is to be posted now, if one is: at
// nine in the configured zone, and when that is quiet, once it is not any more.
func (p *NudgePolicy) digest(now time.Time) (monday string, due bool) {
	zone := p.Zone("")
	local := now.In(zone)
	since := (int(local.Weekday()) + 6) % 7 // days since Monday
	day := time.Date(local.Year(), local.Month(), local.Day()-since, morning, 0, 0, 0, zone)
	from := p.Quiet.After(day, zone)
	return day.Format(time.DateOnly), !now.Before(from) && now.Before(from.Add(digestFor))
}

// OweDigest has the weekly digest of action items posted when its time has come,
// once however often and wherever it is called. It is called every few seconds,
// in each replica.
func (s *Service) OweDigest(ctx context.Context) error {
	if s.config.Nudges == nil {
		return nil
	}
	monday, due := s.config.Nudges.digest(s.now())
	if !due {
		return nil
	}
	_, err := s.store.Effect(ctx, DigestKey(monday))
	if KindOf(err) != NotFound {
		return err // nil: it is owed or posted
	}
	err = s.store.OweEffect(ctx, Effect{Key: DigestKey(monday), Kind: MakeDigest, Target: monday, Generation: 1, Wanted: 1})
	if err != nil {
		return fmt.Errorf("owe the digest of %s: %w", monday, err)
	}
	return nil
}
