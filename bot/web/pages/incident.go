package pages

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// alertsShown bounds the alerts on an incident's page.
const alertsShown = 100

// incidentPage is the page of one incident.
type incidentPage struct {
	Frame

	Row        row
	Summary    string
	Detection  string
	Reporter   string
	Roles      []named
	Times      []keyTime
	Severities []severityTime
	TimeInputs []timeInput
	TimeErrors []string // about no one input
	TimesOpen  bool     // the form has something to say
	LastUpdate string
	Links      []link
	Owed       []string
	Kinds      []choice // of the timeline, those there are
	Kind       string   // the one that is shown; empty: all
	Entries    []entry
	Alerts     []alert
	MoreAlerts int
	Actions    []action
	Tasks      []task
	Runbooks   []runbook
	Silences   []silence
	Address    string // that can be passed on
	CSV, JSON  string // addresses of the timeline as files
}

type named struct{ What, Who string }

type keyTime struct {
	Name   string
	At     *moment
	Source string
}

type link struct{ Text, URL string }

// entry is one line of the timeline.
type entry struct {
	Seq       int64
	At        *moment
	Until     *moment // nil: it is a moment
	Key       bool    // a key moment
	NewDay    string  // set on the first entry of a day
	Kind      tag
	Actor     string
	Text      string
	Permalink string
	Files     []file
}

type alert struct {
	Name    string
	Firing  bool
	Since   *moment
	Ended   *moment
	Summary string
	Labels  []string
	URL     string // empty unless it is http or https
}

type action struct {
	ID       int64
	Text     string
	Owner    string
	Due      string
	Type     string
	Gap      bool
	Proposed bool
}

// toShort leads /incidents/INC-42 to /i/42.
func (p *Pages) toShort(w http.ResponseWriter, r *http.Request, _ *visit) error {
	number, err := incidents.ParseKey(r.PathValue("key"))
	if err != nil {
		return errNoPage
	}
	http.Redirect(w, r, "/i/"+strconv.FormatInt(number, 10), http.StatusFound)
	return nil
}

// toPostmortem leads /incidents/INC-42/postmortem, as messages have it, to
// /i/42/postmortem.
func (p *Pages) toPostmortem(w http.ResponseWriter, r *http.Request, _ *visit) error {
	number, err := incidents.ParseKey(r.PathValue("key"))
	if err != nil {
		return errNoPage
	}
	http.Redirect(w, r, "/i/"+strconv.FormatInt(number, 10)+"/postmortem", http.StatusFound)
	return nil
}

// incident answers GET /i/42.
func (p *Pages) incident(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, _, err := p.find(r, v)
	if err != nil {
		return err
	}
	page, err := p.incidentPage(r, v, inc)
	if err != nil {
		return err
	}
	page.Said = v.saidOf(r.URL.Query().Get("said"))
	return p.render(w, v, http.StatusOK, "incident", page)
}

func (p *Pages) incidentPage(r *http.Request, v *visit, inc incidents.Incident) (*incidentPage, error) {
	events, err := p.store.Events(r.Context(), inc.Number)
	if err != nil {
		return nil, err
	}
	alerts, err := p.store.Alerts(r.Context(), inc.Number, alertsShown+1)
	if err != nil {
		return nil, err
	}
	effects, err := p.store.Effects(r.Context(), inc.Number)
	if err != nil {
		return nil, err
	}
	page := &incidentPage{
		Frame: p.frame(v, "incidents", inc.Key()+" "+inc.Title), Row: v.row(inc, p.config.Clock.Now()),
		Summary: inc.Summary, Detection: v.detection(inc.Detection), Reporter: inc.Reporter.Name,
		LastUpdate: inc.LastUpdate, Roles: v.roles(inc), Times: v.keyTimes(inc), Links: p.links(inc, v),
		Owed: p.owed(r.Context(), v, effects), Kind: r.URL.Query().Get("kind"), Actions: actionsOf(inc),
		Address: p.host(r) + "/i/" + strconv.FormatInt(inc.Number, 10),
	}
	page.Tasks, page.Runbooks, page.Silences = v.tasks(inc), v.runbooks(inc), v.silences(inc, p.config.Clock.Now())
	page.Live = fmt.Sprintf("/i/%d/live?seq=%d", inc.Number, inc.Seq)
	page.timeline(v, incidents.Timeline(events))
	page.alerts(v, alerts)
	page.CSV = fmt.Sprintf("/i/%d/timeline.csv", inc.Number)
	page.JSON = fmt.Sprintf("/i/%d/timeline.json", inc.Number)
	if page.Kind != "" {
		page.CSV, page.JSON = page.CSV+"?kind="+escapeQuery(page.Kind), page.JSON+"?kind="+escapeQuery(page.Kind)
	}
	page.TimeInputs, page.Severities = v.timeInputs(inc), v.severityTimes(inc, events)
	return page, nil
}

