package sandbox

import (
	"slices"
	"strings"
	"time"
)

// Channel is a public or private channel or a direct message.
type Channel struct {
	ID       string // made when empty
	Name     string
	Private  bool
	IM       bool
	General  bool
	Creator  string
	Members  []string
	Topic    string
	Purpose  string
	Archived bool
	Created  time.Time

	// ExtShared is a Slack Connect channel: people from connected workspaces may be in it.
	ExtShared bool
}

// channel is a Channel with what is in it.
type channel struct {
	Channel
	last       int64 // newest timestamp given, in microseconds
	messages   []*Message
	ephemerals []*Message
	pins       []Pin
	bookmarks  []*Bookmark
	ejected    map[string]bool // who was a member until the channel was archived
}

// AddChannel makes a channel as a person would, without telling the app.
// Members that do not exist are kept as they are given.
func (w *Workspace) AddChannel(c Channel) Channel {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	defer w.st.touch()
	return w.st.addChannel(c).copy()
}

func (s *state) addChannel(c Channel) *channel {
	if c.ID == "" {
		kind := byte('C')
		if c.IM {
			kind = 'D'
		}
		c.ID = s.id(kind)
	}
	c.Name = strings.TrimPrefix(c.Name, "#")
	c.Created = s.now()
	c.Members = slices.Clone(c.Members)
	if c.Creator != "" && !slices.Contains(c.Members, c.Creator) {
		c.Members = append([]string{c.Creator}, c.Members...)
	}
	ch := &channel{Channel: c, ejected: map[string]bool{}}
	s.channels[c.ID] = ch
	s.channelOrder = append(s.channelOrder, c.ID)
	return ch
}

// Archive archives a channel as a person would: bots are put out of it.
func (w *Workspace) Archive(idOrName string) {
	w.change(idOrName, func(c *channel) { w.archive(c, c.Creator) })
}

// Unarchive opens an archived channel again as a person would; bots stay outside.
func (w *Workspace) Unarchive(idOrName string) {
	w.change(idOrName, func(c *channel) {
		c.Archived = false
		c.ejected = map[string]bool{}
		w.emitPublic(c, object{"type": kind(c, "unarchive"), "channel": c.ID, "user": c.Creator})
	})
}

// Rename renames a channel as a person would.
func (w *Workspace) Rename(idOrName, name string) {
	w.change(idOrName, func(c *channel) { w.rename(c, name, c.Creator) })
}

// Join makes a user a member, telling the app.
func (w *Workspace) Join(user, idOrName string) {
	w.change(idOrName, func(c *channel) { w.join(c, user, "") })
}

// Leave takes a user out, telling the app.
func (w *Workspace) Leave(user, idOrName string) {
	w.change(idOrName, func(c *channel) { w.leave(c, user) })
}

// change runs fn on a channel under the lock; an unknown channel is a no-op.
func (w *Workspace) change(idOrName string, fn func(*channel)) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	if c := w.st.find(idOrName); c != nil {
		fn(c)
		w.st.touch()
	}
}

func (w *Workspace) archive(c *channel, by string) {
	w.emitPublic(c, object{"type": kind(c, "archive"), "channel": c.ID, "user": by, "is_moved": 0})
	w.notice(c, by, "archive", "archived the channel", nil)
	c.Archived = true
	for _, id := range slices.Clone(c.Members) {
		if u := w.st.users[id]; u != nil && u.Bot {
			c.remove(id)
			c.ejected[id] = true
		}
	}
}

func (w *Workspace) rename(c *channel, name, by string) {
	old := c.Name
	c.Name = name
	w.notice(c, by, "name", "has renamed the channel from \""+old+"\" to \""+name+"\"", object{"old_name": old, "name": name})
	w.emitPublic(c, object{"type": kind(c, "rename"), "channel": object{
		"id": c.ID, "name": name, "name_normalized": name, "is_channel": !c.Private, "is_mpim": false, "created": c.Created.Unix(),
	}})
}

