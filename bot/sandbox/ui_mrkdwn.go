package sandbox

import (
	"html"
	"html/template"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mrkdwn draws text as Slack stores it: its three characters escaped, references
// and links in angle brackets (docs.slack.dev, formatting message text). Whatever
// is not known is shown as text; nothing in it becomes HTML by itself.
func (u *ui) mrkdwn(text string) template.HTML {
	var b strings.Builder
	for i, piece := range strings.Split(text, "```") {
		switch {
		case i%2 == 1 && strings.Count(text, "```") > i:
			b.WriteString("<pre>" + plainText(strings.Trim(piece, "\n")) + "</pre>")
		case i%2 == 1:
			u.lines(&b, "```"+piece)
		default:
			u.lines(&b, piece)
		}
	}
	return template.HTML(b.String()) //nolint:gosec // every piece was escaped
}

// lines draws text outside code blocks: quotes, lists and paragraphs.
func (u *ui) lines(b *strings.Builder, text string) {
	open := ""
	turn := func(tag string) {
		if tag == open {
			return
		}
		if open != "" {
			b.WriteString("</" + open + ">")
		}
		if open = tag; tag != "" {
			b.WriteString("<" + tag + ">")
		}
	}
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	breaks := false
	for _, line := range lines {
		quote, isQuote := strings.CutPrefix(line, "&gt;")
		item, isItem := listItem(line)
		before := open
		switch {
		case isQuote:
			turn("blockquote")
			if before == open {
				b.WriteString("<br>")
			}
			u.inline(b, strings.TrimPrefix(quote, " "), ' ')
			breaks = false
		case isItem:
			turn("ul")
			b.WriteString("<li>")
			u.inline(b, item, ' ')
			b.WriteString("</li>")
			breaks = false
		default:
			turn("")
			if breaks {
				b.WriteString("<br>")
			}
			u.inline(b, line, ' ')
			breaks = true
		}
	}
	turn("")
}

func listItem(line string) (string, bool) {
	for _, bullet := range []string{"• ", "- ", "◦ "} {
		if item, ok := strings.CutPrefix(strings.TrimLeft(line, " "), bullet); ok {
			return item, true
		}
	}
	return "", false
}

// inline draws one line. before is the character before it, which decides
// whether a mark at its start may open.
func (u *ui) inline(b *strings.Builder, s string, before rune) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		used := 0
		switch r {
		case '`':
			used = code(b, s[i:])
		case '<':
			used = u.tag(b, s[i:])
		case '*', '_', '~':
			used = u.marked(b, s[i:], r, before)
		case ':':
			used = u.shortcode(b, s[i:])
		case '&':
			used = entity(b, s[i:])
		}
		if used == 0 {
			b.WriteString(html.EscapeString(s[i : i+size]))
			used = size
		}
		before, _ = utf8.DecodeLastRuneInString(s[:i+used])
		i += used
	}
}

// code draws `code`.
func code(b *strings.Builder, s string) int {
	end := strings.IndexByte(s[1:], '`')
	if end < 1 {
		return 0
	}
	b.WriteString("<code>" + plainText(s[1:1+end]) + "</code>")
	return end + 2
}

// marked draws *bold*, _italic_ and ~strike~.
func (u *ui) marked(b *strings.Builder, s string, mark, before rune) int {
	if letter(before) {
		return 0
	}
	for from := 1; ; {
		end := strings.IndexRune(s[from:], mark)
		if end < 0 {
			return 0
		}
		end += from
		last, _ := utf8.DecodeLastRuneInString(s[:end])
		first, _ := utf8.DecodeRuneInString(s[1:])
		next, _ := utf8.DecodeRuneInString(s[end+1:])
		if end > 1 && !unicode.IsSpace(last) && !unicode.IsSpace(first) && !letter(next) {
			tag := map[rune]string{'*': "strong", '_': "em", '~': "s"}[mark]
			b.WriteString("<" + tag + ">")
			u.inline(b, s[1:end], mark)
			b.WriteString("</" + tag + ">")
			return end + 1
		}
		from = end + 1
	}
}

func letter(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// entity lets the three escapes through.
func entity(b *strings.Builder, s string) int {
	for _, e := range []string{"&amp;", "&lt;", "&gt;"} {
		if strings.HasPrefix(s, e) {
			b.WriteString(e)
			return len(e)
		}
	}
	return 0
}

// shortcode draws :emoji:.
func (u *ui) shortcode(b *strings.Builder, s string) int {
	found := regexp.MustCompile(`^:[a-z0-9_+'-]+(::skin-tone-[2-6])?:`).FindString(s)
	if found == "" {
		return 0
	}
	e := u.emoji(strings.Trim(found, ":"))
	if strings.HasPrefix(e.Char, ":") {
		return 0
	}
	b.WriteString(emojiHTML(e))
	return len(found)
}

func emojiHTML(e Emoji) string {
	name := html.EscapeString(strings.ReplaceAll(e.Name, "_", " "))
	return `<span class="emoji" role="img" aria-label="` + name + `" title=":` + html.EscapeString(e.Name) + `:">` + html.EscapeString(e.Char) + `</span>`
}

// plainText is stored text with its references as plain words, escaped for HTML.
func plainText(s string) string {
	s = regexp.MustCompile(`<([^<>\n]*)>`).ReplaceAllStringFunc(s, func(tag string) string {
		target, label, labelled := strings.Cut(tag[1:len(tag)-1], "|")
		if labelled {
			return label
		}
		return target
	})
	return html.EscapeString(unescapeText(s))
}

func unescapeText(s string) string {
	return strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">").Replace(s)
}
