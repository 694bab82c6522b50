package sandbox

import "slices"

func memberMethods() map[string]*method {
	about := []string{"channel_not_found", "method_not_supported_for_channel_type"}
	manage := []string{"channels:manage", "groups:write", "im:write", "mpim:write"}
	return map[string]*method{
		"conversations.members": {
			scopes: []string{"channels:read", "groups:read", "im:read", "mpim:read"}, required: []string{"channel"},
			errors: append([]string{"invalid_cursor", "invalid_limit"}, about...), run: members,
		},
		"conversations.join": {
			json: true, scopes: []string{"channels:join"}, required: []string{"channel"},
			errors: append([]string{"is_archived"}, about...), run: joinChannel,
		},
		"conversations.leave": {
			json: true, scopes: manage, required: []string{"channel"},
			errors: append([]string{"cant_leave_general", "is_archived", "last_member"}, about...), run: leaveChannel,
		},
		"conversations.kick": {
			json: true, scopes: []string{"channels:manage", "groups:write"}, required: []string{"channel"},
			errors: append([]string{"cant_kick_from_general", "cant_kick_self", "not_in_channel", "user_not_found"}, about...), run: kick,
		},
		"conversations.invite": {
			json: true, scopes: append([]string{"channels:write.invites", "groups:write.invites"}, manage...), required: []string{"channel"},
			errors: append([]string{
				"already_in_channel", "cant_invite", "cant_invite_self", "is_archived", "no_external_invite_permission", "no_user",
				"not_in_channel", "ura_max_channels", "user_not_found",
			}, about...), run: invite,
		},
	}
}

func members(c *call) (object, error) {
	ch, err := c.visible("channel", readScope)
	if err != nil {
		return nil, err
	}
	limit, ok := c.args.limit(100)
	if !ok || limit > 1000 {
		return nil, fail("invalid_limit")
	}
	page, next, err := paged(c, slices.Clone(ch.Members), limit)
	if err != nil {
		return nil, err
	}
	return object{"members": page, "response_metadata": object{"next_cursor": next}}, nil
}

// joinChannel is for public channels; a second time is a warning, not an error.
func joinChannel(c *call) (object, error) {
	ch, err := c.channel(noScope)
	switch {
	case err != nil:
		return nil, err
	case ch.Private:
		return nil, fail("method_not_supported_for_channel_type")
	case ch.Archived:
		return nil, fail("is_archived")
	}
	if ch.has(c.st.botUser) {
		return object{
			"channel": c.st.channelWire(ch), "warning": "already_in_channel",
			"response_metadata": object{"warnings": []string{"already_in_channel"}},
		}, nil
	}
	c.w.join(ch, c.st.botUser, "")
	return object{"channel": c.st.channelWire(ch)}, nil
}

func leaveChannel(c *call) (object, error) {
	ch, err := c.channel(manageScope)
	switch {
	case err != nil:
		return nil, err
	case ch.Archived:
		return nil, fail("is_archived")
	case ch.General:
		return nil, fail("cant_leave_general")
	case !ch.has(c.st.botUser):
		return object{"not_in_channel": true}, nil // documented as a success with this flag
	case ch.Private && len(ch.Members) == 1:
		return nil, fail("last_member")
	}
	c.w.leave(ch, c.st.botUser)
	return nil, nil
}

func kick(c *call) (object, error) {
	ch, err := c.channel(manageScope)
	if err != nil {
		return nil, err
	}
	user := c.args["user"]
	switch {
	case user == c.st.botUser:
		return nil, fail("cant_kick_self")
	case c.st.users[user] == nil:
		return nil, fail("user_not_found")
	case ch.General:
		return nil, fail("cant_kick_from_general")
	case !ch.has(c.st.botUser), !ch.has(user):
		return nil, fail("not_in_channel")
	}
	c.w.leave(ch, user)
	return object{"errors": object{}}, nil // slack-go #1446: an empty object here
}

// invite is all or nothing unless force is set: one bad user and nobody comes
// in. Deactivated users are the exception: they fail and the rest is invited
// (docs.slack.dev, conversations.invite). The answer lists who failed in errors.
// Which code a deactivated user gets is unverified: cant_invite here.
func invite(c *call) (object, error) {
	ch, err := c.channel(inviteScope)
	if err != nil {
		return nil, err
	}
	users := c.args.list("users")
	switch {
	case len(users) == 0:
		return nil, fail("no_user")
	case len(users) > 1000:
		return nil, invalidArguments("must be less than 1001 users [json-pointer:/users]")
	case ch.Archived:
		return nil, fail("is_archived")
	case !ch.has(c.st.botUser):
		return nil, fail("not_in_channel")
	}
	var good []string
	var failed []object
	first, blocked := "", false
	for _, id := range users {
		code := c.inviteProblem(ch, id)
		if code == "" {
			good = append(good, id)
			continue
		}
		if first == "" {
			first = code
		}
		blocked = blocked || !c.st.deactivated(id)
		failed = append(failed, object{"user": id, "ok": false, "error": code})
	}
	if !blocked || c.args.bool("force") {
		for _, id := range good {
			c.w.join(ch, id, c.st.botUser)
		}
	}
	if first != "" && (len(good) == 0 || !c.args.bool("force")) {
		return nil, &apiError{code: first, extra: object{"errors": failed}}
	}
	out := object{"channel": c.st.channelWire(ch)}
	if first != "" {
		out["errors"] = failed
	}
	return out, nil
}

func (s *state) deactivated(id string) bool { return s.users[id] != nil && s.users[id].Deleted }

// inviteProblem is why a user cannot be invited, or "".
func (c *call) inviteProblem(ch *channel, id string) string {
	u := c.st.users[id]
	switch {
	case u == nil:
		return "user_not_found"
	case id == c.st.botUser:
		return "cant_invite_self"
	case u.Deleted:
		return "cant_invite"
	case ch.has(id):
		return "already_in_channel"
	case u.Stranger && !ch.ExtShared:
		return "no_external_invite_permission"
	case c.st.full(u):
		return "ura_max_channels"
	default:
		return ""
	}
}

func inviteScope(ch *channel) []string {
	if ch.Private {
		return []string{"groups:write", "groups:write.invites"}
	}
	return []string{"channels:manage", "channels:write.invites"}
}