func (w *Workspace) join(c *channel, user, inviter string) {
	if c.has(user) {
		return
	}
	c.Members = append(c.Members, user)
	extra := object{}
	event := object{"type": "member_joined_channel", "user": user, "channel": c.ID, "channel_type": channelType(c), "team": w.st.teamID}
	if inviter != "" {
		extra["inviter"], event["inviter"] = inviter, inviter
	}
	w.notice(c, user, "join", "<@"+user+"> has joined the channel", extra)
	w.emitIn(c, event)
}

func (w *Workspace) leave(c *channel, user string) {
	if !c.has(user) {
		return
	}
	w.notice(c, user, "leave", "<@"+user+"> has left the channel", nil)
	w.emitIn(c, object{"type": "member_left_channel", "user": user, "channel": c.ID, "channel_type": channelType(c), "team": w.st.teamID})
	c.remove(user)
}

// find looks a channel up by ID or by name, with or without #.
func (s *state) find(idOrName string) *channel {
	if c := s.channels[idOrName]; c != nil {
		return c
	}
	return s.named(strings.TrimPrefix(idOrName, "#"))
}

func (s *state) named(name string) *channel {
	for _, id := range s.channelOrder {
		if c := s.channels[id]; c.Name == name && !c.IM {
			return c
		}
	}
	return nil
}

// direct finds or makes the direct message channel between the bot and a user.
func (s *state) direct(user string) (c *channel, made bool) {
	for _, c := range s.channels {
		if c.IM && c.has(user) && c.has(s.botUser) {
			return c, false
		}
	}
	return s.addChannel(Channel{IM: true, Creator: s.botUser, Members: []string{s.botUser, user}}), true
}

// extShared says whether an event is about a Slack Connect channel.
func (s *state) extShared(event object) bool {
	for _, key := range []string{"channel", "channel_id"} {
		if id, _ := event[key].(string); s.channels[id] != nil {
			return s.channels[id].ExtShared
		}
	}
	item, _ := event["item"].(object)
	id, _ := item["channel"].(string)
	return s.channels[id] != nil && s.channels[id].ExtShared
}

func (c *channel) has(user string) bool { return slices.Contains(c.Members, user) }

func (c *channel) remove(user string) {
	c.Members = slices.DeleteFunc(c.Members, func(id string) bool { return id == user })
}

func (c *channel) copy() Channel {
	out := c.Channel
	out.Members = slices.Clone(c.Members)
	return out
}

// kind names a channel's event or notice: channel_archive, group_archive.
func kind(c *channel, what string) string {
	if c.Private {
		return "group_" + what
	}
	return "channel_" + what
}

// channelType is "C" or "G" as member_joined_channel has it.
func channelType(c *channel) string {
	if c.Private {
		return "G"
	}
	return "C"
}

// channelWire is the conversation object as the app's bot sees it.
func (s *state) channelWire(c *channel) object {
	o := object{
		"id": c.ID, "created": c.Created.Unix(), "creator": c.Creator, "is_archived": c.Archived, "is_im": c.IM,
		"is_channel": !c.Private && !c.IM, "is_group": c.Private, "is_mpim": false, "is_private": c.Private || c.IM,
		"is_org_shared": false, "is_shared": c.ExtShared, "is_ext_shared": c.ExtShared, "is_pending_ext_shared": false, "unlinked": 0,
		"context_team_id": s.teamID, "updated": c.Created.UnixMilli(),
	}
	if c.IM {
		for _, id := range c.Members {
			if id != s.botUser {
				o["user"] = id
			}
		}
		return o
	}
	o["name"], o["name_normalized"] = c.Name, c.Name
	o["is_general"], o["is_member"] = c.General, c.has(s.botUser)
	o["shared_team_ids"], o["previous_names"] = []string{s.teamID}, []string{}
	if c.ExtShared {
		o["shared_team_ids"], o["connected_team_ids"] = []string{s.teamID, otherTeam}, []string{otherTeam}
	}
	o["topic"] = object{"value": c.Topic, "creator": c.Creator, "last_set": 0}
	o["purpose"] = object{"value": c.Purpose, "creator": c.Creator, "last_set": 0}
	return o
}
