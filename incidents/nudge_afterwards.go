package incidents

import (
	"strconv"
	"time"
)

// The nudges of the time after an incident: the review of its postmortem, and
// action items before and long after their date.
const (
	NudgeWriting    NudgeKind = "writing"        // the draft was begun and is not in review yet
	NudgeReview     NudgeKind = "review"         // it waits for somebody's approval
	NudgeActionSoon NudgeKind = "action_soon"    // Target: the id of an item that is due in two days
	NudgeVerify     NudgeKind = "action_verify"  // Target: the id of an item that is done and not verified
	NudgeOverdue    NudgeKind = "action_overdue" // Target: the id of an item; asks the lead
)

const (
	day = 24 * time.Hour
	// overdueFor is how many days after its date an item goes to its owner's lead.
	overdueFor = 7
)

// reviewNeeds ask for what takes a postmortem on: the owner on the second and
// fourth day to finish it, and a reviewer who is not the owner to approve it.
func (p *NudgePolicy) reviewNeeds(inc Incident) []need {
	if inc.Status != Resolved && inc.Status != Closed {
		return nil
	}
	owner, _ := inc.PostmortemOwner()
	begun := inc.DraftSeen || inc.Postmortem.Rev > 0 || inc.Postmortem.State != ""
	switch {
	case inc.Postmortem.Stands() == PostmortemInReview:
		n := need{kind: NudgeReview, again: 2 * day, mornings: true, waits: true, from: nextMorning(inc.Postmortem.MovedAt, p.Zone(""))}
		for _, r := range append([]Person{inc.Postmortem.AskedApprover}, inc.Postmortem.Reviewers...) {
			if r.ID != "" && r.ID != owner.ID {
				n.person, n.direct = asked(inc, r)
				n.from = nextMorning(inc.Postmortem.MovedAt, p.Zone(r.ID))
				break
			}
		}
		return withWay(inc, n)
	case inc.Status == Resolved && inc.Postmortem.Stands() == PostmortemDraft && begun:
		n := need{kind: NudgeWriting, again: 2 * day, mornings: true, waits: true}
		n.person, n.direct = asked(inc, owner)
		n.from = nextMorning(latest(inc.EndedAt, inc.Postmortem.MovedAt).In(p.Zone(owner.ID)).AddDate(0, 0, 1), p.Zone(owner.ID))
		return withWay(inc, n)
	default:
		return nil
	}
}

// missed reports a question whose time has passed unasked: what is due today is
// not announced for the day after tomorrow.
func (n need) missed(now time.Time) bool {
	return n.kind == NudgeActionSoon && now.After(n.from.Add(day))
}

// withWay leaves out what nobody can be asked: there is neither a person nor a
// channel.
func withWay(inc Incident, n need) []need {
	if !n.direct && inc.Channel == nil {
		return nil
	}
	return []need{n}
}

// followUpNeeds ask about action items: two days before their date, long after
// it (the lead), and until somebody else has verified what asks for it.
func (p *NudgePolicy) followUpNeeds(inc Incident) []need {
	var all []need
	for _, item := range inc.Actions {
		n := need{target: strconv.FormatInt(item.ID, 10), mornings: true, waits: true}
		due, err := time.Parse(time.DateOnly, item.Due)
		switch working := item.Stands() == ActionOpen || item.Stands() == ActionInProgress; {
		case item.Stands() == ActionDone && item.Type.Verified():
			owner, _ := inc.PostmortemOwner()
			n.kind, n.again, n.from = NudgeVerify, 7*day, nextMorning(item.DoneAt, p.Zone(owner.ID))
			if !SamePerson(owner, item.DoneBy) {
				n.person, n.direct = asked(inc, owner)
			}
			all = append(all, withWay(inc, n)...)
		case err != nil || item.Proposed || item.Owner.ID == "" || !working:
		default:
			zone := p.Zone(item.Owner.ID)
			at := time.Date(due.Year(), due.Month(), due.Day(), morning, 0, 0, 0, zone)
			soon := n
			soon.kind, soon.from, soon.again = NudgeActionSoon, Micros(at.AddDate(0, 0, -2)), 365*day // once
			soon.person, soon.direct = asked(inc, item.Owner)
			all = append(all, withWay(inc, soon)...)
			if p.Lead != nil && p.Lead(item.Owner.ID).ID != "" && p.Lead(item.Owner.ID).ID != item.Owner.ID {
				n.kind, n.from, n.again = NudgeOverdue, Micros(at.AddDate(0, 0, overdueFor)), 7*day
				n.person, n.direct = asked(inc, p.Lead(item.Owner.ID))
				all = append(all, withWay(inc, n)...)
			}
		}
	}
	return all
}
