package main

import (
	"cmp"
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
	names := map[string]bool{}
	for i, team := range p.Teams {
		key := fmt.Sprintf("postmortem.teams[%d]", i)
		if team.Lead != "" {
			person(key+".lead", team.Lead)
		}
		if !slackID.MatchString(team.Group) || !strings.HasPrefix(team.Group, "S") {
			all.add(key+".group", "%q is no user group; write its id (S…), from its page in Slack", team.Group)
		}
		if names[team.name()] {
			all.add(key+".name", "two teams are called %q; give each a name of its own", team.name())
		}
		names[team.name()] = true
	}
}

// groups are the user groups whose members are to be known.
func (p PostmortemConfig) groups() []string {
	var groups []string
	for _, team := range p.Teams {
		groups = append(groups, team.Group)
	}
	return groups
}

func (t TeamConfig) name() string { return cmp.Or(t.Name, t.Group) }

// lead gives a person's lead: that of the first team he is in, else the one of
// all. Members tells who is in a group, from memory.
func (p PostmortemConfig) lead(id string, members func(group string) ([]string, bool)) incidents.Person {
	lead := p.Lead
	for _, team := range p.Teams {
		if people, ok := members(team.Group); ok && slices.Contains(people, id) {
			lead = cmp.Or(team.Lead, p.Lead)
			break
		}
	}
	return incidents.Person{ID: lead, Name: lead}
}
