package sandbox

import (
	"strings"
	"unicode/utf8"
)

func conversationMethods() map[string]*method {
	read := []string{"channels:read", "groups:read", "im:read", "mpim:read"}
	manage := []string{"channels:manage", "groups:write", "im:write", "mpim:write"}
	topic := append([]string{"channels:write.topic", "groups:write.topic", "im:write.topic", "mpim:write.topic"}, manage...)
	names := []string{
		"invalid_name", "invalid_name_maxlength", "invalid_name_punctuation", "invalid_name_required", "invalid_name_specials", "name_taken",
	}
	lists := []string{"invalid_cursor", "invalid_limit", "invalid_types"}
	about := []string{"channel_not_found", "method_not_supported_for_channel_type"}
	topics := append([]string{"is_archived", "not_in_channel", "too_long"}, about...)
	return map[string]*method{
		"conversations.create":     {json: true, scopes: manage, team: true, errors: names, run: create},
		"conversations.rename":     {json: true, scopes: manage, required: []string{"channel"}, errors: append(append([]string{"is_archived", "not_authorized", "not_in_channel"}, names...), about...), run: rename},
		"conversations.info":       {scopes: read, required: []string{"channel"}, errors: []string{"channel_not_found"}, run: conversationInfo},
		"conversations.list":       {scopes: read, team: true, errors: lists, run: conversationList},
		"users.conversations":      {scopes: read, team: true, errors: lists, run: usersConversations},
		"conversations.setTopic":   {json: true, scopes: topic, required: []string{"channel"}, errors: topics, run: setTopic},
		"conversations.setPurpose": {json: true, scopes: topic, required: []string{"channel"}, errors: topics, run: setPurpose},
		"conversations.archive": {
			json: true, scopes: manage, required: []string{"channel"},
			errors: append([]string{"already_archived", "cant_archive_general", "not_in_channel"}, about...), run: archive,
		},
		"conversations.unarchive": {
			json: true, scopes: manage, required: []string{"channel"},
			errors: append([]string{"not_archived", "not_in_channel"}, about...), run: unarchive,
		},
		"conversations.open": {
			json: true, scopes: []string{"im:write", "mpim:write", "channels:manage", "groups:write"},
			errors: []string{"channel_not_found", "method_not_supported_for_channel_type", "too_many_users", "user_disabled", "user_not_found", "users_list_not_supplied"}, run: openDirect,
		},
	}
}

// create makes a channel with the bot as its only member. Its scope depends on
// whether it is private.
func create(c *call) (object, error) {
	private := c.args.bool("is_private")
	needed := []string{"channels:manage"}
	if private {
		needed = []string{"groups:write"}
	}
	if !c.st.granted(needed...) {
		return nil, c.missingScope(needed[:1])
	}
	if err := c.checkName(c.args["name"]); err != nil {
		return nil, err
	}
	ch := c.st.addChannel(Channel{Name: c.args["name"], Private: private, Creator: c.st.botUser})
	if !private {
		c.w.emit(object{"type": "channel_created", "channel": object{
			"id": ch.ID, "name": ch.Name, "name_normalized": ch.Name, "is_channel": true, "created": ch.Created.Unix(), "creator": ch.Creator,
		}})
	}
	ch.Members = nil
	c.w.join(ch, c.st.botUser, "")
	return object{"channel": c.st.channelWire(ch)}, nil
}

// checkName applies Slack's naming rules. Lower-case letters outside ASCII are
// accepted by the real Slack in part; the stand-in refuses them (unverified).
// Archived and private channels own their names too.
func (c *call) checkName(name string) error {
	switch {
	case name == "":
		return fail("invalid_name_required")
	case utf8.RuneCountInString(name) > 80:
		return fail("invalid_name_maxlength")
	}
	letters, specials := false, false
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			letters = true
		case r == '-', r == '_':
		default:
			specials = true
			letters = letters || r > 127 || r >= 'A' && r <= 'Z'
		}
	}
	switch {
	case !letters:
		return fail("invalid_name_punctuation")
	case specials:
		return fail("invalid_name_specials")
	case name == "channel" || name == "here" || name == "everyone" || name == "group":
		return fail("invalid_name")
	case c.st.named(name) != nil:
		return fail("name_taken")
	}
	return nil
}

