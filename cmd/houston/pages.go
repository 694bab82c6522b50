package main

import (
	"cmp"
	"fmt"

	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/bot/web/pages"
)

// readers tells the pages who people are and which private channels they are in.
type readers struct {
	*slack.Directory
	*slack.Memberships
}

// newPages makes what people see in a browser.
func (a *app) newPages() (*pages.Pages, error) {
	p, err := pages.New(pages.Config{
		Service: a.service, Store: a.store, Clock: a.clock, Log: a.log, Metrics: a.metrics,
		People: readers{a.people, slack.NewMemberships(a.client, a.clock)},
		Auth:   pages.Auth(a.config.Web.Auth), PublicURL: cmp.Or(a.config.PublicURL, a.here),
		OIDC: pages.OIDCConfig{
			ClientID: a.config.Web.OIDC.ClientID, ClientSecret: string(a.config.Web.OIDC.ClientSecret),
			Issuer: a.config.Web.OIDC.URL,
		},
		Language: a.config.Language, Zone: a.zone, Command: a.config.Slack.Command,
		StatusPage: a.config.statusPageURL(), Postmortems: a.postmortems, Meeting: a.meeting, Files: a.files,
		Teams: a.teams(), Render: a.render,
	})
	if err != nil {
		return nil, fmt.Errorf("make the pages: %w", err)
	}
	return p, nil
}

// teams are the configured ones, with whoever is in them at the moment.
func (a *app) teams() []pages.Team {
	var teams []pages.Team
	for _, team := range a.config.Postmortem.Teams {
		teams = append(teams, pages.Team{Name: team.name(), Members: func() []string {
			members, _ := a.people.Members(team.Group)
			return members
		}})
	}
	return teams
}

// hereOf is the address of a server that only this machine reaches, for links
// where public_url is not set; empty for others.
func hereOf(listening string) string {
	if !loopback(listening) {
		return ""
	}
	return "http://" + listening
}
