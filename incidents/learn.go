package incidents

import (
	"context"
	"errors"
	"fmt"
)

// failingAfter is how many tries in a row fail before the card says so.
const failingAfter = 2

// ChannelMade records the channel of an incident and owes all that waits for it.
// The effect's lease must be held.
func (s *Service) ChannelMade(ctx context.Context, effect Effect, channel Channel) (Incident, error) {
	effect.succeed(channel.ID, "", 1, s.now())
	var invited, untold []string
	if effect.Generation > 1 {
		var err error
		if invited, untold, err = s.carried(ctx, effect.Incident); err != nil {
			return Incident{}, err
		}
	}
	return s.learn(ctx, effect, func(d *decision) {
		moved := d.inc.Channel
		d.record(ChannelOpened{Channel: channel})
		d.wakes = true
		if effect.Generation > 1 { // not the first one: everything in it is made anew
			d.generation = effect.Generation
			s.inChannel(d)
			d.jobs = append(d.jobs, OpenChannel{Incident: d.inc.Number})
		}
		if moved != nil && moved.Archived {
			d.record(ChannelMoved{From: *moved})
			d.tell()
			for _, seq := range untold {
				d.runLater(MakePost, seq, 1)
			}
		}
		s.afterChannel(d, invited...)
		d.archiveEnded()
	})
}

// carried lists what a new channel has of earlier ones of an incident: whom they
// invited, by id, and what could not be told in them, by the Seq of its event,
// since it was said while the channel went into the archive.
func (s *Service) carried(ctx context.Context, number int64) (invited, untold []string, err error) {
	effects, err := s.store.Effects(ctx, number)
	if err != nil {
		return nil, nil, fmt.Errorf("load what the channels of %s have: %w", Key(number), err)
	}
	for _, e := range effects {
		switch {
		case e.Kind == MakeInvite:
			invited = append(invited, e.Target)
		case e.Kind == MakePost && e.State() == Failed && !e.Made():
			untold = append(untold, e.Target)
		}
	}
	return invited, untold, nil
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
		if effect.Kind == MakePrivateChannel && effect.Failed {
			d.refusePrivate(effect.Reason)
		}
		if seq, file, ok := ParseFetchTarget(effect.Target); ok && effect.Kind == MakeFetch && effect.Failed {
			d.record(FileLost{Seq: seq, ID: file, Reason: effect.Reason})
		}
		if effect.Kind == MakeChannel && effect.Failed && d.inc.Reporter.Via == FromSlack {
			d.run(MakeTell, d.inc.Reporter.ID, 1)
		}
	})
	return err
}

// FileFetched records that the bytes of a captured file are stored under digest.
func (s *Service) FileFetched(ctx context.Context, effect Effect, digest string) error {
	effect.succeed(digest, "", 1, s.now())
	_, err := s.learn(ctx, effect, func(d *decision) {
		if seq, file, ok := ParseFetchTarget(effect.Target); ok {
			d.record(FileStored{Seq: seq, ID: file, Digest: digest})
			if !d.inc.standing(seq) { // its entry went while it was fetched
				d.erase(seq)
			}
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
		d := newDecision(s.config, inc, Houston(), s.now())
		for _, e := range effects {
			fresh := owe(number, e.Kind, e.Target, max(e.Wanted, 1))
			fresh.Generation = generation
			d.effects = append(d.effects, fresh)
			d.jobs = append(d.jobs, RunEffect{Effect: e.Key, Version: generation})
		}
		return d.change(), nil
	})
	return err
}

func (s *Service) learn(ctx context.Context, effect Effect, say func(*decision)) (Incident, error) {
	result, err := s.store.Update(ctx, effect.Incident, Once{}, func(inc Incident) (Change, error) {
		d := newDecision(s.config, inc, Houston(), s.now())
		say(d)
		change := d.change()
		change.Settles = append(change.Settles, effect)
		return change, nil
	})
	if errors.Is(err, ErrStale) {
		return Incident{}, ErrStale
	}
	return result.Incident, err
}
