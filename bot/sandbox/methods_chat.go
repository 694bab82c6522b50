package sandbox

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

func chatMethods() map[string]*method {
	write := []string{"chat:write"}
	content := []string{"invalid_blocks", "invalid_blocks_format", "markdown_text_conflict", "no_text", "too_many_attachments"}
	metadata := []string{"invalid_metadata_format", "invalid_metadata_schema", "metadata_too_large"}
	return map[string]*method{
		"chat.postMessage": {json: true, scopes: write, required: []string{"channel"},
			errors: append(append([]string{"cannot_reply_to_message", "channel_not_found", "is_archived", "msg_blocks_too_long", "not_in_channel"}, content...), metadata...), run: postMessage},
		"chat.postEphemeral": {json: true, scopes: write, required: []string{"channel", "user"},
			errors: append([]string{"cannot_reply_to_message", "channel_not_found", "is_archived", "msg_too_long", "not_in_channel", "user_not_in_channel"}, content...), run: postEphemeral},
		"chat.update": {json: true, scopes: write, required: []string{"channel", "ts"},
			errors: append(append([]string{"cant_update_message", "channel_not_found", "is_inactive", "message_not_found", "msg_too_long"}, content...), metadata...), run: updateMessage},
		"chat.delete": {json: true, scopes: write, required: []string{"channel", "ts"},
			errors: []string{"cant_delete_message", "channel_not_found", "message_not_found"}, run: deleteMessage},
		"chat.getPermalink": {required: []string{"channel", "message_ts"}, errors: []string{"channel_not_found", "message_not_found"}, run: permalink},
	}
}

// target finds where to post: a channel ID or name, or a user's ID for the
// direct message with them. Public channels that the bot is not in need
// chat:write.public.
func (c *call) target(public bool) (*channel, error) {
	id := c.args["channel"]
	if u := c.st.users[id]; u != nil && !u.Deleted {
		ch, _ := c.st.direct(id)
		return ch, nil
	}
	ch := c.st.channels[id]
	if ch == nil && public {
		ch = c.st.named(strings.TrimPrefix(id, "#"))
	}
	inside := ch != nil && ch.has(c.st.botUser)
	switch {
	case ch == nil, (ch.Private || ch.IM) && !inside && !ch.ejected[c.st.botUser]:
		return nil, fail("channel_not_found")
	case ch.Archived:
		return nil, fail("is_archived")
	case !inside && (!public || !c.st.granted("chat:write.public")):
		return nil, fail("not_in_channel")
	}
	return ch, nil
}

// postMessage posts. The text is cut at 40,000 characters, never refused.
func postMessage(c *call) (object, error) {
	if (c.args["username"] != "" || c.args["icon_emoji"] != "" || c.args["icon_url"] != "") && !c.st.granted("chat:write.customize") {
		return nil, c.missingScope([]string{"chat:write.customize"})
	}
	ch, err := c.target(true)
	if err != nil {
		return nil, err
	}
	body, err := c.content()
	if err != nil {
		return nil, err
	}
	if body.blockText > maxBlockText {
		return nil, fail("msg_blocks_too_long")
	}
	metadata, err := c.metadata()
	if err != nil {
		return nil, err
	}
	m := &Message{
		User: c.st.botUser, BotID: c.st.botID, Username: c.args["username"], Text: cut(body.text, maxText),
		Blocks: body.blocks, Attachments: body.attachments, Metadata: metadata,
	}
	if err := c.thread(ch, m); err != nil {
		return nil, err
	}
	c.w.add(ch, m)
	out := object{"channel": ch.ID, "ts": m.TS, "message": c.st.messageWire(ch, m, true)}
	if utf8.RuneCountInString(body.text) > maxText {
		out["warning"] = "message_truncated"
		out["response_metadata"] = object{"warnings": []string{"message_truncated"}}
	}
	return out, nil
}

// thread puts a message into the thread it asks for; a reply's own thread is its
// parent's.
func (c *call) thread(ch *channel, m *Message) error {
	ts := c.args["thread_ts"]
	if ts == "" {
		return nil
	}
	parent := ch.message(ts)
	if parent == nil || parent.Notice() {
		return fail("cannot_reply_to_message")
	}
	m.ThreadTS = parent.TS
	if parent.reply() {
		m.ThreadTS = parent.ThreadTS
	}
	if c.args.bool("reply_broadcast") {
		m.Broadcast, m.Subtype = true, "thread_broadcast"
	}
	return nil
}

// postEphemeral shows a message to one member, now; nobody can read it back.
func postEphemeral(c *call) (object, error) {
	ch, err := c.target(false)
	if err != nil {
		return nil, err
	}
	if !ch.has(c.args["user"]) {
		return nil, fail("user_not_in_channel")
	}
	body, err := c.content()
	if err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(body.text) > maxText || body.blockText > maxBlockText {
		return nil, fail("msg_too_long")
	}
	m := &Message{User: c.st.botUser, BotID: c.st.botID, Text: body.text, Blocks: body.blocks, Attachments: body.attachments}
	if err := c.thread(ch, m); err != nil {
		return nil, err
	}
	c.st.whisper(ch, c.args["user"], m)
	return object{"message_ts": m.TS}, nil
}

