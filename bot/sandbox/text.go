package sandbox

import (
	"regexp"
	"strings"
)

// rewriter holds how Slack rewrites text on the way in, so that what is stored
// differs from what was sent (docs.slack.dev, formatting message text): a bare
// &, < or > is escaped, a URL becomes a link, an emoji becomes its :name:.
type rewriter struct {
	entity, tag, url, host *regexp.Regexp
	emoji                  *strings.Replacer
}

func newRewriter() *rewriter {
	return &rewriter{
		entity: regexp.MustCompile(`^&(amp|lt|gt);`),
		tag:    regexp.MustCompile(`^<([@#!][^<>\s][^<>\n]*|(https?|mailto|tel|slack):[^<>\n]*)>`),
		url:    regexp.MustCompile(`^https?://[^\s<>|]+`),
		host:   regexp.MustCompile(`^https?://[A-Za-z0-9]`),
		emoji: strings.NewReplacer(
			"📌", ":pushpin:", "✅", ":white_check_mark:", "📈", ":chart_with_upwards_trend:", "🔒", ":lock:", "🔥", ":fire:",
			"🚨", ":rotating_light:", "🔴", ":red_circle:", "🟠", ":large_orange_circle:", "🟡", ":large_yellow_circle:",
			"🟢", ":large_green_circle:", "🔵", ":large_blue_circle:", "⚪", ":white_circle:", "👍", ":+1:", "🎉", ":tada:",
			"🚀", ":rocket:", "⚠️", ":warning:", "🙂", ":slightly_smiling_face:", "📞", ":telephone_receiver:", "🧵", ":thread:",
			"👀", ":eyes:", "❌", ":x:", "🚒", ":fire_engine:", "📎", ":paperclip:", "📣", ":mega:", "⏱️", ":stopwatch:",
		),
	}
}

func (s *state) rewriteText(text string) string { return s.text.rewrite(text, true) }

// rewrite escapes and, when links is set, links bare URLs. What is escaped or
// tagged already stays.
func (r *rewriter) rewrite(text string, links bool) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		rest := text[i:]
		switch c := text[i]; {
		case c == '&':
			i += take(&b, r.entity.FindString(rest), "&amp;")
		case c == '<':
			i += take(&b, r.tag.FindString(rest), "&lt;")
		case c == '>':
			b.WriteString("&gt;")
			i++
		case c == 'h' && links && (i == 0 || !wordByte(text[i-1])) && r.link(rest) != "":
			u := r.link(rest)
			b.WriteString("<" + escape(u) + ">")
			i += len(u)
		default:
			b.WriteByte(c)
			i++
		}
	}
	return r.emoji.Replace(b.String())
}

// link finds a URL at the start of text: it ends at white space and at angle
// brackets, also escaped ones, and closing punctuation is no part of it.
func (r *rewriter) link(text string) string {
	u := r.url.FindString(text)
	for _, end := range []string{"&lt;", "&gt;"} {
		u, _, _ = strings.Cut(u, end)
	}
	for n := -1; n != len(u); { // one by one, for an entity ends in punctuation too
		n = len(u)
		if u = strings.TrimSuffix(u, "&amp;"); n == len(u) && u != "" && strings.ContainsRune(".,;:!?()'\"`*_~&", rune(u[n-1])) {
			u = u[:n-1]
		}
	}
	if !r.host.MatchString(u) {
		return ""
	}
	return u
}

// take writes what was found, or the escape of one byte, and says how much of
// the text that used up.
func take(b *strings.Builder, found, escaped string) int {
	if found == "" {
		b.WriteString(escaped)
		return 1
	}
	b.WriteString(found)
	return len(found)
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// escape replaces the three characters that Slack's text escapes.
func escape(text string) string {
	return strings.NewReplacer("&amp;", "&amp;", "&lt;", "&lt;", "&gt;", "&gt;", "&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