// rename is open to the channel's creator only, as for every bot.
func rename(c *call) (object, error) {
	ch, err := c.channel(manageScope)
	if err != nil {
		return nil, err
	}
	switch {
	case ch.Archived:
		return nil, fail("is_archived")
	case !ch.has(c.st.botUser):
		return nil, fail("not_in_channel")
	case ch.Creator != c.st.botUser:
		return nil, fail("not_authorized")
	}
	if ch.Name != c.args["name"] {
		if err := c.checkName(c.args["name"]); err != nil {
			return nil, err
		}
		c.w.rename(ch, c.args["name"], c.st.botUser)
	}
	return object{"channel": c.st.channelWire(ch)}, nil
}

func conversationInfo(c *call) (object, error) {
	ch, err := c.visible("channel", readScope)
	if err != nil {
		return nil, err
	}
	o := c.st.channelWire(ch)
	if c.args.bool("include_num_members") {
		o["num_members"] = len(ch.Members)
	}
	return object{"channel": o}, nil
}

// conversationList shows public channels and the private ones the bot is in.
func conversationList(c *call) (object, error) {
	return c.listChannels(func(ch *channel) bool { return !ch.Private && !ch.IM || ch.has(c.st.botUser) })
}

// usersConversations shows where a user is a member, by default the bot; of
// other users only what the bot can see.
func usersConversations(c *call) (object, error) {
	user := c.args["user"]
	if user == "" {
		user = c.st.botUser
	}
	return c.listChannels(func(ch *channel) bool {
		return ch.has(user) && (!ch.Private && !ch.IM || ch.has(c.st.botUser))
	})
}

func (c *call) listChannels(keep func(*channel) bool) (object, error) {
	types := c.args.list("types")
	if len(types) == 0 {
		types = []string{"public_channel"}
	}
	scopes := map[string]string{"public_channel": "channels:read", "private_channel": "groups:read", "im": "im:read", "mpim": "mpim:read"}
	want := map[string]bool{}
	for _, t := range types {
		scope, ok := scopes[t]
		if !ok {
			return nil, fail("invalid_types")
		}
		if !c.st.granted(scope) {
			return nil, c.missingScope([]string{scope})
		}
		want[t] = true
	}
	limit, ok := c.args.limit(100)
	if !ok || limit > 1000 {
		return nil, fail("invalid_limit")
	}
	list := []object{}
	for _, id := range c.st.channelOrder {
		ch := c.st.channels[id]
		if keep(ch) && want[channelKind(ch)] && (!ch.Archived || !c.args.bool("exclude_archived")) {
			o := c.st.channelWire(ch)
			if !ch.IM {
				o["num_members"] = len(ch.Members)
			}
			list = append(list, o)
		}
	}
	page, next, err := paged(c, list, limit)
	if err != nil {
		return nil, err
	}
	return object{"channels": page, "response_metadata": object{"next_cursor": next}}, nil
}

func channelKind(ch *channel) string {
	switch {
	case ch.IM:
		return "im"
	case ch.Private:
		return "private_channel"
	default:
		return "public_channel"
	}
}

func setTopic(c *call) (object, error) {
	return c.describe("topic", func(ch *channel, text string) { ch.Topic = text })
}

func setPurpose(c *call) (object, error) {
	return c.describe("purpose", func(ch *channel, text string) { ch.Purpose = text })
}

// describe sets a topic or purpose: at most 250 characters, no formatting.
func (c *call) describe(what string, set func(*channel, string)) (object, error) {
	if !c.args.has(what) {
		return nil, invalidArguments("missing required field: %s", what)
	}
	ch, err := c.channel(topicScope)
	if err != nil {
		return nil, err
	}
	text := c.args[what]
	switch {
	case ch.Archived:
		return nil, fail("is_archived")
	case !ch.has(c.st.botUser):
		return nil, fail("not_in_channel")
	case utf8.RuneCountInString(text) > 250:
		return nil, fail("too_long")
	}
	text = escape(text)
	set(ch, text)
	c.w.notice(ch, c.st.botUser, what, "<@"+c.st.botUser+"> set the channel "+what+": "+text, object{what: text})
	return object{"channel": c.st.channelWire(ch)}, nil
}

