package main

import "github.com/houston-sre/houston/incidents"

// permissions is who may do what, as the domain asks it.
func (c Config) permissions() incidents.Permissions {
	return incidents.Permissions{
		Publish: c.Permissions.Publish, Page: c.Permissions.Page, Silence: c.Permissions.Silence,
		SeePrivate: c.Permissions.SeePrivate, Admin: c.Permissions.Admin, TokenPrivate: c.Web.TokenPrivate,
	}
}

// severities lists those that owe a postmortem; the configuration is valid.
func (p PostmortemConfig) severities() []incidents.Severity {
	list := make([]incidents.Severity, 0, len(p.RequiredFor))
	for _, name := range p.RequiredFor {
		if severity, err := incidents.ParseSeverity(name); err == nil {
			list = append(list, severity)
		}
	}
	return list
}
