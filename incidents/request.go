package incidents

// Request is who asks, from where, and by which delivery.
type Request struct {
	Actor Actor
	// In is the id of the chat channel it came from; empty elsewhere.
	In   string
	Once Once
}

// Sees reports whether the one who asks may know that the incident exists.
func (s *Service) Sees(req Request, inc Incident) bool { return s.config.Permissions.sees(req, inc) }

func (p Permissions) sees(req Request, inc Incident) bool {
	switch {
	case inc.Channel != nil && req.In == inc.Channel.ID:
		return true // a channel of a private incident is open to its members only
	case req.Actor.Standing == Trusted && req.Actor.Via == FromAPI:
		return !inc.Private || p.TokenPrivate
	case req.Actor.Standing == Trusted:
		return true
	case req.Actor.Standing != Member:
		return false
	case !inc.Private:
		return true
	default:
		return req.Actor.ID == inc.Reporter.ID || names(p.SeePrivate, req.Actor)
	}
}

// SeesAllPrivate reports whether private incidents are in the actor's lists.
func (s *Service) SeesAllPrivate(actor Actor) bool {
	if actor.Standing == Trusted && actor.Via == FromAPI {
		return s.config.Permissions.TokenPrivate
	}
	return actor.Standing == Member && names(s.config.Permissions.SeePrivate, actor)
}

func unproven() *Error {
	return Errorf(Unavailable, "Slack did not tell who you are, so nothing was done. Try again in a moment.")
}

// mayDeclare says who may open incidents.
func mayDeclare(actor Actor) error {
	switch actor.Standing {
	case Member, Trusted:
		return nil
	case Guest, Stranger:
		return Errorf(Forbidden, "Guests can not declare incidents. Tell a member of this workspace, or write in a channel you share.")
	default:
		return unproven()
	}
}
