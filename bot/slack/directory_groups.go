package slack

import (
	"slices"

	"github.com/houston-sre/houston/incidents"
)

// LearnGroup takes in who is in a user group, as Slack sent it, when it is one of
// those that are to be known. It calls nobody and never waits: whoever left the
// group lacks its permissions from now on.
func (d *Directory) LearnGroup(group string, members []string) {
	d.mu.Lock()
	if !slices.Contains(d.config.Groups, group) {
		d.mu.Unlock()
		return
	}
	d.groups[group] = members
	var changed []incidents.Profile
	for id, p := range d.people {
		before := p.Profile
		p.Groups = d.groupsOf(id, p.Groups)
		d.people[id] = p
		if !sameProfile(before, p.Profile) {
			changed = append(changed, p.Profile)
		}
	}
	d.mu.Unlock()
	for _, profile := range changed {
		select {
		case d.learnt <- profile:
		default: // the next refresh stores it
		}
	}
}

// takeGroup learns who is in a user group now
// (https://docs.slack.dev/reference/events/subteam_updated).
func (e *Edge) takeGroup(d eventDelivery) error {
	var event struct {
		Subteam struct {
			ID      string   `json:"id"`
			Deleted int64    `json:"date_delete"`
			Users   []string `json:"users"`
		} `json:"subteam"`
	}
	if err := decodeEvent(d, &event); err != nil {
		return err
	}
	if event.Subteam.Deleted != 0 {
		event.Subteam.Users = nil // a group that is switched off permits nothing
	}
	e.config.Directory.LearnGroup(event.Subteam.ID, event.Subteam.Users)
	return nil
}
