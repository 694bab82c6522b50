package sandbox

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
)

func sniff(data []byte) string { return http.DetectContentType(data) }

// mayRead says whether a person may look into a channel.
func (u *ui) mayRead(c Channel) bool {
	return slices.Contains(c.Members, u.As) || !c.Private && !c.IM && !u.me.guest()
}

// sorted lists channels by name.
func (u *ui) sorted(keep func(Channel) bool) (out []Channel) {
	for _, c := range u.channels {
		if keep(c) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Channel) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// mine lists the channels that the person is in.
func (u *ui) mine() []Channel {
	return u.sorted(func(c Channel) bool { return slices.Contains(c.Members, u.As) && !c.Archived })
}

// ChannelItem is a line of the channel list.
type ChannelItem struct {
	Channel
	URL           string
	Unread, Badge int
	Here          bool
}

func (u *ui) item(c Channel) ChannelItem {
	all, mine := u.unread(c)
	return ChannelItem{c, u.address("c", c.ID, "t", "", "n", ""), all, mine, c.ID == u.Channel}
}

// Mine are the lines of the person's channels.
func (u *ui) Mine() (out []ChannelItem) {
	for _, c := range u.mine() {
		out = append(out, u.item(c))
	}
	return out
}

// Others are the public channels that the person could join, and archived ones.
func (u *ui) Others() (out []ChannelItem) {
	for _, c := range u.sorted(func(c Channel) bool { return u.mayRead(c) && (c.Archived || !slices.Contains(c.Members, u.As)) }) {
		i := u.item(c)
		i.Unread, i.Badge = 0, 0
		out = append(out, i)
	}
	return out
}

// Direct is the line of the direct messages with the app.
func (u *ui) Direct() ChannelItem {
	if u.direct.ID == "" {
		return ChannelItem{URL: u.address("c", placeDirect, "t", "", "n", "")}
	}
	return u.item(u.direct)
}

// App is the app's bot.
func (u *ui) App() User { return u.users[u.p.w.st.botUser] }

// AppFace is the app's picture.
func (u *ui) AppFace() Face { return u.face(u.p.w.st.botUser) }

// AtHome says whether the app's home tab is shown.
func (u *ui) AtHome() bool { return u.Channel == placeHome }

// Here is the channel that is shown.
func (u *ui) Here() Channel {
	if u.Channel == u.direct.ID {
		return u.direct
	}
	return u.channels[u.Channel]
}

// InDirect says whether the conversation with the app is shown.
func (u *ui) InDirect() bool { return u.Channel != "" && u.Channel == u.direct.ID }

// Inside says whether the person is in the channel that is shown.
func (u *ui) Inside() bool { return slices.Contains(u.Here().Members, u.As) }

// Place names what is shown: "#ops", the app's name.
func (u *ui) Place() string {
	switch {
	case u.AtHome(), u.InDirect():
		return u.name(u.p.w.st.botUser)
	default:
		return "#" + u.Here().Name
	}
}

// DocumentTitle is the title of the browser's tab, with the unread messages.
func (u *ui) DocumentTitle() string {
	unread := u.Direct().Unread
	for _, c := range u.Mine() {
		unread += c.Unread
	}
	title := u.Place() + " – " + u.p.cfg.Title
	if unread > 0 {
		title = fmt.Sprintf("(%d) %s", unread, title)
	}
	return title
}

// Topic is the channel's topic or purpose.
func (u *ui) Topic() template.HTML {
	c := u.Here()
	if c.Topic != "" {
		return u.mrkdwn(c.Topic)
	}
	return u.mrkdwn(c.Purpose)
}

// BookmarkView is a bookmark with its emoji.
type BookmarkView struct {
	Bookmark
	Char string
}

// Bookmarks are the channel's bookmarks.
func (u *ui) Bookmarks() (out []BookmarkView) {
	for _, b := range u.p.w.Bookmarks(u.Channel) {
		char := ""
		if b.Emoji != "" {
			char = u.emoji(strings.Trim(b.Emoji, ":")).Char
		}
		out = append(out, BookmarkView{b, char})
	}
	return out
}

// Pinned are the channel's pinned messages.
func (u *ui) Pinned() (out []MessageView) {
	for _, m := range u.p.w.Pins(u.Channel) {
		out = append(out, u.messageView(m, nil))
	}
	return out
}

// Excerpt is a message in one line.
func (v MessageView) Excerpt() string {
	line, _, _ := strings.Cut(strings.TrimSpace(v.U.Words(textObject{Text: v.Text})), "\n")
	return cut(plainWords(line), 80)
}

// HomeBlocks are those of the app's home tab.
func (u *ui) HomeBlocks() []BlockView {
	home, ok := u.p.w.Home(u.As)
	if !ok {
		return nil
	}
	return u.readBlocks(home.Blocks, "home", nil)
}

// HomeID is the home tab's view ID.
func (u *ui) HomeID() string {
	home, _ := u.p.w.Home(u.As)
	return home.ID
}

// Address is the page's address with some parts changed, for templates.
func (u *ui) Address(pairs ...string) string { return u.address(pairs...) }

// Shortcuts lists those on messages, or the global ones.
func (u *ui) Shortcuts(onMessages bool) (out []ShortcutHint) {
	for _, s := range u.p.cfg.Shortcuts {
		if s.Message == onMessages {
			out = append(out, s)
		}
	}
	return out
}

// Hints is what the script completes: commands, people and channels, as JSON.
func (u *ui) Hints() any {
	type named struct {
		Name  string `json:"name"`
		Label string `json:"label"`
		URL   string `json:"url,omitempty"`
	}
	hints := struct {
		Commands []CommandHint     `json:"commands"`
		People   []named           `json:"people"`
		Channels []named           `json:"channels"`
		Words    map[string]string `json:"words"`
	}{u.p.cfg.Commands, nil, nil, map[string]string{}}
	for _, user := range append(slices.Clone(u.people), u.App()) {
		hints.People = append(hints.People, named{Name: user.Name, Label: u.name(user.ID)})
	}
	for _, c := range u.sorted(u.mayRead) {
		hints.Channels = append(hints.Channels, named{c.Name, c.Name, u.address("c", c.ID, "t", "", "n", "")})
	}
	for _, key := range []string{"ok", "cancel", "lost", "nothing_found"} {
		hints.Words[key] = u.say(key)
	}
	return hints
}

// ModalView is the topmost modal of the person.
type ModalView struct {
	U *ui
	Modal
	Submit, Close string
	Stacked       bool
	Files         bool
}

// Modals holds the topmost modal, or nothing.
func (u *ui) Modals() []ModalView {
	open := u.p.w.Modals(u.As)
	if len(open) == 0 {
		return nil
	}
	top := open[len(open)-1]
	v := ModalView{U: u, Modal: top, Stacked: len(open) > 1, Close: u.say("cancel")}
	if v.Stacked {
		v.Close = u.say("back")
	}
	st := u.p.w.st
	st.mu.Lock()
	defer st.mu.Unlock()
	if m := st.views[top.ID]; m != nil {
		v.Submit = unescapeText(textOf(m.body["submit"]))
		if text := textOf(m.body["close"]); text != "" {
			v.Close = unescapeText(text)
		}
	}
	var inputs []struct{ Type string }
	if json.Unmarshal(top.Blocks, &inputs) == nil && v.Submit == "" && slices.ContainsFunc(inputs, func(b struct{ Type string }) bool { return b.Type == "input" }) {
		v.Submit = u.say("submit")
	}
	return []ModalView{v}
}

// Title is the modal's title.
func (v ModalView) Title() template.HTML { return v.U.plain(v.Modal.Title) }

// Blocks are the modal's blocks, with what is wrong in them.
func (v ModalView) Blocks() []BlockView { return v.U.readBlocks(v.Modal.Blocks, v.ID, v.Errors) }

// FaceOf is a person's picture, for templates.
func (u *ui) FaceOf(id string) Face { return u.face(id) }
