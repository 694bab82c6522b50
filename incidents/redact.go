package incidents

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// redactedText stands where words were that nobody may read any more.
const redactedText = "(redacted)"

// Redact hides the words of a timeline entry everywhere: timeline, card, action
// item, exports, API and what Houston posted of them. Its files are handed out no
// more, and their bytes deleted. The log keeps who did so, when and why, and, never
// shown, the words themselves and what the files were. An entry that a merge took
// along is redacted in both incidents. People redact what they wrote; what
// others wrote only members may, and with permissions.admin set only those whom it
// names.
type Redact struct {
	Request

	Seq    int64 // of the entry; 0: the last that the actor wrote
	Reason string
}

// Redaction is the record of a redaction, without the words.
type Redaction struct {
	Seq    int64 // of the entry
	At     time.Time
	By     Person
	Reason string
}

// Redact hides an entry; see [Redact]. It gives the entry's Seq.
func (s *Service) Redact(ctx context.Context, number int64, c Redact) (Result, int64, error) {
	if c.Actor.Standing == Unproven {
		return Result{}, 0, unproven()
	}
	inc, err := s.Incident(ctx, number, c.Request)
	if err != nil {
		return Result{}, 0, err
	}
	reason, err := cleanText(c.Reason)
	if err != nil {
		return Result{}, 0, err
	}
	events, err := s.store.Events(ctx, number)
	if err != nil {
		return Result{}, 0, err
	}
	entry, found := c.entry(Timeline(events))
	if !found {
		if once := c.Once; once.Key != "" && slices.ContainsFunc(Redactions(events), func(r Redaction) bool { return r.Seq == c.Seq && r.By.ID == c.Actor.ID }) {
			return Result{Incident: inc, Repeated: true}, c.Seq, nil
		}
		return Result{}, 0, Errorf(NotFound, "There is no such entry in the timeline of %s. `redact` alone lists the last ones.", inc.Key())
	}
	if err := s.config.Permissions.mayRedact(c.Actor, entry); err != nil {
		return Result{}, 0, err
	}
	if err := redactable(events[entry.Seq-1].Data); err != nil {
		return Result{}, 0, err
	}
	posts, err := s.toldOf(ctx, number, events, entry.Seq)
	if err != nil {
		return Result{}, 0, err
	}
	if err := s.redactCopies(ctx, inc, entry.Seq, events, redact{Request: c.Request, reason: reason}); err != nil {
		return Result{}, 0, err
	}
	result, err := s.Do(ctx, number, redact{Request: c.Request, seq: entry.Seq, reason: reason, posts: posts, data: events[entry.Seq-1].Data})
	return result, entry.Seq, err
}

// entry finds what is to be redacted.
func (c Redact) entry(entries []Entry) (Entry, bool) {
	var found Entry
	for _, e := range entries {
		if e.Seq == c.Seq || (c.Seq == 0 && c.Actor.ID != "" && e.Actor.ID == c.Actor.ID && e.Seq > found.Seq) {
			found = e
		}
	}
	return found, found.Seq != 0
}

func (p Permissions) mayRedact(actor Actor, entry Entry) error {
	if actor.ID != "" && actor.ID == entry.Actor.ID {
		return nil
	}
	return p.may(actor, ToAdmin)
}

// toldOf lists the events that Houston told in the channel with the words of an
// entry: its own, and that of the action item made of the same message.
func (s *Service) toldOf(ctx context.Context, number int64, events []Event, seq int64) ([]string, error) {
	var told []string
	for _, e := range events {
		if !wordsOf(e, events[seq-1]) {
			continue
		}
		target := strconv.FormatInt(e.Seq, 10)
		_, err := s.store.Effect(ctx, EffectKey(number, MakePost, target))
		switch {
		case err == nil:
			told = append(told, target)
		case KindOf(err) != NotFound:
			return nil, fmt.Errorf("look for the message about event %d: %w", e.Seq, err)
		}
	}
	return told, nil
}

// wordsOf reports whether an event has the words of another one: the very same,
// or an action item made of the same message.
func wordsOf(e, origin Event) bool {
	if e.Seq == origin.Seq {
		return true
	}
	added, ok := e.Data.(ActionAdded)
	message := messageOf(origin.Data)
	return ok && message != nil && added.Item.Message != nil && *added.Item.Message == *message
}

// messageOf is the chat message that an entry was made of, nil for none.
func messageOf(data Data) *Message {
	switch data := data.(type) {
	case Noted:
		return data.Message
	case Adopted:
		return data.Message
	default:
		return nil
	}
}

// redact is Redact once it is known what to hide.
type redact struct {
	Request

	seq    int64
	reason string
	posts  []string
	data   Data
}

func (redact) writes() {}

// redactable refuses what everybody reads anyway.
func redactable(data Data) error {
	switch data.(type) {
	case NoticePublished, NoticeWithdrawn:
		return Errorf(Conflict, "This is on the status page, for everybody to read. `statuspage undo` takes the last text back.")
	default:
		return nil
	}
}

func (c redact) decide(d *decision) error {
	d.record(Redacted{Seq: c.seq, Reason: c.reason, Hidden: true, Clears: d.inc.saying(c.data)})
	if len(filesOf(c.data)) > 0 {
		d.erase(c.seq)
	}
	for _, target := range c.posts {
		d.run(MakePost, target, d.inc.Seq)
	}
	if _, ok := c.data.(ChartDrawn); ok { // the picture in the channel
		d.run(MakeChart, strconv.FormatInt(c.seq, 10), d.inc.Seq)
	}
	return nil
}

// words are what the incident itself says in people's words, by name.
func (inc *Incident) words() map[string]*string {
	return map[string]*string{"summary": &inc.Summary, "impact": &inc.Impact, "update": &inc.LastUpdate}
}

// saying names what of the incident says the words of an event.
func (inc *Incident) saying(data Data) []string {
	said := map[string]string{}
	switch data := data.(type) {
	case Declared:
		said["summary"] = data.Summary
	case UpdatePosted:
		said["update"] = data.Text
	case StatusChanged:
		said["update"] = data.Text
	case FactsChanged:
		said["summary"], said["impact"] = deref(data.Summary), deref(data.Impact)
	}
	var names []string
	for name, words := range inc.words() {
		if *words != "" && *words == said[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func (d Redacted) apply(inc *Incident, _ Event) {
	if !d.Hidden {
		return
	}
	for name, words := range inc.words() {
		if slices.Contains(d.Clears, name) {
			*words = ""
		}
	}
	for key, c := range inc.Captured {
		if c.Seq != d.Seq && c.Copy != d.Seq {
			continue
		}
		c.Hidden = true
		inc.Captured[key] = c
		if i := inc.action(c.Action); i >= 0 {
			inc.Actions = slices.Clone(inc.Actions)
			inc.Actions[i].Text = redactedText
		}
	}
}

// Redactions lists what was redacted, oldest first.
func Redactions(events []Event) []Redaction {
	var list []Redaction
	for _, e := range events {
		if data, ok := e.Data.(Redacted); ok && data.Hidden {
			list = append(list, Redaction{Seq: data.Seq, At: e.RecordedAt, By: e.Actor.Person, Reason: data.Reason})
		}
	}
	return list
}

// Hidden reports whether the words of an event were redacted.
func Hidden(events []Event, seq int64) bool {
	for _, e := range events {
		data, ok := e.Data.(Redacted)
		if ok && data.Hidden && seq >= 1 && seq <= int64(len(events)) && wordsOf(events[seq-1], events[data.Seq-1]) {
			return true
		}
	}
	return false
}
