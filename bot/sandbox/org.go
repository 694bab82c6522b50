package sandbox

import "cmp"

// In an Enterprise organisation payloads name the organisation, people have IDs
// that begin with W, and an app that is installed for the whole organisation has
// to say which workspace it means (docs.slack.dev/enterprise/developing-for-enterprise-orgs).

// org is the organisation that the workspace belongs to; a zero id means none.
type org struct {
	id, name  string
	installed bool // the app is installed for all of it
}

func orgOf(cfg Config) org {
	if cfg.EnterpriseID == "" {
		return org{}
	}
	return org{id: cfg.EnterpriseID, name: cmp.Or(cfg.EnterpriseName, "Sandbox Org"), installed: cfg.OrgInstall}
}

// ref is the enterprise object of interactive payloads, null outside of an
// organisation.
func (o org) ref() any {
	if o.id == "" {
		return nil
	}
	return object{"id": o.id, "name": o.name}
}

// idOrNull is the enterprise_id of an event's authorizations.
func (o org) idOrNull() any {
	if o.id == "" {
		return nil
	}
	return o.id
}

// mark puts the organisation's fields into an object, none outside of one.
func (o org) mark(out object) {
	if o.id != "" {
		out["enterprise_id"], out["enterprise_name"] = o.id, o.name
	}
}

// envelope names the organisation and the workspace that an event is about.
func (o org) envelope(out object, team string) {
	if o.id != "" {
		out["enterprise_id"], out["context_enterprise_id"], out["context_team_id"] = o.id, o.id, team
	}
}

// checkTeam refuses calls with an organisation's token that do not say which
// workspace they are about, where the method needs it.
func (c *call) checkTeam() error {
	if !c.st.org.installed || !c.m.team {
		return nil
	}
	switch c.args["team_id"] {
	case "":
		return fail("missing_argument")
	case c.st.teamID:
		return nil
	default:
		return fail("team_access_not_granted")
	}
}