// whisper files an ephemeral message.
func (s *state) whisper(ch *channel, user string, m *Message) {
	m.TS, m.Channel, m.For, m.Posted = s.stamp(ch), ch.ID, user, s.now()
	ch.ephemerals = append(ch.ephemerals, m)
}

// updateMessage changes the app's own message: text without blocks takes the
// blocks away, neither keeps both, an empty list clears; metadata and
// attachments stay unless sent; with blocks there is no "edited" mark
// (docs.slack.dev, chat.update).
func updateMessage(c *call) (object, error) {
	ch, err := c.visible("channel", noScope)
	if err != nil {
		return nil, err
	}
	if ch.Archived {
		return nil, fail("is_inactive")
	}
	m := ch.message(c.args["ts"])
	switch {
	case m == nil:
		return nil, fail("message_not_found")
	case m.BotID != c.st.botID || m.Notice():
		return nil, fail("cant_update_message")
	}
	given := c.args["text"] != "" || c.args["markdown_text"] != ""
	if !given && !c.args.has("blocks") && !c.args.has("attachments") && !c.args.has("metadata") {
		return nil, fail("no_text")
	}
	body, err := c.parts()
	if err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(body.text) > maxUpdate || body.blockText > maxBlockText {
		return nil, fail("msg_too_long")
	}
	metadata, err := c.metadata()
	if err != nil {
		return nil, err
	}
	return c.rewrite(ch, m, body, metadata, given)
}

func (c *call) rewrite(ch *channel, m *Message, body content, metadata *Metadata, given bool) (object, error) {
	changed := *m
	if given {
		changed.Text = body.text
	}
	switch {
	case c.args.has("blocks"):
		changed.Blocks = body.blocks
	case given:
		changed.Blocks = body.blocks // of markdown_text, else none
	}
	if c.args.has("attachments") {
		changed.Attachments = body.attachments
	}
	if metadata != nil {
		changed.Metadata = metadata
	}
	if changed.Text == "" && changed.Blocks == nil && changed.Attachments == nil {
		return nil, fail("no_text")
	}
	if changed.Blocks == nil {
		changed.EditedTS = formatTS(c.st.now().UnixMicro())
	}
	changed.Edits++
	before := c.st.messageWire(ch, m, true)
	*m = changed
	c.w.emitChanged(ch, m, before)
	return object{"channel": ch.ID, "ts": m.TS, "text": m.Text, "message": c.st.messageWire(ch, m, true)}, nil
}

// emitChanged tells of an edited message.
func (w *Workspace) emitChanged(ch *channel, m *Message, before object) {
	ts := formatTS(w.st.now().UnixMicro())
	w.emitIn(ch, object{
		"type": "message", "subtype": "message_changed", "hidden": true, "channel": ch.ID, "channel_type": messageChannelType(ch),
		"ts": ts, "event_ts": ts, "message": w.st.messageWire(ch, m, true), "previous_message": before,
	})
}

func deleteMessage(c *call) (object, error) {
	ch, err := c.visible("channel", noScope)
	if err != nil {
		return nil, err
	}
	m := ch.message(c.args["ts"])
	switch {
	case m == nil, ch.Archived:
		return nil, fail("message_not_found")
	case m.BotID != c.st.botID || m.Notice():
		return nil, fail("cant_delete_message")
	}
	c.w.drop(ch, m)
	return object{"channel": ch.ID, "ts": m.TS}, nil
}

// drop deletes a message and tells of it.
func (w *Workspace) drop(ch *channel, m *Message) {
	before := w.st.messageWire(ch, m, true)
	ch.delete(m.TS)
	ts := formatTS(w.st.now().UnixMicro())
	w.emitIn(ch, object{
		"type": "message", "subtype": "message_deleted", "hidden": true, "channel": ch.ID, "channel_type": messageChannelType(ch),
		"deleted_ts": m.TS, "ts": ts, "event_ts": ts, "previous_message": before,
	})
}

func permalink(c *call) (object, error) {
	ch, err := c.visible("channel", noScope)
	if err != nil {
		return nil, err
	}
	m := ch.message(c.args["message_ts"])
	if m == nil {
		return nil, fail("message_not_found")
	}
	link := fmt.Sprintf("https://sandbox.slack.com/archives/%s/p%s", ch.ID, strings.Replace(m.TS, ".", "", 1))
	if m.reply() {
		link += "?thread_ts=" + m.ThreadTS + "&cid=" + ch.ID
	}
	return object{"channel": ch.ID, "permalink": link}, nil
}
