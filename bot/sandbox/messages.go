package sandbox

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// object is a JSON object on its way out.
type object = map[string]any

// Message is a message as Slack stores it.
type Message struct {
	TS       string
	ThreadTS string // the parent's TS in a thread, also on a parent with replies
	Channel  string
	Subtype  string // "channel_join" and the like for Slack's own notices
	User     string // the author; the bot user for messages of the app
	BotID    string // set for messages of the app
	Username string // a name given by the app instead of its own
	Text     string // escaped and rewritten as Slack stores it

	Blocks      json.RawMessage // nil when there are none
	Attachments json.RawMessage
	Metadata    *Metadata
	Files       []string

	Edits     int    // how many chat.update calls changed it
	EditedTS  string // set when Slack shows "edited"
	Pinned    bool
	Reactions []Reaction
	Broadcast bool   // a thread reply also shown in the channel
	For       string // an ephemeral message's only reader
	Posted    time.Time

	extra object // fields of a notice
}

// Metadata is what an app attaches to a message and people never see.
type Metadata struct {
	EventType    string          `json:"event_type"`
	EventPayload json.RawMessage `json:"event_payload"`
}

// Reaction is an emoji on a message and who put it there.
type Reaction struct {
	Name  string
	Users []string
}

// Notice says whether Slack wrote the message itself: joins, topics, renames.
func (m *Message) Notice() bool {
	return m.Subtype != "" && m.Subtype != "thread_broadcast" && m.Subtype != "file_share"
}

func (m *Message) reply() bool { return m.ThreadTS != "" && m.ThreadTS != m.TS }

// add stamps and stores a message and tells the app if it is in the channel.
func (w *Workspace) add(c *channel, m *Message) {
	m.TS = w.st.stamp(c)
	m.Channel = c.ID
	m.Posted = w.st.now()
	if m.ThreadTS != "" {
		if parent := c.message(m.ThreadTS); parent != nil {
			parent.ThreadTS = parent.TS
		}
	}
	c.messages = append(c.messages, m)
	event := w.st.messageWire(c, m, true)
	event["type"], event["channel"], event["event_ts"], event["channel_type"] = "message", c.ID, m.TS, messageChannelType(c)
	w.emitIn(c, event)
}

// notice adds one of Slack's own messages, of subtype channel_WHAT or group_WHAT.
func (w *Workspace) notice(c *channel, user, what, text string, extra object) {
	w.add(c, &Message{User: user, Subtype: kind(c, what), Text: text, extra: extra})
}

func (c *channel) message(ts string) *Message {
	for _, m := range slices.Backward(c.messages) {
		if m.TS == ts {
			return m
		}
	}
	return nil
}

func (c *channel) delete(ts string) {
	c.messages = slices.DeleteFunc(c.messages, func(m *Message) bool { return m.TS == ts })
	c.pins = slices.DeleteFunc(c.pins, func(p Pin) bool { return p.TS == ts })
}

func (c *channel) replies(ts string) []*Message {
	var out []*Message
	for _, m := range c.messages {
		if m.reply() && m.ThreadTS == ts {
			out = append(out, m)
		}
	}
	return out
}

func (m *Message) copy() Message {
	out := *m
	out.Blocks = slices.Clone(m.Blocks)
	out.Attachments = slices.Clone(m.Attachments)
	out.Files = slices.Clone(m.Files)
	out.Reactions = slices.Clone(m.Reactions)
	for i := range out.Reactions {
		out.Reactions[i].Users = slices.Clone(out.Reactions[i].Users)
	}
	if m.Metadata != nil {
		md := *m.Metadata
		out.Metadata = &md
	}
	return out
}

// messageWire is a message as the Web API and the events show it; metadata only
// when asked for.
func (s *state) messageWire(c *channel, m *Message, metadata bool) object {
	o := object{"type": "message", "ts": m.TS, "text": m.Text, "user": m.User}
	if m.Subtype == "" { // messages with a subtype come without, as the published samples do
		o["team"] = s.teamID
	}
	if u := s.users[m.User]; u != nil && u.Stranger {
		o["team"], o["user_team"], o["source_team"] = u.TeamID, u.TeamID, u.TeamID
	}
	maps.Copy(o, m.extra)
	if m.Subtype != "" {
		o["subtype"] = m.Subtype
	}
	if m.BotID != "" {
		o["bot_id"], o["app_id"] = m.BotID, s.appID
		o["bot_profile"] = s.botProfile()
	}
	if m.Username != "" {
		o["username"], o["subtype"] = m.Username, "bot_message"
	}
	if m.Blocks != nil {
		o["blocks"] = m.Blocks
	}
	if m.Attachments != nil {
		o["attachments"] = m.Attachments
	}
	if m.Metadata != nil && metadata {
		o["metadata"] = m.Metadata
	}
	if m.EditedTS != "" {
		o["edited"] = object{"user": m.User, "ts": m.EditedTS}
	}
	if m.Pinned {
		o["pinned_to"] = []string{c.ID}
	}
	if len(m.Reactions) > 0 {
		o["reactions"] = reactionsWire(m.Reactions)
	}
	if len(m.Files) > 0 {
		var files []object
		for _, id := range m.Files {
			files = append(files, s.files[id].wire())
		}
		o["files"], o["upload"] = files, true
	}
	s.threadWire(c, m, o)
	return o
}

func (s *state) threadWire(c *channel, m *Message, o object) {
	if m.ThreadTS == "" {
		return
	}
	o["thread_ts"] = m.ThreadTS
	if m.reply() {
		parent := c.message(m.ThreadTS)
		switch {
		case parent == nil:
		case m.Broadcast:
			o["root"] = s.rootWire(c, parent)
		default:
			o["parent_user_id"] = parent.User
		}
		return
	}
	replies := c.replies(m.TS)
	if len(replies) == 0 {
		return
	}
	var users []string
	for _, r := range replies {
		if !slices.Contains(users, r.User) {
			users = append(users, r.User)
		}
	}
	o["reply_count"], o["reply_users"], o["reply_users_count"] = len(replies), users, len(users)
	o["latest_reply"], o["is_locked"], o["subscribed"] = replies[len(replies)-1].TS, false, false
}

// rootWire is the parent of a thread in a reply that is shown in the channel too.
func (s *state) rootWire(c *channel, parent *Message) object {
	all, out := s.messageWire(c, parent, false), object{}
	for _, key := range []string{
		"type", "subtype", "text", "user", "team", "bot_id", "bot_profile", "ts", "thread_ts", "edited", "reply_count", "reply_users_count",
		"latest_reply", "subscribed",
	} {
		if value, ok := all[key]; ok {
			out[key] = value
		}
	}
	return out
}

func reactionsWire(reactions []Reaction) []object {
	var out []object
	for _, r := range reactions {
		out = append(out, object{"name": r.Name, "users": slices.Clone(r.Users), "count": len(r.Users)})
	}
	return out
}

func (s *state) botProfile() object {
	return object{"id": s.botID, "deleted": false, "name": s.users[s.botUser].Name, "updated": 0, "app_id": s.appID, "team_id": s.teamID, "icons": object{}}
}

// messageChannelType is the channel_type of message events.
func messageChannelType(c *channel) string {
	switch {
	case c.IM:
		return "im"
	case c.Private:
		return "group"
	default:
		return "channel"
	}
}
