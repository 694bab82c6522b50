package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

func (p PostmortemConfig) validate(all *complaints) {
	for i, severity := range p.RequiredFor {
		all.severity(fmt.Sprintf("postmortem.required_for[%d]", i), severity)
	}
	person := func(key, id string) {
		if !slackID.MatchString(id) || strings.HasPrefix(id, "S") {
			all.add(key, "%q is no person; write a user's id (U…), from the profile in Slack", id)
		}
	}
	if p.Lead != "" {
		person("postmortem.lead", p.Lead)
	}
	for i, l := range p.Leads {
		key := fmt.Sprintf("postmortem.leads[%d]", i)
		person(key+".lead", l.Lead)
		if !slackID.MatchString(l.Group) || !strings.HasPrefix(l.Group, "S") {
			all.add(key+".group", "%q is no user group; write its id (S…), from its page in Slack", l.Group)
		}
	}
}

// groups are the user groups whose members are to be known.
func (p PostmortemConfig) groups() []string {
	var groups []string
	for _, l := range p.Leads {
		groups = append(groups, l.Group)
	}
	return groups
}

// lead gives a person's lead: that of the first group he is in, else the one of
// all. Members tells who is in a group, from memory.
func (p PostmortemConfig) lead(id string, members func(group string) ([]string, bool)) incidents.Person {
	for _, l := range p.Leads {
		if people, ok := members(l.Group); ok && slices.Contains(people, id) {
			return incidents.Person{ID: l.Lead, Name: l.Lead}
		}
	}
	return incidents.Person{ID: p.Lead, Name: p.Lead}
}
