package sandbox

import (
	"html"
	"html/template"
	"regexp"
	"strings"
)

// markdown draws the text of a markdown block: headings, lists, quotes, code and
// the usual marks. It is turned into Slack's own marks where those say the same,
// and drawn as they are.
func (u *ui) markdown(text string) template.HTML {
	var b strings.Builder
	var run []string
	flush := func() {
		if len(run) > 0 {
			b.WriteString(string(u.mrkdwn(strings.Join(run, "\n"))))
			run = nil
		}
	}
	heading := regexp.MustCompile(`^#{1,6} +(.*)$`)
	fenced := false
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			run = append(run, "```")
			continue
		}
		found := heading.FindStringSubmatch(line)
		switch {
		case fenced:
			run = append(run, escape(line))
		case found != nil:
			flush()
			b.WriteString(`<p class="heading">`)
			u.inline(&b, u.fromMarkdown(found[1]), ' ')
			b.WriteString("</p>")
		case line == "---" || line == "***":
			flush()
			b.WriteString("<hr>")
		default:
			run = append(run, u.fromMarkdown(line))
		}
	}
	if fenced {
		run = append(run, "```")
	}
	flush()
	return template.HTML(b.String()) //nolint:gosec // drawn by mrkdwn and inline, which escape
}

// fromMarkdown turns one line into Slack's marks.
func (u *ui) fromMarkdown(line string) string {
	line = escape(line)
	line = regexp.MustCompile(`&lt;([@#!][^&\s]*|https?://[^&\s]*)&gt;`).ReplaceAllString(line, "<$1>")
	line = regexp.MustCompile(`^(\s*)[*+] `).ReplaceAllString(line, "$1- ")
	line = regexp.MustCompile(`\[([^\]\n|<>]+)\]\((https?://[^)\s|<>]+|mailto:[^)\s|<>]+)\)`).ReplaceAllString(line, "<$2|$1>")
	line = regexp.MustCompile(`\*\*([^*\n]+)\*\*`).ReplaceAllString(line, "\x00$1\x00")
	line = regexp.MustCompile(`\*([^*\n]+)\*`).ReplaceAllString(line, "_${1}_")
	line = strings.ReplaceAll(line, "\x00", "*")
	return strings.ReplaceAll(line, "~~", "~")
}

// richParts draws the elements of a rich_text block.
func (u *ui) richParts(list []element) template.HTML {
	var b strings.Builder
	for _, e := range list {
		u.richPart(&b, e)
	}
	return template.HTML(b.String()) //nolint:gosec // every text was escaped
}

func (u *ui) richPart(b *strings.Builder, e element) {
	wrap := func(tag string) {
		b.WriteString("<" + tag + ">")
		for _, child := range e.Elements {
			u.richPart(b, child)
		}
		b.WriteString("</" + tag + ">")
	}
	switch e.Type {
	case "rich_text_section":
		wrap("div")
	case "rich_text_preformatted":
		wrap("pre")
	case "rich_text_quote":
		wrap("blockquote")
	case "rich_text_list":
		tag := "ul"
		if e.styleName() == "ordered" {
			tag = "ol"
		}
		b.WriteString("<" + tag + ">")
		for _, child := range e.Elements {
			b.WriteString("<li>")
			u.richPart(b, child)
			b.WriteString("</li>")
		}
		b.WriteString("</" + tag + ">")
	default:
		u.richInline(b, e)
	}
}

func (u *ui) richInline(b *strings.Builder, e element) {
	closing := ""
	for _, mark := range []struct{ name, tag string }{{"bold", "strong"}, {"italic", "em"}, {"strike", "s"}, {"code", "code"}} {
		if e.styled(mark.name) {
			b.WriteString("<" + mark.tag + ">")
			closing = "</" + mark.tag + ">" + closing
		}
	}
	switch e.Type {
	case "text":
		b.WriteString(strings.ReplaceAll(html.EscapeString(unescapeText(e.Text.Text)), "\n", "<br>"))
	case "link":
		if !u.link(b, escape(e.URL), escape(e.Text.Text)) {
			b.WriteString(html.EscapeString(e.URL))
		}
	case "emoji":
		b.WriteString(emojiHTML(u.emoji(e.Name)))
	case "user":
		u.mention(b, e.UserID, "")
	case "channel":
		u.channelLink(b, e.ChannelID, "")
	case "broadcast":
		u.special(b, e.Range, "")
	case "usergroup":
		b.WriteString(`<span class="mention">@` + html.EscapeString(e.UsergroupID) + `</span>`)
	case "date":
		u.dateTag(b, "date^"+string(e.Timestamp)+"^"+e.Format, e.Fallback)
	}
	b.WriteString(closing)
}
