package sandbox

import (
	"context"
	"slices"
)

// Upload is a person sharing a file in a channel, with a message or without.
type Upload struct {
	User     string // ID
	Channel  string // ID or name
	ThreadTS string
	Text     string
	Name     string // "graph.png"
	Title    string // default Name
	Data     []byte
}

// Upload shares a file as a person and waits until the app has answered the
// events: message with subtype file_share, and file_shared. Reply.TS is the
// message.
func (w *Workspace) Upload(ctx context.Context, up Upload) (Reply, error) {
	return w.say(ctx, up.User, up.Channel, func(u *User, c *channel, r *Reply) error {
		thread, err := c.threadOf(up.ThreadTS)
		if err != nil {
			return err
		}
		if up.Name == "" {
			return &ActError{Code: "no_file_name"}
		}
		f := &file{
			id: w.st.id('F'), name: up.Name, title: up.Title, user: u.ID, team: u.TeamID, size: len(up.Data), data: slices.Clone(up.Data),
			uploaded: true, completed: true, base: w.baseURL(), shares: map[string][]string{}, created: w.st.now().Unix(),
		}
		if f.title == "" {
			f.title = f.name
		}
		w.st.files[f.id] = f
		r.TS = w.share(c, []*file{f}, Message{User: u.ID, Text: up.Text, ThreadTS: thread})
		return nil
	})
}

// threadOf is the parent of the thread that a message is in; it fails with
// thread_not_found when there is no such message. No timestamp means no thread.
func (c *channel) threadOf(ts string) (string, error) {
	if ts == "" {
		return "", nil
	}
	parent := c.message(ts)
	if parent == nil {
		return "", &ActError{Code: "thread_not_found"}
	}
	if parent.reply() {
		return parent.ThreadTS, nil
	}
	return ts, nil
}
