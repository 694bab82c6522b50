package sandbox

import (
	"slices"
	"strings"
)

func userMethods() map[string]*method {
	read := []string{"users:read"}
	groups := []string{"usergroups:read"}
	return map[string]*method{
		"users.info":            {scopes: read, required: []string{"user"}, errors: []string{"user_not_found"}, run: userInfo},
		"users.list":            {scopes: read, team: true, errors: []string{"invalid_cursor"}, run: userList},
		"users.lookupByEmail":   {scopes: []string{"users:read.email"}, required: []string{"email"}, errors: []string{"users_not_found"}, run: userByEmail},
		"usergroups.list":       {scopes: groups, team: true, run: groupList},
		"usergroups.users.list": {scopes: groups, required: []string{"usergroup"}, errors: []string{"no_such_subteam"}, run: groupUsers},
	}
}

// profile is a user as the app may see them: e-mail addresses need their scope.
func (c *call) profile(u *User) object {
	o := c.st.userWire(u)
	if u.Email != "" && !u.Deleted && c.st.granted("users:read.email") {
		o["profile"].(object)["email"] = u.Email
	}
	if c.args.bool("include_locale") && !u.Deleted {
		o["locale"] = u.Locale
	}
	return o
}

func userInfo(c *call) (object, error) {
	u := c.st.users[c.args["user"]]
	if u == nil {
		return nil, fail("user_not_found")
	}
	return object{"user": c.profile(u)}, nil
}

// userList leaves out people from connected workspaces, as Slack does.
func userList(c *call) (object, error) {
	list := []object{}
	for _, id := range c.st.userOrder {
		if u := c.st.users[id]; !u.Stranger {
			list = append(list, c.profile(u))
		}
	}
	limit, ok := c.args.limit(len(list))
	if !ok {
		return nil, invalidArguments("must be a number [json-pointer:/limit]")
	}
	page, next, err := paged(c, list, limit)
	if err != nil {
		return nil, err
	}
	return object{"members": page, "cache_ts": c.st.now().Unix(), "response_metadata": object{"next_cursor": next}}, nil
}

// userByEmail finds active members only.
func userByEmail(c *call) (object, error) {
	for _, id := range c.st.userOrder {
		if u := c.st.users[id]; !u.Deleted && strings.EqualFold(u.Email, c.args["email"]) {
			return object{"user": c.profile(u)}, nil
		}
	}
	return nil, fail("users_not_found")
}

func groupList(c *call) (object, error) {
	list := []object{}
	for _, g := range c.st.groups {
		if g.Disabled && !c.args.bool("include_disabled") {
			continue
		}
		o := c.st.groupWire(g)
		if c.args.bool("include_users") {
			o["users"] = slices.Clone(g.Users)
		}
		list = append(list, o)
	}
	return object{"usergroups": list}, nil
}

// groupWire is the user group object without its members.
func (s *state) groupWire(g UserGroup) object {
	return object{
		"id": g.ID, "team_id": s.teamID, "is_usergroup": true, "name": g.Name, "handle": g.Handle, "description": "",
		"is_external": false, "date_delete": 0, "prefs": object{"channels": []string{}, "groups": []string{}}, "user_count": len(g.Users),
	}
}

func groupUsers(c *call) (object, error) {
	for _, g := range c.st.groups {
		if g.ID == c.args["usergroup"] && (!g.Disabled || c.args.bool("include_disabled")) {
			return object{"users": append([]string{}, g.Users...)}, nil
		}
	}
	return nil, fail("no_such_subteam")
}
