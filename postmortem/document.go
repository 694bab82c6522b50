package postmortem

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// Version of the document's JSON form, which schema.json describes.
const Version = 1

// Document is a postmortem: what follows from the log, and over it what people
// wrote. The JSON form is a contract: fields keep their order and names.
type Document struct {
	Version   int                       `json:"version"`
	State     incidents.PostmortemState `json:"state"`
	Rev       int64                     `json:"rev"`     // of what people wrote; 0: nobody has written
	Edition   int64                     `json:"edition"` // 1, 2, … when it is a published one, else 0
	Language  Language                  `json:"language"`
	Zone      string                    `json:"zone"` // IANA name; times stand in UTC and in it
	DraftedAt time.Time                 `json:"drafted_at"`
	Audience  Audience                  `json:"audience"`
	Services  []string                  `json:"services"`
	Tags      []Tag                     `json:"tags"`
	Owner     *incidents.Person         `json:"owner"`
	Authors   []incidents.Person        `json:"authors"` // who wrote revisions
	Reviewers []incidents.Person        `json:"reviewers"`
	Approver  *incidents.Person         `json:"approver"`
	Waived    *Waiver                   `json:"waived"`
	Meeting   *Meeting                  `json:"meeting"`
	// Facts of the incident. In the timeline here restarts, deployments and
	// rollbacks are actions; see [Work].
	Facts         Facts        `json:"facts"`
	Verdict       Verdict      `json:"verdict"`
	Sections      []Section    `json:"sections"` // all of them, in order
	Impact        Impact       `json:"impact"`
	Trigger       TriggerKind  `json:"trigger"` // empty: nobody has said
	Factors       []Factor     `json:"contributing_factors"`
	Glossary      []Term       `json:"glossary"`
	Lessons       []Lesson     `json:"lessons"`
	Gaps          []Gap        `json:"monitoring_gaps"`
	Actions       []ActionItem `json:"action_items"`
	Communication []Message    `json:"communication"`
	Evidence      []Evidence   `json:"evidence"`
	People        []Hours      `json:"people"`
	// Links of the header; absent while there are none.
	Links []Link `json:"links,omitempty"`
	// Review is nil while nobody has written of the review.
	Review *Review `json:"review,omitempty"`
}

// Tag is a label of a document for programs.
type Tag struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Waiver says why there is no postmortem.
type Waiver struct {
	Reason string           `json:"reason"`
	By     incidents.Person `json:"by"`
}

// Meeting is when the document is reviewed.
type Meeting struct {
	At      time.Time `json:"at"`
	Minutes int       `json:"minutes"`
}

// Impact is what the incident did, in numbers.
type Impact struct {
	Measures []Measure `json:"measures"`
	// Reason says why there is no number.
	Reason    string   `json:"reason"`
	DataLoss  Known    `json:"data_loss"`
	Objective Known    `json:"objective_breached"` // of an SLO or SLA
	Regions   []string `json:"regions"`
}

// Measure is one number of the impact.
type Measure struct {
	What      string      `json:"what"`
	Value     string      `json:"value"` // a decimal number; empty: not known
	Unit      string      `json:"unit"`
	OfTotal   string      `json:"of_total"` // a decimal number; empty: not known
	Kind      MeasureKind `json:"kind"`
	How       string      `json:"how_measured"`
	Estimated bool        `json:"estimated"`
}

// Factor is one of the conditions that had to come together.
type Factor struct {
	Text        string         `json:"text"`
	Category    FactorCategory `json:"category"`
	Evidence    string         `json:"evidence"`
	LatentSince string         `json:"latent_since"` // YYYY-MM-DD; empty: not known
	// Whys is the outline of a tree of answers to why; absent without one.
	Whys []Why `json:"whys,omitempty"`
}

// Term is a line of the glossary.
type Term struct {
	Term    string `json:"term"`
	Meaning string `json:"meaning"`
}

// Lesson is something learnt and what answers it: "action:1", "gap:1", or
// "accepted: " and a reason.
type Lesson struct {
	Text    string `json:"text"`
	Answers string `json:"answers"`
}

