package sandbox

import (
	"slices"
	"strings"
)

// View reads a workspace. Each method gives a copy of what is true when it is
// called; unknown channels have nothing in them.
type View struct{ st *state }

// Users lists everyone, bots and deactivated people included, in the order they came.
func (v *View) Users() []User {
	v.st.mu.Lock()
	defer v.st.mu.Unlock()
	var out []User
	for _, id := range v.st.userOrder {
		out = append(out, *v.st.users[id])
	}
	return out
}

// Channels lists public and private channels, archived ones too, in the order
// they were made. Direct messages are left out.
func (v *View) Channels() []Channel {
	v.st.mu.Lock()
	defer v.st.mu.Unlock()
	var out []Channel
	for _, id := range v.st.channelOrder {
		if c := v.st.channels[id]; !c.IM {
			out = append(out, c.copy())
		}
	}
	return out
}

// Channel finds a channel by ID or name; ok is false when there is none.
func (v *View) Channel(idOrName string) (c Channel, ok bool) {
	v.with(idOrName, func(ch *channel) { c, ok = ch.copy(), true })
	return c, ok
}

// Direct is the direct message channel of the app and a user; ok is false when
// nobody has opened it.
func (v *View) Direct(user string) (c Channel, ok bool) {
	v.st.mu.Lock()
	defer v.st.mu.Unlock()
	for _, ch := range v.st.channels {
		if ch.IM && ch.has(user) {
			return ch.copy(), true
		}
	}
	return Channel{}, false
}

// Members lists the user IDs in a channel.
func (v *View) Members(idOrName string) (members []string) {
	v.with(idOrName, func(c *channel) { members = slices.Clone(c.Members) })
	return members
}

// Messages lists what people and apps posted, thread replies included, oldest
// first. Slack's own notices (joins, topics) are left out; History has them.
func (v *View) Messages(idOrName string) (out []Message) {
	for _, m := range v.History(idOrName) {
		if !m.Notice() {
			out = append(out, m)
		}
	}
	return out
}

// History lists all messages of a channel, notices included, oldest first.
func (v *View) History(idOrName string) (out []Message) {
	v.with(idOrName, func(c *channel) {
		for _, m := range c.messages {
			out = append(out, m.copy())
		}
	})
	return out
}

// Message finds one message by its timestamp.
func (v *View) Message(idOrName, ts string) (out Message, ok bool) {
	v.with(idOrName, func(c *channel) {
		if m := c.message(ts); m != nil {
			out, ok = m.copy(), true
		}
	})
	return out, ok
}

// Ephemerals lists what only this user was shown in a channel, oldest first.
func (v *View) Ephemerals(idOrName, user string) (out []Message) {
	v.with(idOrName, func(c *channel) {
		for _, m := range c.ephemerals {
			if m.For == user {
				out = append(out, m.copy())
			}
		}
	})
	return out
}

// Pins lists the pinned messages of a channel, in the order they were pinned.
func (v *View) Pins(idOrName string) (out []Message) {
	v.with(idOrName, func(c *channel) {
		for _, p := range c.pins {
			if m := c.message(p.TS); m != nil {
				out = append(out, m.copy())
			}
		}
	})
	return out
}

// Bookmarks lists a channel's bookmarks.
func (v *View) Bookmarks(idOrName string) (out []Bookmark) {
	v.with(idOrName, func(c *channel) {
		for _, b := range c.bookmarks {
			out = append(out, *b)
		}
	})
	return out
}

// Calls lists the Web API calls of a method so far, in the order they ended;
// all methods for "" or "*". Calls that an injected fault answered are there too.
func (v *View) Calls(name string) (out []Call) {
	v.st.mu.Lock()
	defer v.st.mu.Unlock()
	for _, c := range v.st.calls {
		if name == "" || name == "*" || c.Method == name {
			out = append(out, c)
		}
	}
	return out
}

// Defects lists promises that the stand-in itself broke, such as answering an
// error that the method does not document. Tests should find none.
func (v *View) Defects() []string {
	v.st.mu.Lock()
	defer v.st.mu.Unlock()
	return slices.Clone(v.st.defects)
}

func (v *View) with(idOrName string, fn func(*channel)) {
	v.st.mu.Lock()
	defer v.st.mu.Unlock()
	if c := v.st.find(idOrName); c != nil {
		fn(c)
	}
}

// containing finds the newest message whose text or blocks hold the substring.
func containing(messages []Message, substring string) (Message, bool) {
	for _, m := range slices.Backward(messages) {
		if strings.Contains(m.Text, substring) || strings.Contains(unescaped(m.Blocks), substring) {
			return m, true
		}
	}
	return Message{}, false
}