// archive puts the bot out of the channel with the rest of the bots.
func archive(c *call) (object, error) {
	ch, err := c.channel(manageScope)
	if err != nil {
		return nil, err
	}
	switch {
	case ch.Archived:
		return nil, fail("already_archived")
	case ch.General:
		return nil, fail("cant_archive_general")
	case !ch.has(c.st.botUser):
		return nil, fail("not_in_channel")
	}
	c.w.archive(ch, c.st.botUser)
	return nil, nil
}

// unarchive never works for a bot token: archiving put the bot out of the
// channel, so Slack says not_in_channel (the page calls it a bug; slack-go #1066).
func unarchive(c *call) (object, error) {
	ch, err := c.channel(manageScope)
	if err != nil {
		return nil, err
	}
	if !ch.Archived {
		return nil, fail("not_archived")
	}
	return nil, fail("not_in_channel")
}

// openDirect opens the direct message channel with one user; group messages are
// not played.
func openDirect(c *call) (object, error) {
	if id := c.args["channel"]; id != "" {
		ch := c.st.channels[id]
		if ch == nil || !ch.has(c.st.botUser) {
			return nil, fail("channel_not_found")
		}
		if !ch.IM {
			return nil, fail("method_not_supported_for_channel_type")
		}
		return c.opened(ch, true), nil
	}
	users := c.args.list("users")
	if len(users) == 0 {
		return nil, fail("users_list_not_supplied")
	}
	if len(users) > 8 {
		return nil, fail("too_many_users")
	}
	if len(users) > 1 {
		return nil, fail("method_not_supported_for_channel_type")
	}
	u := c.st.users[users[0]]
	switch {
	case u == nil:
		return nil, fail("user_not_found")
	case u.Deleted:
		return nil, fail("user_disabled")
	}
	ch, made := c.st.direct(u.ID)
	return c.opened(ch, !made), nil
}

func (c *call) opened(ch *channel, already bool) object {
	o := object{"id": ch.ID}
	if c.args.bool("return_im") {
		o = c.st.channelWire(ch)
	}
	return object{"channel": o, "no_op": already, "already_open": already}
}

// scopeOf names the scope that a method needs for a kind of channel.
type scopeOf func(*channel) []string

func manageScope(ch *channel) []string {
	if ch.Private {
		return []string{"groups:write"}
	}
	return []string{"channels:manage"}
}

func topicScope(ch *channel) []string {
	if ch.Private {
		return []string{"groups:write", "groups:write.topic"}
	}
	return []string{"channels:manage", "channels:write.topic"}
}

func readScope(ch *channel) []string { return []string{scopePrefix(ch) + ":read"} }

func historyScope(ch *channel) []string { return []string{scopePrefix(ch) + ":history"} }

func noScope(*channel) []string { return nil }

func scopePrefix(ch *channel) string {
	switch {
	case ch.IM:
		return "im"
	case ch.Private:
		return "groups"
	default:
		return "channels"
	}
}

// visible finds the channel of an argument by ID, as far as the bot can see it:
// a private channel exists only for those in it.
func (c *call) visible(key string, scope scopeOf) (*channel, error) {
	ch := c.st.channels[strings.TrimSpace(c.args[key])]
	if ch == nil || (ch.Private || ch.IM) && !ch.has(c.st.botUser) && !ch.ejected[c.st.botUser] {
		return nil, fail("channel_not_found")
	}
	if needed := scope(ch); !c.st.granted(needed...) {
		return nil, c.missingScope(needed)
	}
	return ch, nil
}

// channel is visible for methods that know no direct messages.
func (c *call) channel(scope scopeOf) (*channel, error) {
	ch, err := c.visible("channel", scope)
	if err != nil {
		return nil, err
	}
	if ch.IM {
		return nil, fail("method_not_supported_for_channel_type")
	}
	return ch, nil
}
