package incidents

import (
	"context"
	"maps"
	"slices"
)

// Merge ends an incident that turned out to be the same as another one: that
// one takes over its alerts, its timeline, its open action items, its people
// and what the status page says.
type Merge struct {
	Request

	Number int64 // of the incident that ends
	Into   int64 // of the one that goes on
}

// Pair is what becomes of two incidents in one transaction.
type Pair struct {
	First, Second Change
	// Regroup has the alert groups of the first, and their alerts, belong to
	// the second.
	Regroup bool
}

// MergedInto ends an incident: its story goes on in another one.
type MergedInto struct {
	From Status `json:"from"`
	Into int64  `json:"into"`
}

// Absorbed takes over what another incident had.
type Absorbed struct {
	Number int64          `json:"number"`
	Title  string         `json:"title"`
	Firing map[string]int `json:"firing,omitempty"` // by alert group id
	Unseen map[string]int `json:"unseen,omitempty"` // as [Incident.Unseen]
	// Alerted says that alerts belonged to it.
	Alerted bool    `json:"alerted,omitempty"`
	Notice  *Notice `json:"notice,omitempty"` // nil: nothing, or there is one already
}

// Adopted is an entry of the timeline of an incident that was merged into this
// one.
type Adopted struct {
	Number    int64     `json:"number"` // of that incident
	Seq       int64     `json:"seq"`    // of its event
	Kind      EntryKind `json:"kind"`
	Text      string    `json:"text"`
	Permalink string    `json:"permalink,omitempty"`
	Internal  bool      `json:"internal,omitempty"` // never for the public
	Said      Phrase    `json:"said,omitzero"`      // what Text was made of where Houston spoke
	Files     []File    `json:"files,omitempty"`    // those that are stored
	Until     Instant   `json:"until,omitzero"`
	// Significant says that it was a key moment there.
	Significant bool     `json:"significant,omitempty"`
	Message     *Message `json:"message,omitempty"` // the chat message it was made of
}

// Type is the name the event is stored under.
func (MergedInto) Type() string { return "merged_into" }

// Type is the name the event is stored under.
func (Absorbed) Type() string { return "absorbed" }

// Type is the name the event is stored under.
func (Adopted) Type() string { return "adopted" }

// Entry of a merge, where it ended.
func (d MergedInto) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of a merge, where it ended.
func (d MergedInto) Told() Phrase { return Phrasef("Merged into %s; work goes on there", Key(d.Into)) }

// Entry of a merge, where it goes on.
func (d Absorbed) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of a merge, where it goes on.
func (d Absorbed) Told() Phrase {
	return Phrasef("%s was merged into this incident: %s", Key(d.Number), d.Title)
}

// Entry of an adopted entry says where it comes from.
func (d Adopted) Entry() (EntryKind, string) { return d.Kind, d.Told().String() }

// Told is an adopted entry.
func (d Adopted) Told() Phrase {
	if d.Said.Format != "" {
		return Phrasef("%s: %s", Key(d.Number), d.Said)
	}
	return Phrasef("%s: %s", Key(d.Number), d.Text)
}

func (d MergedInto) apply(inc *Incident, e Event) {
	StatusChanged{From: d.From, To: Merged}.apply(inc, e)
	inc.MergedInto, inc.Ended = d.Into, e.Seq
	inc.Firing, inc.Unseen, inc.Notice = nil, nil, nil
}

func (d Absorbed) apply(inc *Incident, _ Event) {
	inc.Absorbed = append(slices.Clone(inc.Absorbed), d.Number)
	inc.Firing, inc.Unseen = together(inc.Firing, d.Firing), together(inc.Unseen, d.Unseen)
	inc.Alerted = inc.Alerted || d.Alerted
	if d.Notice != nil {
		inc.Notice = d.Notice
	}
}

// together holds the counts of both.
func together(ours, theirs map[string]int) map[string]int {
	if len(theirs) == 0 {
		return ours
	}
	all := map[string]int{}
	maps.Copy(all, ours)
	for group, n := range theirs {
		all[group] += n // the groups of two storms are counted together
	}
	return all
}

func (d Adopted) apply(inc *Incident, e Event) {
	if d.Message == nil {
		return
	}
	c := inc.Captured[captureKey(*d.Message)]
	c.Copy = e.Seq
	inc.capture(*d.Message, c)
}

