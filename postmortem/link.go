package postmortem

import (
	"net/url"

	"github.com/houston-sre/houston/incidents"
)

// LinkKind says where a link leads.
type LinkKind string

// The kinds that Houston knows of by itself.
const (
	ToTicket     LinkKind = "ticket"
	ToRecording  LinkKind = "recording"
	ToCall       LinkKind = "call"
	ToChannel    LinkKind = "channel"
	ToStatusPage LinkKind = "status_page"
	ToOther      LinkKind = "other"
)

// LinkKinds lists all of them, those first that people add.
func LinkKinds() []LinkKind {
	return []LinkKind{ToTicket, ToRecording, ToCall, ToChannel, ToStatusPage, ToOther}
}

// Link leads to where else an incident is to be found: its channel, its call and
// the recording of it, the status page, the tickets of those who reported it.
type Link struct {
	Kind LinkKind `json:"kind"`
	Text string   `json:"text"` // "#inc-1-offers"; may be empty
	URL  string   `json:"url"`  // http or https
	// Drafted says that Houston put it there. Those of people stand behind.
	Drafted bool `json:"drafted"`
}

// links are those that Houston knows of.
func (d *drafting) links(statusPage string, alerts []incidents.Alert) []Link {
	var list []Link
	add := func(kind LinkKind, text, address string) {
		if webAddress(address) != nil {
			return
		}
		for _, l := range list {
			if l.URL == address {
				return
			}
		}
		list = append(list, Link{Kind: kind, Text: text, URL: address, Drafted: true})
	}
	if c := d.inc.Channel; c != nil {
		// It opens in whichever Slack the reader has
		// (https://docs.slack.dev/interactivity/deep-linking).
		add(ToChannel, "#"+c.Name, "https://slack.com/app_redirect?channel="+url.QueryEscape(c.ID))
	}
	add(ToCall, "", d.inc.BridgeURL)
	if d.inc.Notice != nil && !d.inc.Private {
		add(ToStatusPage, d.inc.Notice.Title, statusPage)
	}
	for _, a := range alerts {
		if id := a.Labels["ticket"]; id != "" && len(list) < maxRows {
			add(ToTicket, short(id+": "+a.Name(), 200), a.URL)
		}
	}
	return list
}

func checkLink(l *Link) error {
	if l.Kind == "" {
		l.Kind = ToOther
	}
	l.Drafted = false
	return first(cells(&l.Text, &l.URL), oneOf("kind of link", l.Kind, LinkKinds(), false), webAddress(l.URL))
}

// webAddress checks the address of a page.
func webAddress(address string) error {
	if u, err := url.Parse(address); err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return incidents.Errorf(incidents.Invalid, "%q is no address of a page. Write it like https://grafana.example.com/d/offers.", address)
	}
	return nil
}

// links keeps what may be told outside: where everybody was told of it.
func (p publishing) links() []Link {
	var list []Link
	for _, l := range p.doc.Links {
		if l.Kind == ToStatusPage {
			l.Text = p.text(l.Text)
			list = append(list, l)
		}
	}
	return list
}
