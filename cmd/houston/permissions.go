package main

import "github.com/houston-sre/houston/incidents"

// permissions is who may do what, as the domain asks it.
func (c Config) permissions() incidents.Permissions {
	return incidents.Permissions{
		Publish: c.Permissions.Publish, Page: c.Permissions.Page, Silence: c.Permissions.Silence,
		SeePrivate: c.Permissions.SeePrivate, Admin: c.Permissions.Admin, TokenPrivate: c.Web.TokenPrivate,
	}
}