// Gap is something that monitoring did not tell in time.
type Gap struct {
	ID     int64             `json:"id"`
	Signal string            `json:"signal"` // what was there to be noticed
	Type   incidents.GapKind `json:"type"`
	// SecondsLost is detected − first_evidence, nil while one is unknown.
	SecondsLost *float64 `json:"seconds_lost"`
	// AtMostSeconds is detected − impact_start: before users suffered there may
	// have been nothing to see.
	AtMostSeconds *float64             `json:"at_most_seconds"`
	Action        *int64               `json:"action"` // id of the item that closes it, nil: none yet
	Expr          string               `json:"expr"`   // of the proposed alert
	For           string               `json:"for"`
	Labels        []Tag                `json:"labels"`
	State         incidents.GapState   `json:"state"`
	Reason        string               `json:"reason"`
	Proposed      bool                 `json:"proposed"`
	Checks        []incidents.GapCheck `json:"checks"`
}

// ActionItem is one row of the table of action items.
type ActionItem struct {
	ID       int64                 `json:"id"`
	Text     string                `json:"text"`
	Type     incidents.ActionType  `json:"type"`
	Priority incidents.Priority    `json:"priority"` // empty: not set yet
	Owner    *incidents.Person     `json:"owner"`    // nil: nobody yet
	Due      string                `json:"due"`      // YYYY-MM-DD; empty: not set yet
	State    incidents.ActionState `json:"state"`
	DoneWhen string                `json:"done_when"`
	Answers  []string              `json:"answers"`
	Link     string                `json:"link"`
	Reason   string                `json:"reason"`  // why it will not be done
	Outcome  string                `json:"outcome"` // how done-when was met
	// VerifiedBy saw that it works, nil: nobody yet.
	VerifiedBy *incidents.Person `json:"verified_by"`
	Gap        bool              `json:"gap"`
	Proposed   bool              `json:"proposed"` // put forward by Houston; nobody has taken it yet
}

// Message is something that people were told.
type Message struct {
	Where       Place                  `json:"where"`
	Status      incidents.NoticeStatus `json:"status"` // of the status page's texts
	Text        string                 `json:"text"`
	At          time.Time              `json:"at"`
	WithdrawnAt *time.Time             `json:"withdrawn_at"` // taken off the status page again
}

// Evidence is a graph, a log or whatever else shows something.
type Evidence struct {
	Text string     `json:"text"`
	URL  string     `json:"url"`
	At   *time.Time `json:"at"`
	// File is set when it is a file that Houston keeps.
	File *File `json:"file"`
}

// File is a file that came with an entry of the timeline.
type File struct {
	ID     string `json:"id"` // the chat's own
	Name   string `json:"name"`
	Type   string `json:"type"`   // media type, like image/png, as the chat says
	Size   int64  `json:"size"`   // bytes, as the chat says
	Digest string `json:"digest"` // SHA-256 of its bytes in hex; empty: Houston has not stored it
	Failed string `json:"failed"` // why it is not stored and will not be; empty: it is, or is being fetched
}

// Hours is how long a person was busy with the incident.
type Hours struct {
	Person  incidents.Person `json:"person"`
	Minutes int              `json:"minutes"`
	First   time.Time        `json:"first"`
	Last    time.Time        `json:"last"`
}

// ActionsOf gives the action items of an incident as rows of the table.
func ActionsOf(inc incidents.Incident) []ActionItem {
	rows := []ActionItem{}
	for _, item := range inc.Actions {
		rows = append(rows, ActionOf(item))
	}
	return rows
}

// ActionOf is an action item as a row of the table.
func ActionOf(item incidents.ActionItem) ActionItem {
	row := ActionItem{
		ID: item.ID, Text: item.Text, Type: item.Type, Priority: item.Priority, Due: item.Due, State: item.Stands(),
		DoneWhen: item.DoneWhen, Answers: append([]string{}, item.Answers...), Link: item.Link, Reason: item.Reason,
		Outcome: item.Outcome, Gap: item.Gap, Proposed: item.Proposed,
	}
	if item.Owner != (incidents.Person{}) {
		row.Owner = &item.Owner
	}
	if item.VerifiedBy != (incidents.Person{}) {
		row.VerifiedBy = &item.VerifiedBy
	}
	return row
}

// Marshal writes a document as the bytes that are frozen and hashed: indented
// JSON with a line feed at its end. The same document gives the same bytes.
func (d Document) Marshal() ([]byte, error) {
	raw, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the postmortem of %s as JSON: %w", d.Facts.Key, err)
	}
	return append(raw, '\n'), nil
}
