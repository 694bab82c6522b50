package statuspage

import (
	"encoding/xml"
	"fmt"
	"html"
	"net/url"
	"strings"
	"time"
)

// The feed is Atom, RFC 4287: one entry for each notice, changed with each of
// its texts.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID        string      `xml:"id"`
	Title     string      `xml:"title"`
	Published string      `xml:"published"`
	Updated   string      `xml:"updated"`
	Link      atomLink    `xml:"link"`
	Content   atomContent `xml:"content"`
}

type atomContent struct {
	Type string `xml:"type,attr"`
	Body string `xml:",chardata"`
}

func (b *Builtin) atom(v view) ([]byte, error) {
	feed := atomFeed{
		Lang: b.config.Text.Language(), ID: tag(v.url, "feed"), Title: b.config.Name, Updated: v.updated.UTC().Format(time.RFC3339), Author: b.config.Name,
		Links: []atomLink{
			{Rel: "self", Type: "application/atom+xml", Href: v.url + Path + "/feed.atom"},
			{Rel: "alternate", Type: "text/html", Href: v.url + Path},
		},
	}
	for _, n := range v.notices {
		feed.Entries = append(feed.Entries, atomEntry{
			ID: tag(v.url, n.id), Title: n.title,
			Published: n.began().Format(time.RFC3339), Updated: n.updated().Format(time.RFC3339),
			Link:    atomLink{Rel: "alternate", Type: "text/html", Href: v.url + Path + "#" + n.id},
			Content: atomContent{Type: "html", Body: b.content(n)},
		})
	}
	body, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write the status page's feed: %w", err)
	}
	return append([]byte(xml.Header), append(body, '\n')...), nil
}

// content is HTML that the XML then carries escaped.
func (b *Builtin) content(n notice) string {
	var body strings.Builder
	for _, u := range n.updates {
		text := strings.ReplaceAll(html.EscapeString(u.text), "\n", "<br>")
		fmt.Fprintf(&body, "<p><small>%s</small><br><strong>%s</strong> %s</p>\n", b.when(u.at), word(b.config.Text, u.status), text)
	}
	return body.String()
}

// tag names something for good, by RFC 4151: even when the address gets another
// scheme or port.
func tag(address, id string) string {
	host := "houston"
	if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
		host = u.Hostname()
	}
	return fmt.Sprintf("tag:%s,2026:status/%s", host, id)
}
