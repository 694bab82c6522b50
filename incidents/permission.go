package incidents

import "slices"

// Permission names what the configuration can restrict to some people.
type Permission string

// The permissions, by their keys below "permissions" in the configuration.
const (
	ToPublish Permission = "publish" // put something onto the status page, or take it off; publish a postmortem
	ToPage    Permission = "page"    // wake people up
	ToSilence Permission = "silence" // silence alerts at their source
	// ToAdmin is for what takes something from others: it redacts what somebody
	// else wrote.
	ToAdmin Permission = "admin"
)

// Permissions restrict some actions to users and user groups, by their ids. An
// empty list restricts nothing. SeePrivate is the other way round: it grants,
// and an empty list grants nobody the sight of private incidents he is not in.
type Permissions struct {
	Publish    []string
	Page       []string
	Silence    []string
	SeePrivate []string
	Admin      []string
	// TokenPrivate lets the API token see private incidents.
	TokenPrivate bool
}

// Lists gives all lists, so that who is in their user groups can be looked up.
func (p Permissions) Lists() [][]string {
	return [][]string{p.Publish, p.Page, p.Silence, p.SeePrivate, p.Admin}
}

func (p Permissions) list(of Permission) []string {
	switch of {
	case ToPublish:
		return p.Publish
	case ToPage:
		return p.Page
	case ToSilence:
		return p.Silence
	default:
		return p.Admin
	}
}

// May tells, in words, when an actor lacks a permission. Guests and people from
// connected workspaces never have one.
func (s *Service) May(actor Actor, what Permission) error {
	return s.config.Permissions.may(actor, what)
}

func (p Permissions) may(actor Actor, what Permission) error {
	list := p.list(what)
	switch {
	case actor.Standing == Trusted:
		return nil
	case actor.Standing == Unproven:
		return unproven()
	case actor.Standing != Member:
		return Errorf(Forbidden, "As a guest you can not do this. Ask a member of this workspace.")
	case len(list) == 0 || names(list, actor):
		return nil
	default:
		return Errorf(Forbidden, "You may not do this: permissions.%s names others. Ask one of them, or whoever runs Houston.", what)
	}
}

// restricted is a command that needs a permission.
type restricted interface{ permission() Permission }

// writing is a command that only writes down what somebody says: guests and
// people from connected workspaces may do that in the channel they are in.
// Everything else is for members.
type writing interface{ writes() }

func (PublishNotice) permission() Permission  { return ToPublish }
func (WithdrawNotice) permission() Permission { return ToPublish }

func (Note) writes()      {}
func (Capture) writes()   {}
func (Release) writes()   {}
func (Edited) writes()    {}
func (AddAction) writes() {}

// mayDo says whether somebody who sees an incident may do a command to it.
func (p Permissions) mayDo(req Request, command any) error {
	switch req.Actor.Standing {
	case Member, Trusted:
		if r, ok := command.(restricted); ok {
			return p.may(req.Actor, r.permission())
		}
		return nil
	case Guest, Stranger:
		if _, ok := command.(writing); !ok {
			return Errorf(Forbidden, "As a guest you can write and read along, `catchup`, note something with `timeline` and propose an `action`. Ask a member of this workspace for the rest.")
		}
		return nil
	default:
		return unproven()
	}
}

func names(list []string, actor Actor) bool {
	return slices.ContainsFunc(list, func(id string) bool {
		return id != "" && (id == actor.ID || slices.Contains(actor.Groups, id))
	})
}