// Merge merges one incident into another. The result is the one that ended.
func (s *Service) Merge(ctx context.Context, c Merge) (Result, error) {
	if c.Actor.Standing == Unproven {
		return Result{}, unproven()
	}
	if c.Number == c.Into {
		return Result{}, Errorf(Invalid, "%s can not be merged into itself. Name the other incident, like: merge INC-12", Key(c.Number))
	}
	return s.store.UpdatePair(ctx, c.Number, c.Into, c.Once, func(first, second Incident, log []Event) (Pair, error) {
		if err := s.mayPair(c.Request, c, first, second); err != nil {
			return Pair{}, err
		}
		if err := mergeable(first, second); err != nil {
			return Pair{}, err
		}
		from, into := newDecision(s.config, first, c.Actor, s.now()), newDecision(s.config, second, c.Actor, s.now())
		into.absorb(from.inc, log)
		from.end(MergedInto{From: first.Status, Into: second.Number})
		return Pair{First: from.change(), Second: into.change(), Regroup: true}, nil
	})
}

// isWork reports whether a command takes an incident further: on one that was
// merged into another it would reach nobody.
func isWork(command Command) bool {
	switch command.(type) {
	case SetStatus, SetSeverity, Update, Mitigate, Resolve, Reopen, Close, Decline, Assign, SetRoles, Note, AddTask, AddAction,
		Rename, SetBridge, PublishNotice, PageOut, MakePrivate, silenceAlerts, GoOn:
		return true
	default:
		return false
	}
}

// mayPair says whether somebody may do something to two incidents: he has to
// see both.
func (s *Service) mayPair(req Request, command any, pair ...Incident) error {
	for _, inc := range pair {
		if !s.config.Permissions.sees(req, inc) {
			return unknownIncident(inc.Number)
		}
	}
	return s.config.Permissions.mayDo(req, command)
}

// mergeable says why an incident can not be merged into another one.
func mergeable(from, into Incident) error {
	switch {
	case from.Status == Merged:
		return Errorf(Conflict, "%s was merged into %s already.", from.Key(), Key(from.MergedInto))
	case from.Status == Closed || from.Status == Declined:
		return Errorf(Conflict, "%s is %s. `reopen` it first, or `link` the two.", from.Key(), from.Status)
	case into.Status == Merged:
		return Errorf(Conflict, "%s was merged into %s. Merge into that one.", into.Key(), Key(into.MergedInto))
	case !into.Status.Open():
		return Errorf(Conflict, "%s is %s. `reopen` it first, or merge the other way round.", into.Key(), into.Status)
	case from.GoingPrivate != nil && !into.Private:
		return Errorf(Conflict, "%s is going private and %s is not: merging would show everybody what is to be private. Make %s private first.", from.Key(), into.Key(), into.Key())
	case from.Private && !into.Private:
		return Errorf(Conflict, "%s is private and %s is not: merging would show everybody what is private. Make %s private first, or merge the other way round.", from.Key(), into.Key(), into.Key())
	case from.Drill != into.Drill:
		return Errorf(Conflict, "A drill and a real incident can not be merged.")
	default:
		return nil
	}
}

// absorb takes over what another incident has, and who works on it.
func (d *decision) absorb(from Incident, log []Event) {
	data := Absorbed{Number: from.Number, Title: from.Title, Firing: from.Firing, Unseen: from.Unseen, Alerted: from.Alerted}
	if from.Notice != nil && d.inc.Notice == nil && !d.inc.Private {
		data.Notice = from.Notice
	}
	d.record(data)
	d.tell()
	for _, entry := range Timeline(log) {
		d.recordAs(Actor{Person: entry.Actor, Via: d.actor.Via}, Adopted{
			Number: from.Number, Seq: entry.Seq, Kind: entry.Kind, Text: entry.Text, Permalink: entry.Permalink, Internal: entry.Internal,
			Said: entry.Told, Files: stored(entry.Files), Until: entry.Until, Significant: entry.Significant,
			Message: messageOf(log[entry.Seq-1].Data),
		}, Instant{At: entry.At, Precision: entry.Precision})
	}
	for _, key := range []KeyTime{ImpactStart, FirstEvidence, Detected} {
		theirs, known := from.Times[key]
		ours, have := d.inc.Times[key]
		if known && (!have || theirs.At.Before(ours.At)) {
			d.record(KeyTimeSet{Key: key, Instant: theirs})
		}
	}
	for _, item := range from.Actions {
		if !item.Proposed {
			d.addAction(item)
		}
	}
	d.welcome(from)
}

// welcome invites the people of another incident: its reporter and whoever has a
// role. A private one is joined by nobody who was not asked.
func (d *decision) welcome(from Incident) {
	if !d.inc.writable() || d.inc.Private {
		return
	}
	var people []string
	if from.Reporter.Via == FromSlack {
		people = append(people, from.Reporter.ID)
	}
	for _, person := range from.Roles {
		people = append(people, person.ID)
	}
	slices.Sort(people)
	for _, id := range slices.Compact(people) {
		if id != "" {
			d.run(MakeInvite, id, 1)
		}
	}
}
