package export

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// address finds addresses of web pages in a text. What usually ends the sentence
// around one is not part of it.
var address = regexp.MustCompile("https?://[^\\s<>\"'`|\\\\(){}\\[\\]^*\u0080-\U0010FFFF\\x00-\\x1f]*[a-zA-Z0-9/#=&_~-]")

// inline escapes text for one line of Markdown (CommonMark and GitHub's tables),
// inside a table cell or a paragraph. New lines become <br>; characters that
// are not shown but change what is shown are named by their number. Addresses of
// web pages are links.
func inline(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	var b strings.Builder
	for {
		at := address.FindStringIndex(text)
		if at == nil || !webLink(text[at[0]:at[1]]) {
			break
		}
		b.WriteString(escape(text[:at[0]]))
		b.WriteString(link(text[at[0]:at[1]], text[at[0]:at[1]]))
		text = text[at[1]:]
	}
	b.WriteString(escape(text))
	return b.String()
}

// escape is inline without links; spaces at the ends stay.
func escape(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n") {
		switch {
		case breaksLine(r):
			b.WriteString("<br>")
		case r == '\t':
			b.WriteByte(' ')
		case hidden(r):
			fmt.Fprintf(&b, `\[U+%04X\]`, r)
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_[]#~|$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// heading is inline for places where even <br> has no room: headings.
func heading(text string) string {
	return escape(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || breaksLine(r) }), " "))
}

// codeLine is a line of code: nothing in it means anything, but what is not
// shown and turns what is shown is replaced.
func codeLine(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return r
		case hidden(r) || breaksLine(r):
			return '\uFFFD'
		default:
			return r
		}
	}, strings.ToValidUTF8(line, "\uFFFD"))
}

// guardStart keeps text that is escaped already from beginning a list or the
// like.
func guardStart(escaped string) string {
	if mark := regexp.MustCompile(`^([-+=:]|[0-9]+[.)])`).FindString(escaped); mark != "" {
		return escaped[:len(mark)-1] + `\` + escaped[len(mark)-1:]
	}
	return escaped
}

func breaksLine(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
		return true
	default:
		return false
	}
}

// hidden reports control characters and those that turn the direction of what
// follows (Unicode's bidirectional embeddings, overrides and isolates).
func hidden(r rune) bool {
	return unicode.IsControl(r) || (r >= '\u202A' && r <= '\u202E') || (r >= '\u2066' && r <= '\u2069')
}

// webLink reports whether an address is one that a browser should be sent to.
func webLink(address string) bool {
	u, err := url.Parse(strings.TrimSpace(address))
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

// link writes a link, or plain text when the address is none a browser should
// be sent to.
func link(text, address string) string {
	if !webLink(address) {
		return escape(strings.TrimSpace(text))
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return escape(strings.TrimSpace(text))
	}
	return "[" + escape(strings.TrimSpace(text)) + "](" + linkTarget(u) + ")"
}

// linkTarget writes an address between the round brackets of a link.
func linkTarget(u *url.URL) string {
	return strings.NewReplacer("|", "%7C", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20", "\\", "%5C", "`", "%60", "*", "%2A", "[", "%5B", "]", "%5D").Replace(u.String())
}
