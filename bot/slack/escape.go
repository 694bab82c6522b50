package slack

import (
	"regexp"
	"strings"
	"unicode"
)

// Slack's limits of what Houston sends, in characters (docs.slack.dev, Block Kit
// and conversations.setTopic).
const (
	maxButton    = 75 // of a button, an option
	maxViewTitle = 24 // of a view, its buttons
	maxHeader    = 150
	maxSection   = 3000
	maxTopic     = 250
	maxPost      = 2400 // of what people wrote, with room for who, and for a link to the whole
	maxText      = 3800 // below chat.update's 4,000, with room for multi-byte runes
)

// escape makes plain text safe inside mrkdwn: Slack asks for these three only
// (docs.slack.dev, formatting message text). It is done once, on the way out.
// Without it a title could ping a whole channel.
func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(clean(text))
}

// everybody is what Slack may take for a mention of a whole channel where it
// looks for names in plain text (docs.slack.dev, text object, verbatim).
var everybody = regexp.MustCompile(`(?i)@(here|channel|everyone)\b`)

// clean drops what no chat shows or what would turn the text around it: control
// characters but for line breaks, directional overrides, invisible spaces, and
// what is no UTF-8. Nobody is pinged by @here in it: a word joiner keeps the
// sign from the word.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\u2028' || r == '\u2029':
			return '\n'
		case unicode.IsControl(r) || r == '\ufffd' || r == '\u200b' || r == '\ufeff' ||
			(r >= '\u202a' && r <= '\u202e') || (r >= '\u2066' && r <= '\u2069'):
			return -1
		default:
			return r
		}
	}, strings.ToValidUTF8(text, ""))
	return everybody.ReplaceAllString(text, "@\u2060$1")
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
