package slack

import "strings"

// Slack's limits of what Houston sends, in characters (docs.slack.dev, Block Kit
// and conversations.setTopic).
const (
	maxButton    = 75 // of a button, an option
	maxViewTitle = 24 // of a view, its buttons
	maxHeader    = 150
	maxSection   = 3000
	maxTopic     = 250
	maxText      = 3800 // below chat.update's 4,000, with room for multi-byte runes
)

// escape makes plain text safe inside mrkdwn: Slack asks for these three only
// (docs.slack.dev, formatting message text). It is done once, on the way out.
// Without it a title could ping a whole channel.
func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(clean(text))
}

// clean drops what no chat shows: control characters but for line breaks, and
// what is no UTF-8.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ' || r == 0x7f || r == '\ufffd':
			return -1
		default:
			return r
		}
	}, strings.ToValidUTF8(text, ""))
}

// cut shortens text to n characters.
func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// cutEscaped cuts plain text so that its escaped form has at most n characters,
// and gives the escaped form. No entity is cut in half.
func cutEscaped(text string, n int) string {
	escaped := escape(text)
	for size := n; len([]rune(escaped)) > n; size -= len([]rune(escaped)) - n {
		escaped = escape(cut(clean(text), max(size, 1)))
		if size <= 1 {
			return cut(escaped, n)
		}
	}
	return escaped
}

// mention shows a person by id; a person without one by name.
func mention(id, name string) string {
	if id == "" {
		return escape(name)
	}
	return "<@" + id + ">"
}

// link shows a link; what is no plain http(s) URL is shown as text.
func link(url, label string) string {
	if (!strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://")) || strings.ContainsAny(url, " <>|\n") {
		return escape(url)
	}
	return "<" + strings.ReplaceAll(url, "&", "&amp;") + "|" + escape(label) + ">"
}
