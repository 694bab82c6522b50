package sandbox

import (
	"regexp"
	"slices"
)

func reactionMethods() map[string]*method {
	write := []string{"reactions:write"}
	common := []string{"bad_timestamp", "channel_not_found", "invalid_name", "message_not_found", "no_item_specified"}
	return map[string]*method{
		"reactions.add":    {json: true, scopes: write, required: []string{"name"}, errors: append([]string{"already_reacted", "is_archived", "no_access", "too_many_emoji"}, common...), run: reactionAdd},
		"reactions.remove": {json: true, scopes: write, required: []string{"name"}, errors: append([]string{"no_access", "no_reaction"}, common...), run: reactionRemove},
		"reactions.get":    {scopes: []string{"reactions:read"}, errors: []string{"bad_timestamp", "channel_not_found", "message_not_found", "no_item_specified"}, run: reactionGet},
	}
}

// reactable finds the message to react to. The pages list no not_in_channel;
// who is outside has no_access.
func (c *call) reactable() (*channel, *Message, error) {
	if c.args["channel"] == "" {
		return nil, nil, fail("no_item_specified")
	}
	ch, m, err := c.item()
	switch {
	case err != nil:
		return nil, nil, err
	case !regexp.MustCompile(`^[a-z0-9_+'-]+(::skin-tone-[2-6])?$`).MatchString(c.args["name"]):
		return nil, nil, fail("invalid_name")
	}
	return ch, m, nil
}

func reactionAdd(c *call) (object, error) {
	ch, m, err := c.reactable()
	switch {
	case err != nil:
		return nil, err
	case ch.Archived:
		return nil, fail("is_archived")
	case !ch.has(c.st.botUser):
		return nil, fail("no_access")
	case !m.react(c.args["name"], c.st.botUser):
		return nil, fail("already_reacted")
	}
	c.w.emitReaction("reaction_added", ch, m, c.args["name"], c.st.botUser)
	return nil, nil
}

func reactionRemove(c *call) (object, error) {
	ch, m, err := c.reactable()
	switch {
	case err != nil:
		return nil, err
	case !ch.has(c.st.botUser):
		return nil, fail("no_access")
	case !m.unreact(c.args["name"], c.st.botUser):
		return nil, fail("no_reaction")
	}
	c.w.emitReaction("reaction_removed", ch, m, c.args["name"], c.st.botUser)
	return nil, nil
}

func reactionGet(c *call) (object, error) {
	if c.args["channel"] == "" {
		return nil, fail("no_item_specified")
	}
	ch, m, err := c.item()
	if err != nil {
		return nil, err
	}
	return object{"type": "message", "channel": ch.ID, "message": c.st.messageWire(ch, m, false)}, nil
}

// react adds a user's reaction; false when it is there already.
func (m *Message) react(name, user string) bool {
	at := slices.IndexFunc(m.Reactions, func(r Reaction) bool { return r.Name == name })
	if at < 0 {
		m.Reactions = append(m.Reactions, Reaction{Name: name, Users: []string{user}})
		return true
	}
	if slices.Contains(m.Reactions[at].Users, user) {
		return false
	}
	m.Reactions[at].Users = append(m.Reactions[at].Users, user)
	return true
}

// unreact takes a user's reaction away; false when there is none.
func (m *Message) unreact(name, user string) bool {
	at := slices.IndexFunc(m.Reactions, func(r Reaction) bool { return r.Name == name && slices.Contains(r.Users, user) })
	if at < 0 {
		return false
	}
	r := &m.Reactions[at]
	r.Users = slices.DeleteFunc(r.Users, func(u string) bool { return u == user })
	if len(r.Users) == 0 {
		m.Reactions = slices.Delete(m.Reactions, at, at+1)
	}
	return true
}

func reactionEvent(event string, st *state, ch *channel, m *Message, name, user string) object {
	return object{
		"type": event, "user": user, "reaction": name, "item_user": m.User, "event_ts": formatTS(st.now().UnixMicro()),
		"item": object{"type": "message", "channel": ch.ID, "ts": m.TS},
	}
}

func (w *Workspace) emitReaction(event string, ch *channel, m *Message, name, user string) {
	w.emitIn(ch, reactionEvent(event, w.st, ch, m, name, user))
}
