package postmortem

import (
	"time"

	"github.com/houston-sre/houston/incidents"
)

// State of a document. Review and publication come with the workflow.
type State string

// Draft is what Houston made and nobody has worked on.
const Draft State = "draft"

// Document is a postmortem. The JSON form is a contract: fields keep their order
// and names.
type Document struct {
	State     State     `json:"state"`
	DraftedAt time.Time `json:"drafted_at"`
	// Facts of the incident. In the timeline here restarts, deployments and
	// rollbacks are actions; see [Work].
	Facts         Facts        `json:"facts"`
	Verdict       Verdict      `json:"verdict"`
	Sections      []Section    `json:"sections"` // all of them, in order
	Gaps          []Gap        `json:"monitoring_gaps"`
	Actions       []ActionItem `json:"action_items"`
	Communication []Message    `json:"communication"`
}

// Gap is something that monitoring did not tell in time.
type Gap struct {
	Signal string  `json:"signal"` // what was there to be noticed
	Type   GapType `json:"type"`
	// SecondsLost is detected − first_evidence, nil while one is unknown.
	SecondsLost *float64 `json:"seconds_lost"`
	// AtMostSeconds is detected − impact_start: before users suffered there may
	// have been nothing to see.
	AtMostSeconds *float64 `json:"at_most_seconds"`
	Action        *int64   `json:"action"` // id of the item that closes it, nil: none yet
}

// GapType says in which way monitoring was blind.
type GapType string

// The types of gaps that follow from an incident's log.
const (
	NoAlert    GapType = "no_alert" // nothing fired
	LateAlert  GapType = "late"     // it fired after a person had noticed
	Unheeded   GapType = "unheeded" // it fired before, and told nobody
	UnknownGap GapType = "unknown"  // when it was noticed is not known
)

// ActionItem is one row of the table of action items.
type ActionItem struct {
	ID       int64                `json:"id"`
	Text     string               `json:"text"`
	Type     incidents.ActionType `json:"type"`
	Owner    *incidents.Person    `json:"owner"` // nil: nobody yet
	Due      string               `json:"due"`   // YYYY-MM-DD; empty: not set yet
	Gap      bool                 `json:"gap"`
	Proposed bool                 `json:"proposed"` // put forward by Houston; nobody has taken it yet
}

// Message is something that people were told.
type Message struct {
	Where       Place                  `json:"where"`
	Status      incidents.NoticeStatus `json:"status"` // of the status page's texts
	Text        string                 `json:"text"`
	At          time.Time              `json:"at"`
	WithdrawnAt *time.Time             `json:"withdrawn_at"` // taken off the status page again
}

// Place is where a message was told.
type Place string

// The places.
const (
	OnStatusPage Place = "status_page"
	InChannel    Place = "channel"
)

// DraftOf makes the draft of an incident's postmortem. Alerts are those that
// belong to it, or as many of them as the caller cares to load. The same input
// gives the same document.
func DraftOf(inc incidents.Incident, events []incidents.Event, alerts []incidents.Alert, now time.Time) Document {
	d := &drafting{inc: inc, events: events, facts: FactsOf(inc, events)}
	d.facts.Timeline = worked(d.facts.Timeline, events)
	d.verdict = verdictOf(inc, events, alerts)
	doc := Document{
		State: Draft, DraftedAt: incidents.Micros(now), Facts: d.facts, Verdict: d.verdict, Sections: []Section{},
		Gaps: d.gaps(), Actions: ActionsOf(inc), Communication: messagesOf(events, d.facts.Timeline),
	}
	for _, h := range headings() {
		s := Section{ID: h.id, Title: h.title, Text: []Prose{}, Items: []Prose{}}
		if d.fill(&s, doc) {
			s.Question = h.question
		}
		doc.Sections = append(doc.Sections, s)
	}
	return doc
}

// ActionsOf gives the action items of an incident as rows of the table.
func ActionsOf(inc incidents.Incident) []ActionItem {
	rows := []ActionItem{}
	for _, item := range inc.Actions {
		row := ActionItem{ID: item.ID, Text: item.Text, Type: item.Type, Due: item.Due, Gap: item.Gap, Proposed: item.Proposed}
		if item.Owner != (incidents.Person{}) {
			row.Owner = &item.Owner
		}
		rows = append(rows, row)
	}
	return rows
}

// messagesOf collects what was told: the status page's texts, those taken back
// too, since people may have read them, and the updates in the channel.
func messagesOf(events []incidents.Event, timeline []Entry) []Message {
	told := map[int64]string{}
	for _, e := range timeline {
		told[e.Seq] = e.Text
	}
	messages, index := []Message{}, map[int64]int{}
	for _, e := range events {
		text, shown := told[e.Seq]
		switch data := e.Data.(type) {
		case incidents.NoticePublished:
			if shown {
				index[e.Seq] = len(messages)
				messages = append(messages, Message{Where: OnStatusPage, Status: data.Status, Text: data.Text, At: e.At})
			}
		case incidents.NoticeWithdrawn:
			if i, ok := index[data.Seq]; ok {
				messages[i].WithdrawnAt = &e.At
			}
		case incidents.UpdatePosted:
			if shown {
				messages = append(messages, Message{Where: InChannel, Text: text, At: e.At})
			}
		}
	}
	return messages
}
