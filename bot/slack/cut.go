package slack

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// cut shortens text to n characters as Slack counts them (code points), between
// what people see as characters: no flag, family or accent is cut in half.
func cut(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	return prefix(text, n-1) + "…"
}

// prefix is the longest beginning of at most n code points that ends between
// grapheme clusters; of one cluster that is longer, what fits.
func prefix(text string, n int) string {
	kept, left := 0, n
	rest, state := text, -1
	for rest != "" {
		cluster, after, _, next := uniseg.FirstGraphemeClusterInString(rest, state)
		size := utf8.RuneCountInString(cluster)
		if size > left {
			break
		}
		kept, left, rest, state = kept+len(cluster), left-size, after, next
	}
	if kept == 0 && n > 0 {
		return string([]rune(text)[:n])
	}
	return text[:kept]
}

// halfMarkup is an entity, a mention or a link that was cut before its end.
var halfMarkup = regexp.MustCompile(`(?:&[a-z]{0,4}|<[^<>]*)$`)

// cutMarkup shortens mrkdwn to n characters and leaves no entity, mention or
// link cut in half.
func cutMarkup(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	return halfMarkup.ReplaceAllString(prefix(text, n-1), "") + "…"
}

// cutEscaped cuts plain text so that its escaped form has at most n characters,
// and gives the escaped form. No entity is cut in half.
func cutEscaped(text string, n int) string { return cutMarkup(escape(text), n) }

// whole is where the whole of a text is to be read that had to be cut.
type whole struct {
	url     string // of the web pages, without a slash at the end; empty: there are none
	command string
}

// rest says, as markup, where the whole text of an incident stands.
func (w whole) rest(texts *templates.Catalogue, number int64) string {
	if w.url == "" {
		return texts.Text("rest_export", "command", w.command)
	}
	return link(w.url+"/i/"+incidents.Key(number), texts.Plain().Text("rest_page"))
}

// fit escapes a text of an incident and cuts it to n characters; where it had to
// be cut, it ends with where to read the whole.
func (w whole) fit(texts *templates.Catalogue, number int64, text string, n int) templates.Markup {
	escaped := escape(text)
	if utf8.RuneCountInString(escaped) <= n {
		return templates.Markup(escaped)
	}
	return templates.Markup(cutMarkup(escaped, n) + " " + w.rest(texts, number))
}

// fit is [whole.fit] for what a channel reads.
func (o *Outbound) fit(number int64, text string, n int) templates.Markup {
	return whole{url: strings.TrimRight(o.config.PublicURL, "/"), command: o.config.Command}.fit(o.text, number, text, n)
}

// fit is [whole.fit] for what one person reads.
func (e *Edge) fit(texts *templates.Catalogue, number int64, text string, n int) templates.Markup {
	return whole{url: strings.TrimRight(e.config.PublicURL, "/"), command: e.config.Command}.fit(texts, number, text, n)
}
