package sandbox

import (
	"context"
	"strings"
)

// Post writes a message as a person, in a thread if threadTS is given, and waits
// until the app has answered the events it causes (message, and app_mention when
// it names the bot). Reply.TS is the message; Reply.Delivered is false when the
// app was told nothing.
func (w *Workspace) Post(ctx context.Context, user, where, text, threadTS string) (Reply, error) {
	return w.say(ctx, user, where, func(u *User, c *channel, r *Reply) error {
		thread, err := c.threadOf(threadTS)
		if err != nil {
			return err
		}
		m := &Message{User: u.ID, Text: w.st.rewriteText(text), ThreadTS: thread}
		m.extra = object{"client_msg_id": secret(16)}
		w.add(c, m)
		r.TS = m.TS
		if strings.Contains(m.Text, "<@"+w.st.botUser+">") {
			event := w.st.messageWire(c, m, false)
			event["type"], event["channel"], event["event_ts"] = "app_mention", c.ID, m.TS
			w.emitIn(c, event)
		}
		return nil
	})
}

// Edit changes a person's own message; the app gets message_changed.
func (w *Workspace) Edit(ctx context.Context, user, where, ts, text string) (Reply, error) {
	return w.say(ctx, user, where, func(u *User, c *channel, r *Reply) error {
		m := c.message(ts)
		if m == nil || m.User != u.ID {
			return &ActError{Code: "cant_update_message"}
		}
		before := w.st.messageWire(c, m, true)
		m.Text, m.EditedTS, m.Edits, r.TS = w.st.rewriteText(text), formatTS(w.st.now().UnixMicro()), m.Edits+1, ts
		w.emitChanged(c, m, before)
		return nil
	})
}

// Delete deletes a person's own message; the app gets message_deleted.
func (w *Workspace) Delete(ctx context.Context, user, where, ts string) (Reply, error) {
	return w.say(ctx, user, where, func(u *User, c *channel, r *Reply) error {
		m := c.message(ts)
		if m == nil || m.User != u.ID {
			return &ActError{Code: "cant_delete_message"}
		}
		r.TS = ts
		w.drop(c, m)
		return nil
	})
}

// React puts an emoji ("pushpin", without colons) on a message as a person; the
// app gets reaction_added. It fails with already_reacted.
func (w *Workspace) React(ctx context.Context, user, where, ts, emoji string) (Reply, error) {
	return w.emote(ctx, "reaction_added", "already_reacted", (*Message).react, user, where, ts, emoji)
}

// Unreact takes a person's emoji away; the app gets reaction_removed. It fails
// with no_reaction.
func (w *Workspace) Unreact(ctx context.Context, user, where, ts, emoji string) (Reply, error) {
	return w.emote(ctx, "reaction_removed", "no_reaction", (*Message).unreact, user, where, ts, emoji)
}

func (w *Workspace) emote(ctx context.Context, event, refusal string, do func(*Message, string, string) bool, user, where, ts, emoji string) (Reply, error) {
	return w.say(ctx, user, where, func(u *User, c *channel, r *Reply) error {
		m := c.message(ts)
		if m == nil {
			return &ActError{Code: "message_not_found"}
		}
		emoji = strings.Trim(emoji, ":")
		if !do(m, emoji, u.ID) {
			return &ActError{Code: refusal}
		}
		r.TS = ts
		w.emitReaction(event, c, m, emoji, u.ID)
		return nil
	})
}

// OpenHome opens the app's home tab as a person; the app gets app_home_opened.
func (w *Workspace) OpenHome(ctx context.Context, user string) (Reply, error) {
	w.st.mu.Lock()
	u, err := w.st.person(user)
	if err != nil {
		w.st.mu.Unlock()
		return Reply{}, err
	}
	c, _ := w.st.direct(u.ID)
	w.st.mu.Unlock()
	return w.say(ctx, user, c.ID, func(u *User, c *channel, _ *Reply) error {
		event := object{"type": "app_home_opened", "user": u.ID, "channel": c.ID, "tab": "home"}
		if v := w.st.home(u.ID); v != nil {
			event["view"] = w.st.viewWire(v, nil)
		}
		w.emit(event)
		return nil
	})
}

// say runs something a person does in a channel, gathers the events it causes and
// delivers them in order, each waited for.
func (w *Workspace) say(ctx context.Context, user, where string, do func(*User, *channel, *Reply) error) (Reply, error) {
	r := Reply{w: w}
	err := func() error {
		w.st.mu.Lock()
		defer w.st.mu.Unlock()
		defer w.st.touch()
		u, err := w.st.person(user)
		if err != nil {
			return err
		}
		c, err := w.st.placeFor(u, where)
		if err != nil {
			return err
		}
		if !c.has(u.ID) {
			return &ActError{Code: "not_in_channel"}
		}
		w.st.capture = &r.deliveries
		defer func() { w.st.capture = nil }()
		return do(u, c, &r)
	}()
	return w.deliverAct(ctx, r, err)
}
