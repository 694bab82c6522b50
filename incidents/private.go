package incidents

import "context"

// MakePrivate has a public incident go on in private. A bot can not turn a
// public channel private, so a private one is made; only when that stands is
// anything else done, and if it can not be made nothing is.
type MakePrivate struct{ Request }

func (c MakePrivate) decide(d *decision) error {
	switch {
	case d.inc.Private:
		return Errorf(Conflict, "%s is private already.", d.inc.Key())
	case d.inc.GoingPrivate != nil:
		return Errorf(Conflict, "The private channel of %s is being made.", d.inc.Key())
	case d.inc.Channel != nil && d.inc.Channel.Archived:
		return Errorf(Conflict, "The channel of %s is in the archive, where Houston can take nothing back that stands there. Take it out of the archive, then try again.", d.inc.Key())
	case d.inc.Channel == nil:
		return Errorf(Conflict, "The channel of %s is just being opened. Try again in a moment.", d.inc.Key())
	}
	d.record(PrivateAsked{})
	fresh := owe(d.inc.Number, MakePrivateChannel, "", 1)
	fresh.Generation = d.inc.Seq
	d.effects = append(d.effects, fresh)
	d.jobs = append(d.jobs, RunEffect{Effect: fresh.Key, Version: fresh.Generation})
	return nil
}

// PrivateAsked says that somebody wants the incident private.
type PrivateAsked struct{}

// PrivateRefused says that no private channel could be made; the incident goes
// on as it was.
type PrivateRefused struct {
	Reason string `json:"reason"`
}

// WentPrivate says that the incident is private from now on. The channel it had
// is left.
type WentPrivate struct {
	Left Channel `json:"left"`
}

// Type is the name the event is stored under.
func (PrivateAsked) Type() string { return "private_asked" }

// Type is the name the event is stored under.
func (PrivateRefused) Type() string { return "private_refused" }

// Type is the name the event is stored under.
func (WentPrivate) Type() string { return "went_private" }

// Entry of the wish: none, its outcome is told.
func (PrivateAsked) Entry() (EntryKind, string) { return "", "" }

// Entry of a refusal: none, it concerns whoever asked.
func (PrivateRefused) Entry() (EntryKind, string) { return "", "" }

// Entry of an incident that went private.
func (d WentPrivate) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of an incident that went private.
func (WentPrivate) Told() Phrase { return Phrasef("Went on in a private channel") }

func (PrivateAsked) apply(inc *Incident, e Event) {
	asker := e.Actor.Person
	inc.GoingPrivate = &asker
}

func (PrivateRefused) apply(inc *Incident, _ Event) { inc.GoingPrivate = nil }

func (WentPrivate) apply(inc *Incident, _ Event) { inc.Private, inc.GoingPrivate = true, nil }

// PrivateChannelMade records the private channel of an incident that was public.
// From then on it is private, and all that stands elsewhere is owed to be taken
// back. The effect's lease must be held.
func (s *Service) PrivateChannelMade(ctx context.Context, effect Effect, channel Channel) error {
	effect.succeed(channel.ID, "", 1, s.now())
	_, err := s.learn(ctx, effect, func(d *decision) {
		if d.inc.Channel == nil || d.inc.Private { // a repair cannot have got here
			return
		}
		left, asker := *d.inc.Channel, d.inc.GoingPrivate
		d.record(ChannelOpened{Channel: channel})
		d.wakes = true
		d.record(WentPrivate{Left: left})
		d.generation = d.inc.Seq
		d.tell()
		stands := owe(d.inc.Number, MakeChannel, "", 1)
		stands.Generation, stands.Shown, stands.ID = d.generation, 1, channel.ID
		d.effects = append(d.effects, stands)
		s.inChannel(d)
		if asker != nil && asker.ID != "" {
			d.run(MakeInvite, asker.ID, 1)
		}
		d.jobs = append(d.jobs, OpenChannel{Incident: d.inc.Number})
		s.afterChannel(d)
		d.archiveEnded()
		d.run(MakeRetract, "", 1)
		d.run(MakeLeave, left.ID, 1)
	})
	return err
}

// refusePrivate ends an attempt to make an incident private.
func (d *decision) refusePrivate(reason string) {
	asker := d.inc.GoingPrivate
	if asker == nil {
		return
	}
	d.record(PrivateRefused{Reason: reason})
	if asker.ID == "" {
		return
	}
	told := owe(d.inc.Number, MakeTell, asker.ID, 1)
	told.Generation = d.inc.Seq // each refusal is told
	d.effects = append(d.effects, told)
	d.jobs = append(d.jobs, RunEffect{Effect: told.Key, Version: told.Generation})
}
