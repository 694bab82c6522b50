package incidents

// MayAudit says whether an actor may read who did what across incidents: where
// permissions name administrators, they; elsewhere every member.
func (s *Service) MayAudit(actor Actor) error {
	admins := s.config.Permissions.Admin
	switch {
	case actor.Standing == Trusted:
		return nil
	case actor.Standing != Member:
		return Errorf(Forbidden, "The audit is for members of this workspace.")
	case len(admins) > 0 && !names(admins, actor):
		return Errorf(Forbidden, "The audit is for Houston's administrators here (permissions.admin). Ask one of them.")
	default:
		return nil
	}
}
