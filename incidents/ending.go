package incidents

import (
	"slices"
	"strconv"
)

// Close ends an incident for good where no postmortem is owed; where one is,
// publishing or waiving it closes the incident.
type Close struct {
	Request

	Text string
}

func (c Close) decide(d *decision) error {
	switch {
	case d.inc.Status == Closed || d.inc.Status == Merged || d.inc.Status == Declined:
		return Errorf(Conflict, "%s is %s already.", d.inc.Key(), d.inc.Status)
	case d.inc.Status.Open():
		return Errorf(Conflict, "%s is %s. `resolve` it first.", d.inc.Key(), d.inc.Status)
	case d.config.OwesPostmortem(d.inc):
		return Errorf(Conflict, "%s was %s and owes a postmortem: `postmortem` shows how far it is. It closes when that is published or waived.", d.inc.Key(), d.inc.Severity)
	}
	text, err := cleanText(c.Text)
	if err != nil {
		return err
	}
	d.end(StatusChanged{From: d.inc.Status, To: Closed, Text: text})
	return nil
}

// OwesPostmortem reports whether an incident may close only by its postmortem.
// A drill owes none.
func (c Config) OwesPostmortem(inc Incident) bool {
	return !inc.Drill && slices.Contains(c.PostmortemFor, inc.Severity)
}

// OwesPostmortem reports whether an incident may close only by its postmortem.
func (s *Service) OwesPostmortem(inc Incident) bool { return s.config.OwesPostmortem(inc) }

// Decline says that what alerts opened is no incident.
type Decline struct {
	Request

	Text string
}

func (c Decline) decide(d *decision) error {
	if d.inc.Status != Triage {
		return Errorf(Conflict, "Only an incident in triage can be declined; %s is %s. Use `resolve`.", d.inc.Key(), d.inc.Status)
	}
	text, err := cleanText(c.Text)
	if err != nil {
		return err
	}
	d.end(StatusChanged{From: d.inc.Status, To: Declined, Text: text})
	return nil
}

// end records the last change of status, tells it, and has the channel archived
// in time.
func (d *decision) end(last Data) {
	d.record(last)
	d.tell()
	d.record(KeyTimeSet{Key: ClosedAt, Instant: Instant{At: d.now, Precision: ToSecond, Source: orElse(d.actor.Via, FromHouston)}})
	d.archive()
}

// archive owes the archiving of the channel after the configured time. The row
// carries the event that ended the incident: an incident that is taken up again
// makes it void (see [Incident.Ended]).
func (d *decision) archive() {
	if d.config.ArchiveAfter <= 0 || d.inc.Channel == nil || d.inc.Channel.Archived {
		return
	}
	e := owe(d.inc.Number, MakeArchive, strconv.FormatInt(d.inc.Ended, 10), 1)
	e.Generation = max(d.generation, 1)
	e.NextAt = d.now.Add(d.config.ArchiveAfter)
	d.effects = append(d.effects, e)
}

// archiveEnded owes the archiving of a channel that is younger than the end of its
// incident.
func (d *decision) archiveEnded() {
	if d.inc.Ended != 0 {
		d.archive()
	}
}

// ChannelArchived says that the incident's channel went into the archive, where
// nobody writes any more. A bot can not take it out again.
type ChannelArchived struct {
	Channel string `json:"channel"`
}

// ChannelRestored says that a person took the channel out of the archive.
type ChannelRestored struct {
	Channel string `json:"channel"`
}

// Type is the name the event is stored under.
func (ChannelArchived) Type() string { return "channel_archived" }

// Type is the name the event is stored under.
func (ChannelRestored) Type() string { return "channel_restored" }

// Entry of a channel that was archived: none, it is no part of what happened.
func (ChannelArchived) Entry() (EntryKind, string) { return "", "" }

// Entry of a channel that is back: none.
func (ChannelRestored) Entry() (EntryKind, string) { return "", "" }

func (d ChannelArchived) apply(inc *Incident, _ Event) { inc.setArchived(d.Channel, true) }
func (d ChannelRestored) apply(inc *Incident, _ Event) { inc.setArchived(d.Channel, false) }

func (inc *Incident) setArchived(channel string, archived bool) {
	if inc.Channel != nil && inc.Channel.ID == channel {
		c := *inc.Channel
		c.Archived, c.Lost = archived, archived && inc.Status.Open()
		inc.Channel = &c
	}
}

// writable reports whether there is a channel that takes messages.
func (inc Incident) writable() bool { return inc.Channel != nil && !inc.Channel.Archived }

// reopenChannel has a new channel made for an incident whose channel is in the
// archive: a bot can not take one out of it
// (https://docs.slack.dev/reference/methods/conversations.unarchive).
func (d *decision) reopenChannel() {
	fresh := owe(d.inc.Number, MakeChannel, "", 1)
	fresh.Generation = d.inc.Seq + 1 // higher than any before: each of those cost an event
	d.effects = append(d.effects, fresh)
	d.jobs = append(d.jobs, OpenChannel{Incident: d.inc.Number})
}

// NoteChannel is what people did to an incident's channel in the chat.
type NoteChannel struct {
	Request

	Channel  string
	Name     string // the new name; empty: the name stays
	At       string // the chat's time stamp of it: an older name that is told late is passed over
	Archived *bool  // nil: that stays
}

func (c NoteChannel) decide(d *decision) error {
	if d.inc.Channel == nil || d.inc.Channel.ID != c.Channel {
		return nil
	}
	if c.Name != "" && c.At > d.inc.Channel.NamedAt {
		d.record(ChannelRenamed{Channel: c.Channel, Name: c.Name, At: c.At})
	}
	if c.Archived == nil || *c.Archived == d.inc.Channel.Archived {
		return nil
	}
	if *c.Archived {
		d.record(ChannelArchived{Channel: c.Channel})
	} else {
		d.record(ChannelRestored{Channel: c.Channel})
		d.run(MakeTopic, "", d.inc.Seq) // for which Houston has to be in it again
		d.run(MakeCard, "", d.inc.Seq)
	}
	return nil
}

// ChannelRenamed says that the channel has another name, by people or by
// Houston. It is found by its id whatever it is called.
type ChannelRenamed struct {
	Channel string `json:"channel"`
	Name    string `json:"name"`
	At      string `json:"at,omitempty"` // as in [Channel.NamedAt]
}

// Type is the name the event is stored under.
func (ChannelRenamed) Type() string { return "channel_renamed" }

// Entry of a channel's new name: none.
func (ChannelRenamed) Entry() (EntryKind, string) { return "", "" }

func (d ChannelRenamed) apply(inc *Incident, _ Event) {
	if inc.Channel != nil && inc.Channel.ID == d.Channel {
		c := *inc.Channel
		c.Name, c.NamedAt = d.Name, max(c.NamedAt, d.At)
		inc.Channel = &c
	}
}
