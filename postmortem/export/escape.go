package export

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
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
	var b strings.Builder
	b.Grow(len(text) + 16)
	writeInline(&b, text)
	return b.String()
}

func writeInline(b *strings.Builder, text string) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	for strings.Contains(text, "http") {
		from, to, ok := nextAddress(text)
		if !ok {
			break
		}
		writeEscaped(b, text[:from])
		writeMarkdownLink(b, text[from:to], text[from:to])
		text = text[to:]
	}
	writeEscaped(b, text)
}

// escape is inline without links; spaces at the ends stay.
func escape(text string) string {
	if plainBytes(text) == len(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	writeEscaped(&b, text)
	return b.String()
}

func writeEscaped(b *strings.Builder, text string) {
	n := plainBytes(text)
	b.WriteString(text[:n])
	if n == len(text) {
		return
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text[n:], "\uFFFD"), "\r\n", "\n")
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case breaksLine(r):
			b.WriteString("<br>")
		case r == '\t':
			b.WriteByte(' ')
		case hidden(r):
			fmt.Fprintf(b, `\[U+%04X\]`, r)
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_[]#~|$", r):
			b.WriteByte('\\')
			b.WriteString(text[:size])
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
		n := plainBytes(text)
		b.WriteString(text[:n])
		text = text[n:]
	}
}

// plainBytes counts the bytes at the beginning of a text that mean nothing in
// Markdown; most of what people write is nothing else.
func plainBytes(text string) int {
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && (c < '(' || c > '/' || c == '*') && c != ' ' && c != ':' && c != ';' && c != '=' && c != '?' && c != '%' {
			return i
		}
	}
	return len(text)
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
	if r >= ' ' && r < 0x7f {
		return false
	}
	return unicode.IsControl(r) || (r >= '\u202A' && r <= '\u202E') || (r >= '\u2066' && r <= '\u2069')
}

// webLink reports whether an address is one that a browser should be sent to:
// http or https, with a host, in the characters that addresses are made of.
func webLink(address string) bool {
	if plainAddress(address) {
		return true
	}
	_, ok := parseLink(address)
	return ok
}

// plainAddress reports addresses that are made of so little that there is nothing
// to parse: a name, a path and a query. It answers for less than parseLink does,
// and the same; a long timeline has ten thousand of them.
func plainAddress(address string) bool {
	rest, ok := strings.CutPrefix(address, "https://")
	if !ok {
		return false
	}
	host := 0
	for host < len(rest) && (isAlphanumeric(rest[host]) || rest[host] == '.' || rest[host] == '-') {
		host++
	}
	if host == 0 || (host < len(rest) && rest[host] != '/' && rest[host] != '?') {
		return false
	}
	for i := host; i < len(rest); i++ {
		if c := rest[i]; !isAlphanumeric(c) && strings.IndexByte("-._~/?=&+,", c) < 0 {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
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

// writeMarkdownLink writes a link, or plain text when the address is none a
// browser should be sent to.
func writeMarkdownLink(b *strings.Builder, text, address string) {
	target := address
	if !plainAddress(address) {
		u, ok := parseLink(address)
		if !ok {
			writeEscaped(b, strings.TrimSpace(text))
			return
		}
		target = linkTarget(u)
	}
	b.WriteByte('[')
	writeEscaped(b, strings.TrimSpace(text))
	b.WriteString("](")
	b.WriteString(target)
	b.WriteByte(')')
}

// linkTarget writes an address between the round brackets of a link.
func linkTarget(u *url.URL) string {
	address := u.String()
	if !strings.ContainsAny(address, "|()<> \\`*[]") {
		return address
	}
	return strings.NewReplacer("|", "%7C", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20", "\\", "%5C", "`", "%60", "*", "%2A", "[", "%5B", "]", "%5D").Replace(address)
}
