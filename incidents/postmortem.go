package incidents

import (
	"slices"
	"time"
)

// PostmortemState is where the postmortem of an incident stands.
type PostmortemState string

// The states. Reopening a published or waived one makes it a draft again, of
// which a new revision is published later.
const (
	PostmortemDraft     PostmortemState = "draft"
	PostmortemInReview  PostmortemState = "in_review"
	PostmortemApproved  PostmortemState = "approved"
	PostmortemPublished PostmortemState = "published"
	PostmortemWaived    PostmortemState = "waived"
)

// PostmortemStates lists all of them in order.
func PostmortemStates() []PostmortemState {
	return []PostmortemState{PostmortemDraft, PostmortemInReview, PostmortemApproved, PostmortemPublished, PostmortemWaived}
}

// Postmortem is what an incident's log says of its postmortem: who works on it
// and where it stands. What people wrote is kept beside the log, as revisions.
type Postmortem struct {
	State     PostmortemState `json:"state,omitempty"` // empty: a draft that nobody has touched; see [Postmortem.Stands]
	Rev       int64           `json:"rev,omitempty"`   // of the last revision; 0: nobody has written anything
	Owner     Person          `json:"owner,omitzero"`  // empty: nobody was named; see [Incident.PostmortemOwner]
	Reviewers []Person        `json:"reviewers,omitempty"`
	// AskedApprover is whose approval is waited for; empty: that of anybody but
	// the owner.
	AskedApprover Person `json:"asked_approver,omitzero"`
	// Approver is who approved what stands now; empty before that.
	Approver Person `json:"approver,omitzero"`
	// Edition counts the publications, PublishedAt and Hash are those of the
	// last one.
	Edition     int64     `json:"edition,omitempty"`
	PublishedAt time.Time `json:"published_at,omitzero"`
	Hash        string    `json:"hash,omitempty"` // SHA-256 of the frozen document, in hex
	// Reason and WaivedBy say why there is none.
	Reason   string  `json:"reason,omitempty"`
	WaivedBy Person  `json:"waived_by,omitzero"`
	Meeting  Meeting `json:"meeting,omitzero"`
	// MovedAt is when it came to the state it is in; zero for a draft from the
	// beginning.
	MovedAt time.Time `json:"moved_at,omitzero"`
}

// Meeting is the review meeting of a postmortem. The zero value is none.
type Meeting struct {
	At      time.Time `json:"at"` // UTC
	Minutes int       `json:"minutes"`
	By      Person    `json:"by"` // who proposed it
	// Sequence counts the proposals before this one, as a calendar's SEQUENCE
	// does (RFC 5545, 3.8.7.4).
	Sequence int `json:"sequence,omitempty"`
}

// Stands gives the state, a draft where nobody has done anything.
func (p Postmortem) Stands() PostmortemState { return orElse(p.State, PostmortemDraft) }

// Open reports whether somebody still has to work on it.
func (p Postmortem) Open() bool {
	return p.Stands() != PostmortemPublished && p.Stands() != PostmortemWaived
}

// PostmortemOwner is who writes the postmortem: the one who was named, else the
// commander, else a reporter who is a person. False when there is nobody.
func (inc Incident) PostmortemOwner() (Person, bool) {
	if inc.Postmortem.Owner.ID != "" {
		return inc.Postmortem.Owner, true
	}
	if p, ok := inc.Commander(); ok {
		return p, true
	}
	return inc.Reporter.Person, inc.Reporter.ID != ""
}

// PostmortemWritten says that people wrote something: revision Rev.
type PostmortemWritten struct {
	Rev    int64    `json:"rev"`
	Fields []string `json:"fields"` // what was changed
}

// PostmortemMoved takes a postmortem to another state.
type PostmortemMoved struct {
	From   PostmortemState `json:"from"`
	To     PostmortemState `json:"to"`
	Rev    int64           `json:"rev"`
	Reason string          `json:"reason,omitempty"` // of a waiver or a reopening
	// Edition and Hash are those of a publication.
	Edition int64  `json:"edition,omitempty"`
	Hash    string `json:"hash,omitempty"`
}

// PostmortemStaffed says who works on a postmortem.
type PostmortemStaffed struct {
	Owner     Person   `json:"owner"`
	Reviewers []Person `json:"reviewers,omitempty"`
	Approver  Person   `json:"approver,omitzero"` // who is asked to approve it
}

// ReviewPlanned proposes the review meeting.
type ReviewPlanned struct {
	Meeting Meeting `json:"meeting"`
}

// Type is the name the event is stored under.
func (PostmortemWritten) Type() string { return "postmortem_written" }

// Type is the name the event is stored under.
func (PostmortemMoved) Type() string { return "postmortem_moved" }

// Type is the name the event is stored under.
func (PostmortemStaffed) Type() string { return "postmortem_staffed" }

// Type is the name the event is stored under.
func (ReviewPlanned) Type() string { return "review_planned" }

// Entry of work on the postmortem: none, it is not part of what happened.
func (PostmortemWritten) Entry() (EntryKind, string) { return "", "" }

// Entry of the workflow: none.
func (PostmortemMoved) Entry() (EntryKind, string) { return "", "" }

// Entry of the people: none.
func (PostmortemStaffed) Entry() (EntryKind, string) { return "", "" }

// Entry of a meeting: none.
func (ReviewPlanned) Entry() (EntryKind, string) { return "", "" }

func (d PostmortemWritten) apply(inc *Incident, _ Event) { inc.Postmortem.Rev = d.Rev }

func (d PostmortemMoved) apply(inc *Incident, e Event) {
	p := &inc.Postmortem
	p.State, p.Reason, p.WaivedBy, p.MovedAt = d.To, "", Person{}, e.At
	switch d.To {
	case PostmortemApproved:
		p.Approver = e.Actor.Person
	case PostmortemPublished:
		p.Edition, p.Hash, p.PublishedAt = d.Edition, d.Hash, e.At
	case PostmortemWaived:
		p.Reason, p.WaivedBy, p.Approver = d.Reason, e.Actor.Person, Person{}
	case PostmortemDraft, PostmortemInReview:
		p.Approver = Person{}
	}
}

func (d PostmortemStaffed) apply(inc *Incident, _ Event) {
	p := &inc.Postmortem
	p.Owner, p.Reviewers, p.AskedApprover = d.Owner, slices.Clone(d.Reviewers), d.Approver
}

func (d ReviewPlanned) apply(inc *Incident, _ Event) { inc.Postmortem.Meeting = d.Meeting }
