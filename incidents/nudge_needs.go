package incidents

import (
	"strconv"
	"time"
)

// NudgePolicy says when people are asked. Zone is required.
type NudgePolicy struct {
	// UpdateEvery is how long followers are left without an update, by severity;
	// a severity that is not there is not asked for updates.
	UpdateEvery map[Severity]time.Duration
	// Commander and Communications are how long a role may be free.
	Commander, Communications time.Duration
	// Stale is how long an open incident may be without anything happening.
	Stale time.Duration
	Quiet QuietHours
	// Zone gives a person's time zone; of an empty id the configured one. It must
	// answer from memory.
	Zone func(id string) *time.Location
	// Lead gives who is asked about a person's items that are long overdue; nil:
	// nobody is. It must answer from memory.
	Lead func(id string) Person
}

// DefaultNudges are what Houston asks where nothing else is said.
func DefaultNudges() NudgePolicy {
	return NudgePolicy{
		UpdateEvery: map[Severity]time.Duration{Sev1: 30 * time.Minute, Sev2: time.Hour, Sev3: 4 * time.Hour},
		Commander:   5 * time.Minute, Communications: 10 * time.Minute, Stale: 24 * time.Hour,
		Quiet: QuietHours{Start: 22 * time.Hour, End: 8 * time.Hour},
		Zone:  func(string) *time.Location { return time.UTC },
	}
}

// need is something an incident wants of people.
type need struct {
	kind   NudgeKind
	target string
	// person is who is to do it; empty: whoever reads it in the channel.
	person Person
	// direct has the person asked in a direct message.
	direct bool
	// from is the moment from which it is asked. When it moves on after it was
	// asked, what was asked for has been done.
	from time.Time
	// again is the distance of two questions, doubled each time when it eases.
	again time.Duration
	eases bool
	// mornings has it asked again at nine by the clock of the person asked, as many
	// days later as again has.
	mornings bool
	// waits for the day: it is not asked in quiet hours.
	waits bool
}

func (n need) name() string { return nudgeName(n.kind, n.target) }

// needs lists what an incident wants of people, the most urgent first.
func (p *NudgePolicy) needs(inc Incident) []need {
	var all []need
	if inc.Channel != nil && inc.Status.Open() {
		all = append(all, p.responseNeeds(inc)...)
	}
	if inc.Drill {
		return all // a drill asks nobody outside of its channel
	}
	all = append(all, p.draftNeeds(inc)...)
	all = append(all, p.actionNeeds(inc)...)
	all = append(all, p.reviewNeeds(inc)...)
	return append(all, p.followUpNeeds(inc)...)
}

// grave incidents do not wait for the day.
func grave(s Severity) bool { return s == Sev1 || s == Sev2 }

// responseNeeds are those of an incident that people work on.
func (p *NudgePolicy) responseNeeds(inc Incident) []need {
	var all []need
	waits := !grave(inc.Severity)
	if _, led := inc.Commander(); !led {
		all = append(all, need{
			kind: NudgeCommander, from: latest(inc.OpenedAt, inc.Vacated[Commander]).Add(p.Commander),
			again: 15 * time.Minute, eases: true, waits: waits,
		})
	}
	if every, ok := p.UpdateEvery[inc.Severity]; inc.Status != Triage && (ok || !inc.UpdateDue.IsZero()) {
		commander, _ := inc.Commander()
		from := latest(inc.OpenedAt, inc.ToldAt).Add(every)
		if !inc.UpdateDue.IsZero() { // promised with the last one
			from = inc.UpdateDue
		}
		all = append(all, need{
			kind: NudgeUpdate, person: commander, from: from, again: max(every, 30*time.Minute), eases: true, waits: waits,
		})
	}
	if _, taken := inc.Roles[Communications]; !taken && grave(inc.Severity) && inc.Status != Triage {
		all = append(all, need{
			kind: NudgeCommunications, from: latest(inc.OpenedAt, inc.Vacated[Communications]).Add(p.Communications),
			again: time.Hour, eases: true,
		})
	}
	return append(all, need{
		kind: NudgeStale, from: latest(inc.OpenedAt, inc.ActiveAt).Add(p.Stale), again: p.Stale, waits: true,
	})
}

// draftNeeds asks the owner for the postmortem on the morning after.
func (p *NudgePolicy) draftNeeds(inc Incident) []need {
	if inc.Status != Resolved || inc.DraftSeen || inc.Postmortem.Rev > 0 || inc.Postmortem.State != "" {
		return nil // somebody is at it
	}
	n := need{kind: NudgeDraft, again: day, eases: true, mornings: true, waits: true}
	owner, _ := inc.PostmortemOwner()
	n.person, n.direct = asked(inc, owner)
	n.from = nextMorning(inc.EndedAt, p.Zone(owner.ID))
	return []need{n}
}

// actionNeeds asks the owners of action items on the day they are due, and then
// weekly.
func (p *NudgePolicy) actionNeeds(inc Incident) []need {
	var all []need
	for _, item := range inc.Actions {
		due, err := time.Parse(time.DateOnly, item.Due)
		if err != nil || item.Proposed || item.Owner.ID == "" || (item.Stands() != ActionOpen && item.Stands() != ActionInProgress) {
			continue
		}
		n := need{kind: NudgeAction, target: strconv.FormatInt(item.ID, 10), again: 7 * day, mornings: true, waits: true}
		n.person, n.direct = asked(inc, item.Owner)
		n.from = Micros(time.Date(due.Year(), due.Month(), due.Day(), morning, 0, 0, 0, p.Zone(item.Owner.ID)))
		all = append(all, n)
	}
	return all
}

// asked says how a person is asked: directly, but of a private incident only in
// its channel, where everybody may know of it. Whoever reported by another way
// than the chat has no direct messages.
func asked(inc Incident, who Person) (Person, bool) {
	chats := who.ID != "" && (who.ID != inc.Reporter.ID || inc.Reporter.Via == FromSlack)
	return who, chats && !inc.Private
}

func latest(times ...time.Time) time.Time {
	var last time.Time
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}
