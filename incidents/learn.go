package incidents

import (
	"context"
	"errors"
)

// failingAfter is how many tries in a row fail before the card says so.
const failingAfter = 2

// ChannelMade records the channel of an incident and owes all that waits for it.
// The effect's lease must be held.
func (s *Service) ChannelMade(ctx context.Context, effect Effect, channel Channel) (Incident, error) {
	effect.succeed(channel.ID, "", 1, s.now())
	return s.learn(ctx, effect, func(d *decision) {
		d.record(ChannelOpened{Channel: channel})
		if effect.Generation > 1 { // a repair made it: everything in it is made anew
			d.generation = effect.Generation
			s.inChannel(d)
			d.jobs = append(d.jobs, OpenChannel{Incident: d.inc.Number})
		}
		s.afterChannel(d)
	})
}

// CardMade records where the card of an incident stands; shown is the Seq of the
// state it was rendered from.
func (s *Service) CardMade(ctx context.Context, effect Effect, card Message, shown int64) (Incident, error) {
	effect.succeed(card.TS, card.Channel, shown, s.now())
	return s.learn(ctx, effect, func(d *decision) { d.record(CardPosted{Card: card}) })
}

// EffectMade records that an effect was made, found or brought up to date. id is
// the outside's id of it, place the channel it is in.
func (s *Service) EffectMade(ctx context.Context, effect Effect, id, place string, shown int64) error {
	// After a repair the card still tells of the failure before it.
	mended := effect.Attempts > failingAfter || effect.Generation > 1
	effect.succeed(id, place, shown, s.now())
	if !mended || effect.Incident == 0 {
		return s.store.SettleEffect(ctx, effect)
	}
	_, err := s.learn(ctx, effect, func(d *decision) { d.record(EffectMended{Effect: effect.Key}) })
	return err
}

// EffectFailing records that an effect could not be made. effect carries what is
// known of the failure (Failed, Reason, NextAt, StartedAt).
func (s *Service) EffectFailing(ctx context.Context, effect Effect) error {
	if effect.Incident == 0 || (!effect.Failed && effect.Attempts != failingAfter) {
		return s.store.SettleEffect(ctx, effect)
	}
	_, err := s.learn(ctx, effect, func(d *decision) {
		d.record(EffectFailed{Effect: effect.Key, Reason: effect.Reason, Final: effect.Failed})
		if effect.Kind == MakeChannel && effect.Failed && d.inc.Reporter.Via == FromSlack {
			d.run(MakeTell, d.inc.Reporter.ID, 1)
		}
	})
	return err
}

// Renew has effects of an incident made anew: what had failed, or what is gone
// outside. generation must be higher than that of any effect of the incident.
func (s *Service) Renew(ctx context.Context, number, generation int64, effects []Effect) error {
	if len(effects) == 0 {
		return nil
	}
	_, err := s.store.Update(ctx, number, Once{}, func(inc Incident) (Change, error) {
		d := newDecision(inc, Houston(), s.now())
		for _, e := range effects {
			fresh := owe(number, e.Kind, e.Target, max(e.Wanted, 1))
			fresh.Generation = generation
			d.effects = append(d.effects, fresh)
			d.jobs = append(d.jobs, RunEffect{Effect: e.Key, Version: generation})
		}
		return d.change(s.config), nil
	})
	return err
}

func (s *Service) learn(ctx context.Context, effect Effect, say func(*decision)) (Incident, error) {
	result, err := s.store.Update(ctx, effect.Incident, Once{}, func(inc Incident) (Change, error) {
		d := newDecision(inc, Houston(), s.now())
		say(d)
		change := d.change(s.config)
		change.Settles = append(change.Settles, effect)
		return change, nil
	})
	if errors.Is(err, ErrStale) {
		return Incident{}, ErrStale
	}
	return result.Incident, err
}
