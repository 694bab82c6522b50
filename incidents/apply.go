package incidents

import (
	"slices"
	"time"
)

func (d Declared) apply(inc *Incident, e Event) {
	inc.Title, inc.Summary, inc.Service = d.Title, d.Summary, d.Service
	inc.Severity, inc.Status, inc.Detection = d.Severity, d.Status, d.Detection
	inc.Private, inc.Drill = d.Private, d.Drill
	inc.BridgeURL, inc.ReportedIn, inc.Follows = d.BridgeURL, d.ReportedIn, d.Follows
	inc.Runbook, inc.Invite, inc.Storm = d.Runbook, d.Invite, d.Storm
	inc.Reporter = Actor{Person: e.Actor.Person, Via: e.Actor.Via}
	inc.OpenedAt = e.RecordedAt
	for key, at := range d.Times {
		inc.setTime(key, at)
	}
}

func (d StatusChanged) apply(inc *Incident, e Event) {
	inc.Status, inc.ToldAt, inc.Ended = d.To, e.RecordedAt, 0
	if d.To == Closed || d.To == Declined {
		inc.Ended = e.Seq
	}
	switch {
	case d.To.Open() && !d.From.Open():
		inc.OpenedAt, inc.DraftSeen = e.RecordedAt, false
	case d.From.Open() && !d.To.Open():
		inc.EndedAt, inc.UpdateDue = e.RecordedAt, time.Time{}
	}
	if d.Text != "" {
		inc.LastUpdate = d.Text
	}
}

func (d SeverityChanged) apply(inc *Incident, _ Event) { inc.Severity = d.To }

func (d RoleAssigned) apply(inc *Incident, e Event) {
	if d.Person.ID == "" {
		delete(inc.Roles, d.Role)
		if inc.Vacated == nil {
			inc.Vacated = map[Role]time.Time{}
		}
		inc.Vacated[d.Role] = e.RecordedAt
		return
	}
	delete(inc.Vacated, d.Role)
	if inc.Roles == nil {
		inc.Roles = map[Role]Person{}
	}
	inc.Roles[d.Role] = d.Person
}

func (d KeyTimeSet) apply(inc *Incident, _ Event) { inc.setTime(d.Key, d.Instant) }

func (d Renamed) apply(inc *Incident, _ Event) { inc.Title = d.To }

func (d AlertsReceived) apply(inc *Incident, _ Event) {
	inc.Firing = counted(inc.Firing, d.Group, d.Firing)
	inc.Unseen = counted(inc.Unseen, d.Group, d.Unseen)
	inc.Alerted = true
}

// counted notes a group's count; nothing is kept of 0.
func counted(counts map[string]int, group string, n int) map[string]int {
	if n == 0 {
		delete(counts, group)
		return counts
	}
	if counts == nil {
		counts = map[string]int{}
	}
	counts[group] = n
	return counts
}

func (d ChannelOpened) apply(inc *Incident, _ Event) {
	if inc.Channel != nil && inc.Channel.ID != d.Channel.ID {
		inc.Former = append(slices.Clone(inc.Former), *inc.Channel)
	}
	c := d.Channel
	inc.Channel, inc.Card = &c, nil
}

func (d CardPosted) apply(inc *Incident, _ Event) {
	m := d.Card
	inc.Card = &m
}

func (EffectFailed) apply(*Incident, Event) {}
func (EffectMended) apply(*Incident, Event) {}
func (RepairAsked) apply(*Incident, Event)  {}

// setTime keeps a key time, or forgets it when the instant is zero.
func (inc *Incident) setTime(key KeyTime, at Instant) {
	if at.At.IsZero() {
		delete(inc.Times, key)
		return
	}
	if inc.Times == nil {
		inc.Times = map[KeyTime]Instant{}
	}
	inc.Times[key] = at
}
