package sandbox

import (
	"cmp"
	"encoding/json"
	"html/template"
	"slices"
	"strings"
	"time"
)

// shown is how many of a channel's newest messages the page shows.
const shown = 200

// MessageView is a message on the page.
type MessageView struct {
	U *ui
	Message
	Face        Face
	Author      string
	At          time.Time
	Divider     string // a day begins with this message
	New         bool   // the first that the person had not read
	Compact     bool   // goes on from the message before
	InThread    bool   // drawn in the thread pane
	Private     bool   // only visible to the person
	FromPage    bool   // told by the page itself
	Replies     int
	ReplyFaces  []Face
	LatestReply time.Time
}

// Messages are those of the channel that is shown.
func (u *ui) Messages() []MessageView {
	return u.conversation(func(m Message) bool { return !m.reply() || m.Broadcast }, false)
}

// ThreadMessages are the parent and the replies of the thread that is shown.
func (u *ui) ThreadMessages() []MessageView {
	return u.conversation(func(m Message) bool { return m.TS == u.Thread || m.ThreadTS == u.Thread }, true)
}

// conversation gathers what the person sees: messages, ephemeral messages and
// the page's own notices, in time's order.
func (u *ui) conversation(keep func(Message) bool, thread bool) []MessageView {
	w := u.p.w
	history := w.History(u.Channel)
	var list []Message
	replies := map[string][]Message{}
	for _, m := range append(history, w.Ephemerals(u.Channel, u.As)...) {
		if m.reply() && m.For == "" {
			replies[m.ThreadTS] = append(replies[m.ThreadTS], m)
		}
		if keep(m) && !u.p.dismissed(u.As, m.TS) {
			list = append(list, m)
		}
	}
	if !thread {
		for _, n := range u.p.noticesFor(u.As, u.Channel) {
			list = append(list, Message{TS: n.ts, Text: escape(n.text), For: n.user, Username: "Slackbot", extra: object{}})
		}
	}
	slices.SortStableFunc(list, func(a, b Message) int { return strings.Compare(a.TS, b.TS) })
	if len(list) > shown {
		list = list[len(list)-shown:]
	}
	var out []MessageView
	for _, m := range list {
		v := u.messageView(m, replies[m.TS])
		v.InThread = thread
		u.follow(out, &v)
		out = append(out, v)
	}
	return out
}

func (u *ui) messageView(m Message, replies []Message) MessageView {
	v := MessageView{U: u, Message: m, Face: u.face(m.User), Private: m.For != "", FromPage: m.User == ""}
	v.Author = cmp.Or(m.Username, v.Face.Name)
	if v.FromPage {
		v.Face = Face{Name: v.Author, Initials: "S", Hue: 6, App: true}
	}
	if micros, ok := parseTS(m.TS); ok {
		v.At = time.UnixMicro(micros)
	}
	v.Replies = len(replies)
	seen := map[string]bool{}
	for _, r := range replies {
		if micros, ok := parseTS(r.TS); ok {
			v.LatestReply = time.UnixMicro(micros)
		}
		if !seen[r.User] && len(v.ReplyFaces) < 5 {
			v.ReplyFaces = append(v.ReplyFaces, u.face(r.User))
		}
		seen[r.User] = true
	}
	return v
}

// follow joins a message to those before it: a new day, what is new, and whether
// the same person goes on within five minutes.
func (u *ui) follow(before []MessageView, v *MessageView) {
	if len(before) == 0 {
		if !v.InThread {
			v.Divider = u.day(v.At)
		}
		return
	}
	last := before[len(before)-1]
	if !v.InThread && u.day(last.At) != u.day(v.At) {
		v.Divider = u.day(v.At)
	}
	if !v.InThread && u.Since != "" && last.TS <= u.Since && v.TS > u.Since && v.User != u.As && !v.Private {
		v.New = true
	}
	v.Compact = v.Divider == "" && !v.New && last.User == v.User && last.Author == v.Author && !last.Notice() && !v.Notice() &&
		last.Private == v.Private && v.At.Sub(last.At) < 5*time.Minute && !v.Broadcast && last.Replies == 0
}

