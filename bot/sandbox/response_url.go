package sandbox

import (
	"encoding/json"
	"io"
	"net/http"
	"time"
)

const (
	responseUses = 5
	responseLife = 30 * time.Minute
)

// responseURL lets the app answer an act by posting a message, up to five times
// within thirty minutes, whatever the channel's posting permissions
// (docs.slack.dev/interactivity/handling-user-interaction).
type responseURL struct {
	channel, user string
	original      string // the message acted upon, empty for a command
	ephemeral     bool   // the original is only the user's
	expires       time.Time
	uses          int
}

// newResponse gives out a response_url.
func (w *Workspace) newResponse(r responseURL) string {
	id := secret(16)
	r.expires = w.st.now().Add(responseLife)
	w.st.responses[id] = &r
	return w.baseURL() + "/response/" + id
}

// responseMessage is what may be sent to a response_url or answered to a command.
type responseMessage struct {
	ResponseType    string          `json:"response_type"`
	Text            string          `json:"text"`
	Blocks          json.RawMessage `json:"blocks"`
	Attachments     json.RawMessage `json:"attachments"`
	ReplaceOriginal bool            `json:"replace_original"`
	DeleteOriginal  bool            `json:"delete_original"`
	ThreadTS        string          `json:"thread_ts"`
}

// serveResponse answers in plain text: "ok", or a code with a 4xx status. The
// statuses for used_url and expired_url are unverified.
func (w *Workspace) serveResponse(rw http.ResponseWriter, r *http.Request) {
	rec := Call{Method: "response_url", Start: w.cfg.Now()}
	raw, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, maxBody))
	rec.Args = map[string]string{"body": string(raw)}
	v := w.faults.match(rec.Method, "", "", w.st)
	if !w.hold(r, v.delay) {
		panic(http.ErrAbortHandler)
	}
	if v.kind != nil && !v.kind.after() {
		w.answerFault(rw, rec, v.kind)
		return
	}
	status, code := http.StatusBadRequest, "invalid_payload"
	if err == nil {
		status, code = w.respond(r.PathValue("id"), raw)
	}
	rec.Status = status
	if code != "ok" {
		rec.Error = code
	}
	rec.Dropped = v.kind != nil
	w.record(rec)
	if rec.Dropped {
		panic(http.ErrAbortHandler)
	}
	rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
	rw.WriteHeader(status)
	_, _ = io.WriteString(rw, code)
}

func (w *Workspace) respond(id string, raw []byte) (int, string) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	r := w.st.responses[id]
	switch {
	case r == nil:
		return http.StatusNotFound, "invalid_url"
	case w.st.now().After(r.expires):
		return http.StatusNotFound, "expired_url"
	case r.uses >= responseUses:
		return http.StatusNotFound, "used_url"
	}
	var msg responseMessage
	if json.Unmarshal(raw, &msg) != nil {
		return http.StatusBadRequest, "invalid_payload"
	}
	if code := w.answer(r, msg); code != "" {
		return http.StatusBadRequest, code
	}
	r.uses++
	return http.StatusOK, "ok"
}

// answer carries out a message to an act: it replaces or deletes what was acted
// upon, or posts, by default for the user's eyes only. It gives an error code or "".
func (w *Workspace) answer(r *responseURL, msg responseMessage) string {
	ch := w.st.channels[r.channel]
	if ch == nil {
		return "channel_not_found"
	}
	if msg.DeleteOriginal && r.original != "" {
		w.deleteOriginal(ch, r)
		return ""
	}
	c := &call{w: w, st: w.st, args: args{"text": msg.Text, "blocks": jsonArg(msg.Blocks), "attachments": jsonArg(msg.Attachments)}}
	body, err := c.content()
	if err != nil {
		return err.Error()
	}
	m := &Message{
		User: w.st.botUser, BotID: w.st.botID, Text: cut(body.text, maxText), Blocks: body.blocks, Attachments: body.attachments,
		ThreadTS: msg.ThreadTS,
	}
	switch {
	case msg.ReplaceOriginal && r.original != "":
		w.replaceOriginal(ch, r, m)
	case msg.ResponseType == "in_channel" && !ch.Archived:
		w.add(ch, m)
	default:
		w.st.whisper(ch, r.user, m)
	}
	w.st.touch()
	return ""
}

func (w *Workspace) deleteOriginal(ch *channel, r *responseURL) {
	if r.ephemeral {
		ch.unwhisper(r.original)
	} else if m := ch.message(r.original); m != nil {
		w.drop(ch, m)
	}
	w.st.touch()
}

// replaceOriginal changes the message acted upon; an ephemeral one stays one.
func (w *Workspace) replaceOriginal(ch *channel, r *responseURL, m *Message) {
	if r.ephemeral {
		if old := ch.whispered(r.original); old != nil {
			old.Text, old.Blocks, old.Attachments, old.Edits = m.Text, m.Blocks, m.Attachments, old.Edits+1
		}
		return
	}
	if old := ch.message(r.original); old != nil {
		before := w.st.messageWire(ch, old, true)
		old.Text, old.Blocks, old.Attachments, old.Edits = m.Text, m.Blocks, m.Attachments, old.Edits+1
		w.emitChanged(ch, old, before)
	}
}

func (c *channel) whispered(ts string) *Message {
	for _, m := range c.ephemerals {
		if m.TS == ts {
			return m
		}
	}
	return nil
}

func (c *channel) unwhisper(ts string) {
	for i, m := range c.ephemerals {
		if m.TS == ts {
			c.ephemerals = append(c.ephemerals[:i], c.ephemerals[i+1:]...)
			return
		}
	}
}

func jsonArg(raw json.RawMessage) string {
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}