// timeline takes the entries of the chosen kind, and the kinds there are.
func (page *incidentPage) timeline(v *visit, entries []incidents.Entry) {
	kinds := map[incidents.EntryKind]bool{}
	day := ""
	for _, e := range entries {
		kinds[e.Kind] = true
		if page.Kind != "" && page.Kind != string(e.Kind) {
			continue
		}
		shown := entry{
			Seq: e.Seq, At: v.moment(e.At), Kind: v.kind(e.Kind), Actor: e.Actor.Name, Text: v.said(e),
			Permalink: webLink(e.Permalink), Files: v.files(page.Row.Number, e.Files),
			Until: v.moment(e.Until.At), Key: e.Significant,
		}
		if shown.Until != nil && e.Until.At.In(v.zone).Format(time.DateOnly) != e.At.In(v.zone).Format(time.DateOnly) {
			shown.Until.Short = shown.Until.Local
		}
		if len(e.Files) == 1 && e.Text == "["+e.Files[0].Name+"]" {
			shown.Text = "" // the file says it
		}
		if today := e.At.In(v.zone).Format(time.DateOnly); today != day {
			day, shown.NewDay = today, today
		}
		page.Entries = append(page.Entries, shown)
	}
	for _, k := range incidents.EntryKinds() {
		if kinds[k] {
			page.Kinds = append(page.Kinds, choice{v.kind(k), page.Kind == string(k)})
		}
	}
}

// timelineFile answers GET /i/42/timeline.csv and .json, with the page's filter.
func (p *Pages) timelineFile(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, _, err := p.find(r, v)
	if err != nil {
		return err
	}
	events, err := p.store.Events(r.Context(), inc.Number)
	if err != nil {
		return err
	}
	kind, table := r.URL.Query().Get("kind"), [][]string{}
	for _, e := range incidents.Timeline(events) {
		if kind == "" || kind == string(e.Kind) {
			table = append(table, []string{strconv.FormatInt(e.Seq, 10), e.At.Format(time.RFC3339), string(e.Kind), e.Actor.Name, e.Text, e.Permalink, until(e), yes(e.Significant)})
		}
	}
	return writeTable(w, r, "timeline", []string{"seq", "at", "kind", "actor", "text", "permalink", "until", "significant"}, table)
}

// until is when an entry was over, as files have it; empty for a moment.
func until(e incidents.Entry) string {
	if e.Until.At.IsZero() {
		return ""
	}
	return e.Until.At.Format(time.RFC3339)
}

func yes(said bool) string {
	if said {
		return "yes"
	}
	return ""
}

func (page *incidentPage) alerts(v *visit, alerts []incidents.Alert) {
	for _, a := range alerts[:min(alertsShown, len(alerts))] {
		shown := alert{
			Name: a.Name(), Firing: a.Firing, Since: v.moment(a.StartsAt), URL: webLink(a.URL),
			Summary: cmp.Or(a.Annotations["summary"], a.Annotations["description"], a.Annotations["message"]),
		}
		if !a.Firing {
			shown.Ended = v.moment(a.EndsAt)
		}
		for _, name := range slices.Sorted(maps.Keys(a.Labels)) {
			if name != "alertname" {
				shown.Labels = append(shown.Labels, name+"="+a.Labels[name])
			}
		}
		page.Alerts = append(page.Alerts, shown)
	}
	if len(alerts) > alertsShown {
		page.MoreAlerts = alertsShown
	}
}

func (v *visit) roles(inc incidents.Incident) []named {
	var list []named
	for _, role := range incidents.Roles() {
		if person, ok := inc.Roles[role]; ok && person.ID != "" {
			list = append(list, named{v.role(role), person.Name})
		}
	}
	return list
}

func (v *visit) keyTimes(inc incidents.Incident) []keyTime {
	var list []keyTime
	for _, key := range incidents.KeyTimes() {
		if at, ok := inc.Times[key]; ok {
			list = append(list, keyTime{v.keyTime(key), v.instant(at), string(at.Source)})
		}
	}
	return list
}

// links are where else an incident is to be found.
func (p *Pages) links(inc incidents.Incident, v *visit) []link {
	var list []link
	if inc.Channel != nil {
		list = append(list, link{"#" + inc.Channel.Name, channelLink(inc.Channel.ID)})
	}
	if inc.BridgeURL != "" {
		list = append(list, link{v.text.Text("web_bridge"), webLink(inc.BridgeURL)})
	}
	if inc.Notice != nil && p.config.StatusPage != "" {
		list = append(list, link{v.text.Text("web_status_page"), p.config.StatusPage})
	}
	if inc.Follows != 0 {
		list = append(list, link{v.text.Text("web_follows", "key", incidents.Key(inc.Follows)), "/i/" + strconv.FormatInt(inc.Follows, 10)})
	}
	return list
}

// owed says what of the outside is not there yet or fails, in the words of the
// card.
func (p *Pages) owed(ctx context.Context, v *visit, effects []incidents.Effect) []string {
	name := func(id string) string {
		profile, _ := p.config.People.Profile(ctx, id)
		return cmp.Or(profile.Name, id)
	}
	var list []string
	for _, what := range bot.Owed(effects, name) {
		list = append(list, v.text.Say(what))
	}
	return list
}

func actionsOf(inc incidents.Incident) []action {
	list := make([]action, 0, len(inc.Actions))
	for _, a := range inc.Actions {
		list = append(list, action{
			ID: a.ID, Text: a.Text, Owner: a.Owner.Name, Due: a.Due, Type: string(a.Type), Gap: a.Gap, Proposed: a.Proposed,
		})
	}
	return list
}

// webLink is an address that may be a link on a page: what others send may be
// anything, javascript: too.
func webLink(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || !strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https") {
		return ""
	}
	return address
}

// channelLink opens a channel in whichever Slack the reader has
// (https://docs.slack.dev/interactivity/deep-linking).
func channelLink(id string) string {
	return "https://slack.com/app_redirect?channel=" + url.QueryEscape(id)
}