// DOMID is the message's id on the page.
func (v MessageView) DOMID() string {
	prefix := "m"
	if v.InThread {
		prefix = "t"
	}
	return prefix + strings.ReplaceAll(v.TS, ".", "-")
}

// HTML is the message's text; with blocks it is only for those who cannot show
// them.
func (v MessageView) HTML() template.HTML {
	if len(v.Message.Blocks) > 0 {
		return ""
	}
	return v.U.mrkdwn(v.Text)
}

// Blocks are the message's blocks.
func (v MessageView) Blocks() []BlockView { return v.U.readBlocks(v.Message.Blocks, v.DOMID(), nil) }

// Clock is the time of day the message came.
func (v MessageView) Clock() string { return v.U.clock(v.At) }

// Stamp is the whole date and time.
func (v MessageView) Stamp() string { return v.U.date(v.At, true) + ", " + v.U.clock(v.At) }

// Latest tells when the last reply came.
func (v MessageView) Latest() string { return v.U.clock(v.LatestReply) }

// Mine says whether the person wrote the message.
func (v MessageView) Mine() bool { return v.User == v.U.As }

// Raw is the text as the person would type it, for editing.
func (v MessageView) Raw() string {
	text := v.Text
	for id, user := range v.U.users {
		text = strings.ReplaceAll(text, "<@"+id+">", "@"+user.Name)
	}
	return unescapeText(strings.NewReplacer("<http", "http").Replace(strings.ReplaceAll(text, ">", "")))
}

// ReactionView is an emoji under a message.
type ReactionView struct {
	Emoji
	Count int
	Mine  bool
	Who   string
}

// Reacted are the emoji under the message.
func (v MessageView) Reacted() (out []ReactionView) {
	for _, r := range v.Reactions {
		var names []string
		for _, id := range r.Users {
			names = append(names, v.U.name(id))
		}
		out = append(out, ReactionView{v.U.emoji(r.Name), len(r.Users), slices.Contains(r.Users, v.U.As), strings.Join(names, ", ")})
	}
	return out
}

// Quick are the emoji offered at once.
func (v MessageView) Quick() (out []Emoji) {
	for _, name := range v.U.p.cfg.Reactions {
		out = append(out, v.U.emoji(name))
	}
	return out
}

// Attachment is a secondary attachment: a coloured bar with blocks or old fields.
type Attachment struct {
	U                                                *ui
	Color, Pretext, Title, TitleLink, Text, Fallback string
	RawBlocks                                        json.RawMessage `json:"blocks"`
	Fields                                           []struct{ Title, Value string }
	Where                                            string
}

// Attached are the message's attachments.
func (v MessageView) Attached() (out []Attachment) {
	var list []struct {
		Attachment
		Link string `json:"title_link"`
	}
	if json.Unmarshal(v.Attachments, &list) != nil {
		return nil
	}
	for _, a := range list {
		a.U, a.Where, a.TitleLink = v.U, v.DOMID(), a.Link
		out = append(out, a.Attachment)
	}
	return out
}

// Bar is the colour of the bar.
func (a Attachment) Bar() string {
	switch a.Color {
	case "good":
		return "#2eb67d"
	case "warning":
		return "#d99a00"
	case "danger":
		return "#d1344b"
	case "":
		return "#9aa3ad"
	}
	return "#" + strings.TrimPrefix(a.Color, "#")
}

// Blocks are the attachment's blocks.
func (a Attachment) Blocks() []BlockView { return a.U.readBlocks(a.RawBlocks, a.Where, nil) }

// FileView is a file of a message.
type FileView struct {
	Name, Title, URL string
	Size             int // bytes
	Picture          bool
}

// Uploads are the message's files.
func (v MessageView) Uploads() (out []FileView) {
	st := v.U.p.w.st
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, id := range v.Files {
		if f := st.files[id]; f != nil && !f.deleted {
			out = append(out, FileView{f.name, f.title, v.U.Prefix() + "/file/" + f.id + "/" + f.name, f.size, picture(sniff(f.data))})
		}
	}
	return out
}

// Mrkdwn draws mrkdwn, for templates.
func (u *ui) Mrkdwn(text string) template.HTML { return u.mrkdwn(text) }
