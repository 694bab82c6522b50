package sandbox

import (
	"html"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// tag draws what stands in angle brackets: <@U…>, <#C…|name>, <!here>,
// <!subteam^S…|name>, <!date^…>, <https://…|label>. An unknown one is text.
func (u *ui) tag(b *strings.Builder, s string) int {
	end := strings.IndexByte(s, '>')
	if end < 2 || strings.ContainsAny(s[1:end], "<\n") {
		return 0
	}
	target, label, _ := strings.Cut(s[1:end], "|")
	if len(target) < 2 {
		return 0
	}
	switch target[0] {
	case '@':
		u.mention(b, target[1:], label)
	case '#':
		u.channelLink(b, target[1:], label)
	case '!':
		u.special(b, target[1:], label)
	default:
		if !u.link(b, target, label) {
			return 0
		}
	}
	return end + 1
}

func (u *ui) mention(b *strings.Builder, id, label string) {
	class := "mention"
	if id == u.As {
		class = "mention mine"
	}
	name := label
	if _, ok := u.users[id]; ok || name == "" {
		name = u.name(id)
	}
	b.WriteString(`<span class="` + class + `">@` + html.EscapeString(name) + `</span>`)
}

// channelLink links a channel the person may see; another's name stays hidden.
func (u *ui) channelLink(b *strings.Builder, id, label string) {
	c, ok := u.channels[id]
	switch {
	case ok && u.mayRead(c):
		b.WriteString(`<a class="mention" href="` + html.EscapeString(u.address("c", id, "t", "", "n", "")) + `">#` + html.EscapeString(c.Name) + `</a>`)
	case ok:
		b.WriteString(`<span class="mention">` + html.EscapeString(u.say("private_channel")) + `</span>`)
	default:
		if label == "" {
			label = id
		}
		b.WriteString(`<span class="mention">#` + html.EscapeString(label) + `</span>`)
	}
}

func (u *ui) special(b *strings.Builder, what, label string) {
	switch {
	case what == "here" || what == "channel" || what == "everyone":
		b.WriteString(`<span class="mention mine">@` + what + `</span>`)
	case strings.HasPrefix(what, "date^"):
		u.dateTag(b, what, label)
	case label != "":
		b.WriteString(`<span class="mention">` + html.EscapeString(unescapeText(label)) + `</span>`)
	default:
		b.WriteString(`<span class="mention">@` + html.EscapeString(what) + `</span>`)
	}
}

// dateTag draws <!date^UNIX^FORMAT^LINK|FALLBACK> in the person's time zone.
func (u *ui) dateTag(b *strings.Builder, what, fallback string) {
	fields := strings.SplitN(what, "^", 4)
	seconds := int64(0)
	if len(fields) >= 3 {
		seconds, _ = strconv.ParseInt(fields[1], 10, 64)
	}
	if seconds == 0 {
		b.WriteString(html.EscapeString(unescapeText(fallback)))
		return
	}
	at := time.Unix(seconds, 0)
	text := `<time datetime="` + at.UTC().Format(time.RFC3339) + `">` + html.EscapeString(u.dated(at, unescapeText(fields[2]))) + `</time>`
	if len(fields) == 4 && webAddress(unescapeText(fields[3])) {
		text = `<a href="` + html.EscapeString(unescapeText(fields[3])) + `" target="_blank" rel="noopener noreferrer">` + text + `</a>`
	}
	b.WriteString(text)
}

// link draws a link; false when the address is none that a person may follow.
func (u *ui) link(b *strings.Builder, target, label string) bool {
	address := unescapeText(target)
	if !webAddress(address) {
		return false
	}
	if label == "" {
		label = html.EscapeString(strings.TrimPrefix(address, "mailto:"))
	} else {
		label = html.EscapeString(unescapeText(label))
	}
	b.WriteString(`<a href="` + html.EscapeString(address) + `" target="_blank" rel="noopener noreferrer">` + label + `</a>`)
	return true
}

// webAddress tells the addresses that a link may have.
func webAddress(address string) bool {
	a, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch a.Scheme {
	case "http", "https":
		return a.Host != ""
	case "mailto", "tel":
		return true
	default:
		return false
	}
}
