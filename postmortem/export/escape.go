package export

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// inline escapes text for one line of Markdown (CommonMark and GitHub's tables),
// inside a table cell or a paragraph. New lines become <br>; characters that
// are not shown but change what is shown are named by their number.
func inline(text string) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")) {
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

// within is inline for words in the middle of a text: a space at either end stays.
func within(words string) string {
	escaped := inline(words)
	if strings.HasPrefix(words, " ") {
		escaped = " " + escaped
	}
	if strings.HasSuffix(words, " ") && escaped != " " {
		escaped += " "
	}
	return escaped
}

// oneLine is inline for places where even <br> has no room: headings.
func oneLine(text string) string {
	return inline(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || breaksLine(r) }), " "))
}

// paragraph is inline for the beginning of a line, where a list, a rule or a
// heading could begin.
func paragraph(text string) string { return guardStart(inline(text)) }

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

// link writes a link, or plain text when the address is none a browser should
// be sent to.
func link(text, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return inline(address)
	}
	safe := strings.NewReplacer("|", "%7C", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20", `\`, "%5C", "`", "%60", "*", "%2A").Replace(u.String())
	return fmt.Sprintf("[%s](%s)", inline(text), safe)
}
