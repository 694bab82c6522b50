package incidents

import "slices"

// SetRoles gives roles to people in one go, as a hand-over at the end of a shift
// does. A role that is absent, or whose person has it already, stays as it is;
// an empty person frees it.
type SetRoles struct {
	Request

	Roles map[Role]Person
	// Summary is what the next ones have to know; it needs a role that changes
	// hands.
	Summary string
}

func (c SetRoles) decide(d *decision) error {
	summary, err := cleanText(c.Summary)
	if err != nil {
		return err
	}
	var changes []Role
	for _, role := range Roles() {
		if person, ok := c.Roles[role]; ok && person.ID != d.inc.Roles[role].ID {
			changes = append(changes, role)
		}
	}
	if len(changes) == 0 {
		if summary != "" {
			return Errorf(Invalid, "Nobody takes a role over, so there is nobody to hand the summary to. Choose who takes over.")
		}
		return nil
	}
	// The summary goes to the one who leads, or else to whoever takes over first.
	heir := changes[0]
	if slices.Contains(changes, Commander) {
		heir = Commander
	}
	for _, role := range changes {
		assign := Assign{Request: c.Request, Role: role, Person: c.Roles[role]}
		if role == heir {
			assign.Summary = summary
		}
		if err := assign.decide(d); err != nil {
			return err
		}
	}
	return nil
}
