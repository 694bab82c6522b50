package pages

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/houston-sre/houston/incidents"
)

const (
	// feedFor is how long the address of a feed is good.
	feedFor = 365 * 24 * time.Hour
	// feedEntries bounds what a feed holds.
	feedEntries = 50
	// calendarEntries bounds the action items and the meetings of a calendar.
	calendarEntries = 500
)

// feedsPage gives a reader addresses for programs that can not sign in.
type feedsPage struct {
	Frame

	Calendar    string // shown once, right after it was made
	Postmortems string
}

// feeds answers GET /feeds.
func (p *Pages) feeds(w http.ResponseWriter, _ *http.Request, v *visit) error {
	return p.render(w, v, http.StatusOK, "feeds", feedsPage{Frame: p.frame(v, "", v.text.Text("web_feeds"))})
}

// newFeeds answers POST /feeds: new addresses, and the old ones end.
func (p *Pages) newFeeds(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.actor.ID == "" {
		return incidents.Errorf(incidents.Conflict, "Addresses of feeds belong to people who sign in; here nobody does.")
	}
	if err := p.config.Store.DropPasses(r.Context(), v.actor.ID, incidents.CalendarPass); err != nil {
		return err
	}
	plain, hash := secret()
	now := p.config.Clock.Now()
	pass := incidents.Pass{Hash: hash, Kind: incidents.CalendarPass, Person: v.actor.ID, MadeAt: now, Expires: now.Add(feedFor)}
	if err := p.config.Store.SavePass(r.Context(), pass); err != nil {
		return err
	}
	page := feedsPage{
		Frame: p.frame(v, "", v.text.Text("web_feeds")), Calendar: p.host(r) + "/feeds/" + plain + "/calendar.ics",
		Postmortems: p.host(r) + "/feeds/" + plain + "/postmortems.atom",
	}
	return p.render(w, v, http.StatusOK, "feeds", page)
}

// byToken has a feed read as the person whose address it is.
func (p *Pages) byToken(h handler) handler {
	return func(w http.ResponseWriter, r *http.Request, v *visit) error {
		pass, err := p.config.Store.Pass(r.Context(), incidents.CalendarPass, hashed(r.PathValue("token")), p.config.Clock.Now())
		if incidents.KindOf(err) == incidents.NotFound {
			return errNoPage
		}
		if err != nil {
			return err
		}
		profile, ok := p.config.People.Profile(r.Context(), pass.Person)
		if !ok || profile.Deleted || profile.Bot || profile.Standing != incidents.Member {
			return errNoPage
		}
		if err := p.as(r.Context(), v, profile, ""); err != nil {
			return err
		}
		return h(w, r, v)
	}
}

// Atom, as far as it is used here (RFC 4287).
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Updated string      `xml:"updated"`
		Links   []atomLink  `xml:"link"`
		Entries []atomEntry `xml:"entry"`
	}
	atomEntry struct {
		ID      string     `xml:"id"`
		Title   string     `xml:"title"`
		Updated string     `xml:"updated"`
		Author  string     `xml:"author>name"`
		Links   []atomLink `xml:"link"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
)

// atom answers GET /postmortems.atom: what was published, the newest first. An
// incident is there as far as the reader may see it.
func (p *Pages) atom(w http.ResponseWriter, r *http.Request, v *visit) error {
	published, err := p.config.Postmortems.Store().Publications(r.Context(), 0, feedEntries)
	if err != nil {
		return err
	}
	host := p.host(r)
	feed := atomFeed{
		ID: host + "/postmortems.atom", Title: "Houston: " + v.text.Text("web_postmortems"),
		Updated: time.Unix(0, 0).UTC().Format(time.RFC3339), Links: []atomLink{{"", host + "/postmortems"}},
	}
	for _, e := range published {
		inc, err := p.store.Incident(r.Context(), e.Incident)
		if err != nil {
			return err
		}
		if !p.service.Sees(p.request(v, inc), inc) {
			continue
		}
		at := e.At.Format(time.RFC3339)
		address := host + editionPath(e.Incident, e.Edition, false)
		feed.Entries = append(feed.Entries, atomEntry{ID: address, Title: inc.Key() + " " + inc.Title, Updated: at, Author: e.By.Name, Links: []atomLink{{"", address}}})
		feed.Updated = max(feed.Updated, at)
	}
	raw, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/atom+xml; charset=utf-8")
	_, _ = w.Write(append([]byte(xml.Header), raw...))
	return nil
}

// calendar answers GET /feeds/TOKEN/calendar.ics: the reader's own action items
// as days, and the review meetings of the postmortems that are written (RFC 5545).
// Of private incidents it has the days without words.
func (p *Pages) calendar(w http.ResponseWriter, r *http.Request, v *visit) error {
	visible, store, now, host := p.visible(v), p.config.Postmortems.Store(), p.config.Clock.Now(), p.host(r)
	items, err := store.ActionItems(r.Context(), incidents.ActionQuery{
		Owner: v.actor.ID, Unfinished: true, Private: visible.Private, Channels: visible.Channels, Limit: calendarEntries,
	})
	if err != nil {
		return err
	}
	reviewed, err := store.Postmortems(r.Context(), incidents.PostmortemQuery{Open: true, Private: visible.Private, Channels: visible.Channels, Limit: calendarEntries})
	if err != nil {
		return err
	}
	calendar := ics.NewCalendarFor("Houston")
	calendar.SetMethod(ics.MethodPublish)
	calendar.SetName("Houston")
	for _, a := range items {
		due, err := time.Parse(time.DateOnly, a.Item.Due)
		if err != nil {
			continue // no date is no day
		}
		event := calendar.AddEvent(fmt.Sprintf("action-%d-%d@houston", a.Incident.Number, a.Item.ID))
		event.SetDtStampTime(now)
		event.SetAllDayStartAt(due)
		event.SetAllDayEndAt(due.AddDate(0, 0, 1))
		text := a.Item.Text
		if a.Incident.Private { // calendars are read by others
			text = v.text.Text("web_action_numbered", "number", a.Item.ID)
		}
		event.SetSummary(a.Incident.Key() + ": " + text)
		event.SetURL(fmt.Sprintf("%s/actions?incident=%s", host, a.Incident.Key()))
	}
	for _, inc := range reviewed {
		meeting := inc.Postmortem.Meeting
		if meeting.At.IsZero() {
			continue
		}
		event := calendar.AddEvent(inc.Key() + "-review@houston") // as the file has it
		event.SetDtStampTime(now)
		event.SetStartAt(meeting.At)
		event.SetEndAt(meeting.At.Add(time.Duration(meeting.Minutes) * time.Minute))
		event.SetSequence(meeting.Sequence)
		title := v.text.Text("web_review_of", "title", inc.Title)
		if inc.Private {
			title = v.text.Text("web_review")
		}
		event.SetSummary(inc.Key() + ": " + title)
		event.SetURL(fmt.Sprintf("%s/i/%d/postmortem", host, inc.Number))
	}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	return calendar.SerializeTo(w, ics.WithNewLineWindows) // as RFC 5545 has it, 3.1
}
