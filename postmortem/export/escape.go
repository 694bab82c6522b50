package export

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// nextAddress finds the first address of a web page in a text: where it begins
// and ends. What usually ends the sentence around one is not part of it.
func nextAddress(text string) (from, to int, ok bool) {
	for from < len(text) {
		i := strings.Index(text[from:], "http")
		if i < 0 {
			return 0, 0, false
		}
		from += i
		rest := text[from:]
		if !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") {
			from += len("http")
			continue
		}
		end := 0
		for end < len(rest) && inAddress(rest[end]) {
			end++
		}
		for end > 0 && !endsAddress(rest[end-1]) {
			end--
		}
		if end > len("https://") && webLink(rest[:end]) {
			return from, from + end, true
		}
		from += len("http")
	}
	return 0, 0, false
}

// inAddress reports bytes that stand in an address as people paste it.
func inAddress(c byte) bool {
	return c > ' ' && c < 0x7f && !strings.ContainsRune("<>\"'`|\\(){}[]^*", rune(c))
}

func endsAddress(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/#=&_~-", rune(c))
}

// inline escapes text for one line of Markdown (CommonMark and GitHub's tables),
// inside a table cell or a paragraph. New lines become <br>; characters that
// are not shown but change what is shown are named by their number. Addresses of
// web pages are links.
func inline(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if !strings.Contains(text, "http") {
		return escape(text)
	}
	var b strings.Builder
	for {
		from, to, ok := nextAddress(text)
		if !ok {
			break
		}
		b.WriteString(escape(text[:from]))
		b.WriteString(link(text[from:to], text[from:to]))
		text = text[to:]
	}
	b.WriteString(escape(text))
	return b.String()
}

// escape is inline without links; spaces at the ends stay.
func escape(text string) string {
	if !strings.ContainsFunc(text, special) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	for _, r := range strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n") {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == ' ':
			b.WriteRune(r)
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

// special reports whether a rune may need escaping; plain words need none.
func special(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != ' ' && r != '.' && r != ',' && r != ':' && r != '-' && r != '/' && r != '+'
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

// listMark is what could begin a list or underline a heading.
var listMark = regexp.MustCompile(`^([-+=:]|[0-9]+[.)])`)

// guardStart keeps text that is escaped already from beginning a list or the
// like.
func guardStart(escaped string) string {
	if mark := listMark.FindString(escaped); mark != "" {
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

// webLink reports whether an address is one that a browser should be sent to:
// http or https, with a host, in the characters that addresses are made of.
func webLink(address string) bool {
	_, ok := parseLink(address)
	return ok
}

func parseLink(address string) (*url.URL, bool) {
	address = strings.TrimSpace(address)
	for i := range len(address) {
		if c := address[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("<>\"`|\\{}[]^", c) >= 0 {
			return nil, false
		}
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, false
	}
	return u, true
}

// link writes a link, or plain text when the address is none a browser should
// be sent to.
func link(text, address string) string {
	u, ok := parseLink(address)
	if !ok {
		return escape(strings.TrimSpace(text))
	}
	return "[" + escape(strings.TrimSpace(text)) + "](" + linkTarget(u) + ")"
}

// linkTarget writes an address between the round brackets of a link.
func linkTarget(u *url.URL) string {
	address := u.String()
	if !strings.ContainsAny(address, "|()<> \\`*[]") {
		return address
	}
	return strings.NewReplacer("|", "%7C", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20", "\\", "%5C", "`", "%60", "*", "%2A", "[", "%5B", "]", "%5D").Replace(address)
}
