package incidents

import (
	"slices"
	"strconv"
	"time"
)

// StaffPostmortem names the owner, the reviewers and who is to approve. Nil
// fields stay; an empty person takes the name away.
type StaffPostmortem struct {
	Request

	Owner     *Person
	Reviewers *[]Person
	Approver  *Person
	// Gate refuses what others changed meanwhile, judged inside the transaction;
	// nil: nothing is refused.
	Gate func(Incident) error
}

func (c StaffPostmortem) decide(d *decision) error {
	p := d.inc.Postmortem
	staffed := PostmortemStaffed{Owner: p.Owner, Reviewers: p.Reviewers, Approver: p.AskedApprover}
	if c.Owner != nil {
		staffed.Owner = *c.Owner
	}
	if c.Reviewers != nil {
		staffed.Reviewers = *c.Reviewers
	}
	if c.Approver != nil {
		staffed.Approver = *c.Approver
	}
	if staffed.Owner == p.Owner && staffed.Approver == p.AskedApprover && slices.Equal(staffed.Reviewers, p.Reviewers) {
		return nil
	}
	if c.Gate != nil {
		if err := c.Gate(d.inc); err != nil {
			return err
		}
	}
	then := d.inc
	then.Postmortem.Owner = staffed.Owner
	if owner, ok := then.PostmortemOwner(); ok && staffed.Approver.ID != "" && owner.ID == staffed.Approver.ID {
		return About("approver", Errorf(Invalid, "%s owns the postmortem of %s. Name somebody else to approve it.", owner.Name, d.inc.Key()))
	}
	d.record(staffed)
	return nil
}

// PlanReview proposes the review meeting, or another time for it.
type PlanReview struct {
	Request

	At      time.Time
	Minutes int // 0: an hour
	// Gate refuses what others proposed meanwhile, judged inside the transaction;
	// nil: nothing is refused.
	Gate func(Incident) error
}

func (c PlanReview) decide(d *decision) error {
	minutes := c.Minutes
	if minutes == 0 {
		minutes = 60
	}
	switch {
	case !d.inc.Postmortem.Open():
		return Errorf(Conflict, "The postmortem of %s is %s; there is nothing to review.", d.inc.Key(), d.inc.Postmortem.Stands())
	case c.At.Before(d.now):
		return About("at", Errorf(Invalid, "%s has passed. Give a time in the future for the review.", c.At.UTC().Format("2006-01-02 15:04 MST")))
	case minutes < 5 || minutes > 8*60:
		return About("minutes", Errorf(Invalid, "A review of %d minutes can not be planned. Give 5 to 480.", minutes))
	}
	if c.Gate != nil {
		if err := c.Gate(d.inc); err != nil {
			return err
		}
	}
	meeting := Meeting{At: Micros(c.At), Minutes: minutes, By: c.Actor.Person}
	if before := d.inc.Postmortem.Meeting; !before.At.IsZero() {
		meeting.Sequence = before.Sequence + 1
	}
	d.record(ReviewPlanned{Meeting: meeting})
	d.tell()
	if d.inc.writable() { // the file for calendars
		d.run(MakeFile, strconv.FormatInt(d.inc.Seq, 10), 1)
	}
	return nil
}
