package incidents

import (
	"slices"
	"time"
)

// Revision is what people wrote of a postmortem, at one time. Content is opaque
// here: package postmortem reads it.
type Revision struct {
	Incident int64
	Rev      int64
	At       time.Time
	By       Person
	Fields   []string // what was changed against the one before
	Content  []byte
}

// Publication is a postmortem as it was published: frozen.
type Publication struct {
	Incident int64
	Edition  int64 // 1, 2, …
	Rev      int64
	At       time.Time
	By       Person
	Hash     string // SHA-256 of Document, in hex
	Document []byte // the whole document as JSON
}

// WritePostmortem stores what people wrote as the next revision.
type WritePostmortem struct {
	Request

	// Base is the revision that was written upon. When there is a newer one the
	// command is a Conflict and nothing is stored.
	Base    int64
	Fields  []string
	Content []byte
}

func (c WritePostmortem) decide(d *decision) error {
	p := d.inc.Postmortem
	switch {
	case !p.Open():
		return Errorf(Conflict, "The postmortem of %s is %s. Reopen it to change it.", d.inc.Key(), p.Stands())
	case c.Base != p.Rev:
		return Errorf(Conflict, "The postmortem of %s is at revision %d by now, and this was written upon revision %d. Take the newer text in and save again.",
			d.inc.Key(), p.Rev, c.Base)
	case len(c.Fields) == 0:
		return nil
	}
	if p.Stands() == PostmortemApproved { // it was approved as it stood before
		d.record(PostmortemMoved{From: p.Stands(), To: PostmortemInReview, Rev: p.Rev})
	}
	rev := p.Rev + 1
	d.record(PostmortemWritten{Rev: rev, Fields: c.Fields})
	d.revisions = append(d.revisions, Revision{
		Incident: d.inc.Number, Rev: rev, At: d.now, By: c.Actor.Person, Fields: c.Fields, Content: c.Content,
	})
	return nil
}

// MovePostmortem takes a postmortem to another state.
type MovePostmortem struct {
	Request

	To     PostmortemState
	Reason string
	// Rev is the revision that the mover has seen; any other is a Conflict.
	Rev int64
	// Gate says what is missing for it, judged inside the transaction; nil:
	// nothing is.
	Gate func(Incident) error
	// Freeze makes the document that is published, and its hash.
	Freeze func(inc Incident, edition int64) (document []byte, hash string, err error)
}

func (c MovePostmortem) decide(d *decision) error {
	p := d.inc.Postmortem
	reason, err := cleanText(c.Reason)
	if err != nil {
		return About("reason", err)
	}
	switch {
	case d.inc.Status.Open() || d.inc.Status == Declined || d.inc.Status == Merged:
		return Errorf(Conflict, "%s is %s. Its postmortem can be reviewed once it is resolved.", d.inc.Key(), d.inc.Status)
	case !slices.Contains(nextStates(p.Stands()), c.To):
		return Errorf(Conflict, "The postmortem of %s is %s; from there it can not become %s.", d.inc.Key(), p.Stands(), c.To)
	case c.Rev != p.Rev:
		return Errorf(Conflict, "The postmortem of %s was changed meanwhile (revision %d). Look at it again first.", d.inc.Key(), p.Rev)
	case c.To == PostmortemWaived && reason == "":
		return About("reason", Errorf(Invalid, "Say why %s needs no postmortem; the reason is kept.", d.inc.Key()))
	}
	if asked := p.AskedApprover; c.To == PostmortemApproved && asked != (Person{}) && asked.ID != c.Actor.ID {
		return Errorf(Forbidden, "The approval of the postmortem of %s is asked of %s. Ask them for it, or name somebody else to approve it.", d.inc.Key(), asked.Name)
	}
	if c.To == PostmortemPublished {
		if err := d.config.Permissions.may(c.Actor, ToPublish); err != nil {
			return err
		}
	}
	if c.Gate != nil {
		if err := c.Gate(d.inc); err != nil {
			return err
		}
	}
	moved := PostmortemMoved{From: p.Stands(), To: c.To, Rev: p.Rev, Reason: reason}
	if c.To == PostmortemPublished {
		moved.Edition = p.Edition + 1
		document, hash, err := c.Freeze(d.inc, moved.Edition)
		if err != nil {
			return err
		}
		moved.Hash = hash
		d.publications = append(d.publications, Publication{
			Incident: d.inc.Number, Edition: moved.Edition, Rev: p.Rev, At: d.now, By: c.Actor.Person, Hash: hash, Document: document,
		})
	}
	d.record(moved)
	d.tell()
	d.endByPostmortem()
	return nil
}

// nextStates lists the states that a postmortem can go to.
func nextStates(from PostmortemState) []PostmortemState {
	switch from {
	case PostmortemDraft:
		return []PostmortemState{PostmortemInReview, PostmortemWaived}
	case PostmortemInReview:
		return []PostmortemState{PostmortemApproved, PostmortemDraft, PostmortemWaived}
	case PostmortemApproved:
		return []PostmortemState{PostmortemPublished, PostmortemInReview, PostmortemWaived}
	default:
		return []PostmortemState{PostmortemDraft}
	}
}

// endByPostmortem closes a resolved incident whose postmortem is done with.
func (d *decision) endByPostmortem() {
	if d.inc.Status != Resolved || d.inc.Postmortem.Open() {
		return
	}
	d.end(StatusChanged{From: Resolved, To: Closed})
}
