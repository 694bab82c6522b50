package setup

import (
	"context"
	"fmt"
	"regexp"
)

// personOrGroup is the form of the ids that can be invited: U… and W… are
// people, S… user groups.
var personOrGroup = regexp.MustCompile(`^[UWS][A-Z0-9]+$`)

// people checks the ids that one key of the configuration lists. Only what is
// wrong is told one by one.
func (c *checkup) people(ctx context.Context, listed Listed) {
	if len(listed.IDs) == 0 {
		return
	}
	bad := 0
	for _, id := range listed.IDs {
		problem, err := c.person(ctx, id)
		check := listed.Key + " " + id
		switch {
		case err != nil:
			c.unknown(check, err)
		case problem != "" && listed.Need:
			c.note(check, Failing, problem, "correct "+listed.Key+", or take it out")
		case problem != "":
			c.note(check, Warning, problem, "correct "+listed.Key+", or take it out")
		default:
			continue
		}
		bad++
	}
	if bad == 0 {
		c.note(listed.Key, Fine, fmt.Sprintf("all %d are there", len(listed.IDs)), "")
	}
}

// person says what is wrong with an id, or "".
func (c *checkup) person(ctx context.Context, id string) (string, error) {
	if !personOrGroup.MatchString(id) {
		return `is no id of a person (U…) or a user group (S…); the profile in Slack has it under "Copy member ID"`, nil
	}
	if id[0] == 'S' {
		members, err := c.api().GetUserGroupMembersContext(ctx, id)
		switch {
		case refusedAs(err, "no_such_subteam", "subteam_not_found"):
			return "there is no such user group, or it is switched off", nil
		case err != nil:
			return "", err
		case len(members) == 0:
			return "the user group has no members", nil
		}
		return "", nil
	}
	user, err := c.api().GetUserInfoContext(ctx, id)
	switch {
	case refusedAs(err, "user_not_found", "user_not_visible"):
		return "there is no such person in the workspace", nil
	case err != nil:
		return "", err
	case user.Deleted:
		return user.Name + " is deactivated", nil
	case user.IsUltraRestricted:
		return user.Name + " is a guest who can be in one channel only", nil
	case user.IsBot:
		return user.Name + " is a bot", nil
	}
	return "", nil
}
