package postmortem

import (
	"time"

	"github.com/houston-sre/houston/incidents"
)

// Facts of one incident, in the order they are told. The JSON form is a
// contract: fields keep their order and names.
type Facts struct {
	Key        string              `json:"key"`
	Title      string              `json:"title"`
	Summary    string              `json:"summary"`
	Status     incidents.Status    `json:"status"`
	Severity   incidents.Severity  `json:"severity"`
	Severities []SeveritySince     `json:"severity_history"`
	Service    string              `json:"service"`
	Detection  incidents.Detection `json:"detection"`
	Private    bool                `json:"private"`
	Drill      bool                `json:"drill"`
	Follows    string              `json:"follows"` // key of an earlier incident of the same alerts
	Reporter   Reporter            `json:"reporter"`
	Channel    *incidents.Channel  `json:"channel"`
	BridgeURL  string              `json:"bridge_url"`
	Roles      []Holder            `json:"roles"`
	Times      []Moment            `json:"key_times"`
	Durations  []Duration          `json:"durations"`
	// SeverityDurations is absent from documents frozen before there was such.
	SeverityDurations []SeverityDuration `json:"severity_durations,omitempty"`
	Timeline          []Entry            `json:"timeline"`
}

// SeveritySince is a severity and when it was given.
type SeveritySince struct {
	Severity incidents.Severity `json:"severity"`
	Since    time.Time          `json:"since"`
}

// Reporter is who declared the incident, and by which way in.
type Reporter struct {
	incidents.Person

	Via incidents.Source `json:"via"`
}

// Holder is a person in a role.
type Holder struct {
	Role   incidents.Role   `json:"role"`
	Person incidents.Person `json:"person"`
}

// Moment is one of the key times. At is nil and Precision "unknown" when
// nobody knows it.
type Moment struct {
	Key       incidents.KeyTime   `json:"key"`
	At        *time.Time          `json:"at"`
	Precision incidents.Precision `json:"precision"`
	Source    incidents.Source    `json:"source"`
}

// Entry is one line of the timeline, folded.
type Entry struct {
	Seq        int64               `json:"seq"`
	At         time.Time           `json:"at"`
	RecordedAt time.Time           `json:"recorded_at"`
	Precision  incidents.Precision `json:"precision"`
	Kind       incidents.EntryKind `json:"kind"`
	Actor      incidents.Person    `json:"actor"`
	Text       string              `json:"text"`
	Permalink  string              `json:"permalink"`
	// Internal entries are in no public version.
	Internal bool             `json:"internal"`
	Edited   bool             `json:"edited,omitempty"`
	Deleted  bool             `json:"deleted,omitempty"` // the message was deleted where it was written
	Files    []incidents.File `json:"files,omitempty"`
	// Until is when it was over; nil: it is a moment.
	Until          *time.Time          `json:"until,omitempty"`
	UntilPrecision incidents.Precision `json:"until_precision,omitempty"`
	Significant    bool                `json:"significant,omitempty"` // a key moment, people say
}

// FactsOf gathers the facts of an incident from its state and its events.
// Moments are cut to what they are known to, before anything is computed.
func FactsOf(inc incidents.Incident, events []incidents.Event, l Language) Facts {
	return factsOf(inc, events, l, inEnglish{})
}

func factsOf(inc incidents.Incident, events []incidents.Event, l Language, speaker Speaker) Facts {
	times := cutTimes(inc.Times)
	facts := Facts{
		Key: inc.Key(), Title: inc.Title, Summary: inc.Summary, Status: inc.Status, Severity: inc.Severity,
		Severities: severities(events), Service: inc.Service, Detection: inc.Detection, Private: inc.Private, Drill: inc.Drill,
		Reporter: Reporter{Person: inc.Reporter.Person, Via: inc.Reporter.Via}, Channel: inc.Channel, BridgeURL: inc.BridgeURL,
		Roles: []Holder{}, Times: moments(times), Durations: durations(times, l), Timeline: []Entry{},
		SeverityDurations: SeverityDurations(inc, events, l),
	}
	if inc.Follows != 0 {
		facts.Follows = incidents.Key(inc.Follows)
	}
	for _, role := range incidents.Roles() {
		if person, ok := inc.Roles[role]; ok {
			facts.Roles = append(facts.Roles, Holder{Role: role, Person: person})
		}
	}
	for _, e := range incidents.Timeline(events) {
		e.At = cut(e.At, e.Precision)
		if p, ok := e.Said().(incidents.Phrase); ok {
			e.Text = speaker.Say(l, p)
		}
		for i := range e.Files { // the timeline's own copy
			if e.Files[i].Failed != "" {
				e.Files[i].Failed = speaker.Because(l, e.Files[i].Failed)
			}
		}
		facts.Timeline = append(facts.Timeline, entryOf(e))
	}
	return facts
}

func severities(events []incidents.Event) []SeveritySince {
	history := []SeveritySince{}
	for _, e := range events {
		switch data := e.Data.(type) {
		case incidents.Declared:
			history = append(history, SeveritySince{data.Severity, e.At})
		case incidents.SeverityChanged:
			history = append(history, SeveritySince{data.To, e.At})
		}
	}
	return history
}

func moments(times map[incidents.KeyTime]incidents.Instant) []Moment {
	var moments []Moment
	for _, key := range incidents.KeyTimes() {
		m := Moment{Key: key, Precision: incidents.Unknown}
		if at, ok := known(times, key); ok {
			m = Moment{Key: key, At: &at.At, Precision: at.Precision, Source: at.Source}
		}
		moments = append(moments, m)
	}
	return moments
}

// known gives a key time unless nobody knows it.
func known(times map[incidents.KeyTime]incidents.Instant, key incidents.KeyTime) (incidents.Instant, bool) {
	at, ok := times[key]
	return at, ok && !at.At.IsZero() && at.Precision != incidents.Unknown
}

func cutTimes(times map[incidents.KeyTime]incidents.Instant) map[incidents.KeyTime]incidents.Instant {
	cutted := map[incidents.KeyTime]incidents.Instant{}
	for key := range times {
		if at, ok := known(times, key); ok {
			at.At = cut(at.At, at.Precision)
			cutted[key] = at
		}
	}
	return cutted
}

func entryOf(e incidents.Entry) Entry {
	entry := Entry{
		Seq: e.Seq, At: e.At, RecordedAt: e.RecordedAt, Precision: e.Precision, Kind: e.Kind, Actor: e.Actor,
		Text: e.Text, Permalink: e.Permalink, Internal: e.Internal, Edited: e.Edited, Deleted: e.Deleted, Files: e.Files,
		Significant: e.Significant,
	}
	if !e.Until.At.IsZero() {
		// Where the two are known to a minute and lie in one, it ends where it begins.
		until := later(cut(e.Until.At, e.Until.Precision), e.At)
		entry.Until, entry.UntilPrecision = &until, e.Until.Precision
	}
	return entry
}
