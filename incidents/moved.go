package incidents

import "context"

// ChannelMoved says that the incident has a new channel since its old one is in
// the archive.
type ChannelMoved struct {
	From Channel `json:"from"`
}

// Type is the name the event is stored under.
func (ChannelMoved) Type() string { return "channel_moved" }

// Entry of a move.
func (d ChannelMoved) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of a move.
func (d ChannelMoved) Told() Phrase {
	return Phrasef("Taken up again in a new channel; before it was in #%s", d.From.Name)
}

func (ChannelMoved) apply(*Incident, Event) {}

// isChannel reports whether an event gave the incident another channel.
func isChannel(data Data) bool {
	_, ok := data.(ChannelOpened)
	return ok
}

// moveQuestions has the questions that are open in the channel asked in another
// one.
func (d *decision) moveQuestions() {
	if d.before.Channel == nil || !d.any(isChannel) {
		return
	}
	for _, name := range sortedKeys(d.inc.Nudges) {
		if was := d.inc.Nudges[name]; was.Open && !was.Direct {
			d.runLater(MakeNudge, NudgeTarget(name, was.Round), d.inc.Seq)
		}
	}
}

// ChannelNamed records the name a channel got. The effect's lease must be held.
func (s *Service) ChannelNamed(ctx context.Context, effect Effect, channel, name string, shown int64) error {
	effect.succeed(channel, channel, shown, s.now())
	_, err := s.learn(ctx, effect, func(d *decision) {
		if d.inc.Channel != nil && d.inc.Channel.ID == channel && d.inc.Channel.Name != name {
			d.record(ChannelRenamed{Channel: channel, Name: name})
		}
	})
	return err
}

// ChannelPutAway records that a channel is in the archive; an empty one says that
// there was nothing to archive any more. The effect's lease must be held.
func (s *Service) ChannelPutAway(ctx context.Context, effect Effect, channel string) error {
	effect.succeed(orElse(channel, "void"), channel, 1, s.now())
	_, err := s.learn(ctx, effect, func(d *decision) {
		if channel == "" || d.inc.Channel == nil || d.inc.Channel.ID != channel {
			return
		}
		if !d.inc.Channel.Archived { // otherwise the chat's event came first
			d.record(ChannelArchived{Channel: channel})
		}
		if d.inc.Status.Open() && d.inc.Channel.Lost { // taken up again while it was archived
			d.reopenChannel()
		}
	})
	return err
}
