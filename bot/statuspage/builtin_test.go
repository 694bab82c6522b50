package statuspage_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/statuspage"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// forms are the ways in which the page is served.
func forms() []string {
	return []string{"/status", "/status/", "/status/feed.atom", "/status/api/v2/summary.json"}
}

func TestNothingBeforeSomebodyPublishes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	before := map[string]string{}
	for _, path := range forms() {
		before[path] = h.get(path)
	}
	n := h.declare()
	h.do(n, incidents.Update{Request: ada(), Text: "Inner update"})
	h.do(n, incidents.Resolve{Request: ada()})
	for _, path := range forms() {
		if diff := cmp.Diff(before[path], h.get(path)); diff != "" {
			t.Errorf("%s has changed (-before +after):\n%s", path, diff)
		}
	}
	if got := strings.Join(texts(parsed(t, before["/status"]), "p"), "|"); !strings.Contains(got, "No known disruption|There is nothing to report.|There was nothing to report.") {
		t.Errorf("got %s", got)
	}
}

// TestNothingOfTheInside: whatever is published, the incident itself is not.
func TestNothingOfTheInside(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for range 11 {
		h.declare()
	}
	h.publish(11, incidents.NoticeInvestigating, "Missing lists of offers", "Some lists are empty.")
	h.publish(10, incidents.NoticeResolved, "", "All is well again.")
	inside := regexp.MustCompile(`(?i)inner|sev ?\d|INC-|inc-1|\b1[01]\b.{0,3}"|lovelace|U0SECRET|meet\.jit|123456`)
	for _, path := range forms() {
		body := h.get(path)
		for _, want := range []string{"Missing lists of offers", "Some lists are empty."} {
			if !strings.Contains(body, want) {
				t.Errorf("%s does not show %q", path, want)
			}
		}
		if found := inside.FindString(body); found != "" {
			t.Errorf("%s shows %q", path, found)
		}
	}
}

func TestPrivateIncidentsAndDrillsNever(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for name, change := range map[string]func(*incidents.Incident){
		"private": func(inc *incidents.Incident) { inc.Private = true },
		"drill":   func(inc *incidents.Incident) { inc.Drill = true },
	} {
		n := h.declare(func(c *incidents.Declare) { c.Private, c.Drill = name == "private", name == "drill" })
		_, err := h.service.Do(t.Context(), n, incidents.PublishNotice{Request: ada(), Status: incidents.NoticeInvestigating, Text: "Leak"})
		if incidents.KindOf(err) != incidents.Conflict {
			t.Errorf("%s: publishing gave %v, want a refusal", name, err)
		}
		// And when it was published before it became so:
		n = h.declare()
		h.publish(n, incidents.NoticeInvestigating, "Leak", "Leak")
		inc := h.store.all[n]
		change(&inc)
		h.store.all[n] = inc
	}
	for _, path := range forms() {
		if body := h.get(path); strings.Contains(body, "Leak") {
			t.Errorf("%s shows it:\n%s", path, body)
		}
	}
}

func TestLifeOfANotice(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	n := h.declare()
	type shown struct {
		State    []string
		Articles []string
		Open     int
	}
	look := func() shown {
		elements := parsed(t, h.get("/status"))
		var s shown
		for _, e := range elements {
			if strings.HasPrefix(e.attrs["class"], "state") {
				s.State = append(s.State, e.text, e.attrs["class"])
			}
			if e.name == "section" && e.attrs["aria-labelledby"] == "now" {
				s.Open = strings.Count(e.text, "Missing lists of offers")
			}
		}
		s.Articles = texts(elements, "article")
		return s
	}
	check := func(when string, want shown) {
		t.Helper()
		if diff := cmp.Diff(want, look()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	const first = "Investigating Some lists are empty. 10 June 2026, 11:20 CEST (09:20 UTC)"
	h.publish(n, incidents.NoticeInvestigating, "Missing lists of offers", "Some lists are empty.")
	check("published", shown{[]string{"There is a disruption", "state minor"}, []string{"Missing lists of offers " + first}, 1})

	h.clock.now = h.clock.now.Add(10 * time.Minute)
	h.publish(n, incidents.NoticeIdentified, "", "Wrong text")
	h.do(n, incidents.WithdrawNotice{Request: ada()})
	check("an update withdrawn", shown{[]string{"There is a disruption", "state minor"}, []string{"Missing lists of offers " + first}, 1})

	h.publish(n, incidents.NoticeMonitoring, "", "The lists are back.")
	const second = "Monitoring The lists are back. 10 June 2026, 11:30 CEST (09:30 UTC) "
	check("monitoring", shown{[]string{"A fix is in place and being watched", "state minor"}, []string{"Missing lists of offers " + second + first}, 1})

	h.publish(n, incidents.NoticeResolved, "", "All lists are complete.")
	const third = "Resolved All lists are complete. 10 June 2026, 11:30 CEST (09:30 UTC) "
	check("resolved", shown{[]string{"No known disruption", "state none"}, []string{"Missing lists of offers " + third + second + first}, 0})
	if got, want := h.store.since, h.clock.now.AddDate(0, 0, -14); !got.Equal(want) {
		t.Errorf("asked for notices since %s, want 14 days: %s", got, want)
	}

	for range 3 {
		h.do(n, incidents.WithdrawNotice{Request: ada()})
	}
	check("all withdrawn", shown{[]string{"No known disruption", "state none"}, nil, 0})
}

// TestNamesStay: the names of a notice and its texts do not change with it.
// TestThePageSpeaksGerman publishes a notice on a page in German.
func TestThePageSpeaksGerman(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(c *statuspage.Config) {
		text, err := templates.Load("de")
		if err != nil {
			t.Fatal(err)
		}
		c.Text = text
	})
	for _, want := range []string{`<html lang="de">`, "Keine bekannte Störung", "Es gibt nichts zu melden.", "Die letzten 14 Tage"} {
		if page := h.get("/status"); !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
	h.publish(h.declare(), incidents.NoticeIdentified, "", "Wir haben die Ursache.")
	for _, want := range []string{"Es gibt eine Störung", "Störung unserer Dienste", "Ursache erkannt", "10.06.2026, 11:20 CEST (09:20 UTC)"} {
		if page := h.get("/status"); !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
}

func TestNamesStay(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare()
	n := h.declare()
	ids := func() []string {
		var s struct {
			Incidents []struct {
				ID      string
				Updates []struct{ ID string } `json:"incident_updates"`
			}
		}
		if err := json.Unmarshal([]byte(h.get("/status/api/v2/summary.json")), &s); err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, inc := range s.Incidents {
			list = append(list, inc.ID)
			for _, u := range inc.Updates {
				list = append(list, u.ID)
			}
		}
		return list
	}
	h.publish(n, incidents.NoticeInvestigating, "", "Some lists are empty.")
	first := ids()
	h.clock.now = h.clock.now.Add(time.Hour)
	h.do(n, incidents.Rename{Request: ada(), Title: "Another inner title"})
	h.do(n, incidents.SetSeverity{Request: ada(), Severity: incidents.Sev3})
	h.publish(n, incidents.NoticeIdentified, "Another title", "We know more.")
	h.publish(1, incidents.NoticeInvestigating, "", "Another one.")
	second := ids()
	if len(first) != 2 || len(second) != 5 {
		t.Fatalf("got %v and %v, want 2 and 5 names", first, second)
	}
	if second[2] != first[0] || second[4] != first[1] { // the newer notice stands first, and a newer text
		t.Errorf("the names changed from %v to %v", first, second)
	}
	seen := map[string]bool{}
	for _, id := range second {
		if seen[id] || !regexp.MustCompile(`^n[a-z2-7]{15}$`).MatchString(id) {
			t.Errorf("%q is no name of its own", id)
		}
		seen[id] = true
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare()
	h.declare()
	h.publish(2, incidents.NoticeResolved, "Over", "It was short.")
	h.clock.now = h.clock.now.Add(time.Minute)
	h.publish(1, incidents.NoticeInvestigating, "Missing lists of offers", "Some lists are empty.")
	h.clock.now = h.clock.now.Add(time.Minute)
	h.publish(1, incidents.NoticeMonitoring, "", "They are back.")
	var got map[string]any
	if err := json.Unmarshal([]byte(h.get("/status/api/v2/summary.json")), &got); err != nil {
		t.Fatal(err)
	}
	list, _ := got["incidents"].([]any)
	if len(list) != 1 {
		t.Fatalf("got incidents %v, want the unresolved one alone", list)
	}
	id, _ := list[0].(map[string]any)["id"].(string)
	text := func(status, body, at string) map[string]any {
		return map[string]any{"status": status, "body": body, "incident_id": id, "created_at": at, "updated_at": at, "display_at": at}
	}
	const began, updated = "2026-06-10T09:21:00.000Z", "2026-06-10T09:22:00.000Z"
	want := map[string]any{
		"page": map[string]any{
			"id": "houston", "name": "KreditSmart", "url": "https://houston.example/status", "time_zone": "Europe/Berlin", "updated_at": updated,
		},
		"status":     map[string]any{"indicator": "minor", "description": "A fix is in place and being watched"},
		"components": []any{}, "scheduled_maintenances": []any{},
		"incidents": []any{map[string]any{
			"id": id, "name": "Missing lists of offers", "status": "monitoring", "impact": "minor", "page_id": "houston",
			"created_at": began, "started_at": began, "updated_at": updated, "monitoring_at": updated, "resolved_at": nil,
			"shortlink": "https://houston.example/status#" + id, "components": []any{},
			"incident_updates": []any{text("monitoring", "They are back.", updated), text("investigating", "Some lists are empty.", began)},
		}},
	}
	for _, u := range list[0].(map[string]any)["incident_updates"].([]any) {
		delete(u.(map[string]any), "id") // see TestNamesStay
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestFeed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare()
	h.publish(1, incidents.NoticeInvestigating, "Lists & <offers>", "Some lists\nare <b>empty</b> & \x01 so on.")
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string   `xml:"id"`
		Title   string   `xml:"title"`
		Updated string   `xml:"updated"`
		Author  string   `xml:"author>name"`
		Links   []struct {
			Rel  string `xml:"rel,attr"`
			Href string `xml:"href,attr"`
		} `xml:"link"`
		Entries []struct {
			ID, Title string
			Updated   string `xml:"updated"`
			Content   string `xml:"content"`
		} `xml:"entry"`
	}
	body := h.get("/status/feed.atom")
	if err := xml.Unmarshal([]byte(body), &feed); err != nil {
		t.Fatalf("%v in\n%s", err, body)
	}
	if feed.ID != "tag:houston.example,2026:status/feed" || feed.Title != "KreditSmart" || feed.Author != "KreditSmart" || feed.Updated != "2026-06-10T09:20:00Z" {
		t.Errorf("got %+v", feed)
	}
	if len(feed.Links) != 2 || feed.Links[0].Rel != "self" || feed.Links[0].Href != "https://houston.example/status/feed.atom" {
		t.Errorf("got links %+v", feed.Links)
	}
	if len(feed.Entries) != 1 || feed.Entries[0].Updated != "2026-06-10T09:20:00Z" {
		t.Fatalf("got entries %+v", feed.Entries)
	}
	want := "<p><small>10 June 2026, 11:20 CEST (09:20 UTC)</small><br><strong>Investigating</strong> Some lists<br>are &lt;b&gt;empty&lt;/b&gt; &amp; \uFFFD so on.</p>\n"
	if diff := cmp.Diff(want, feed.Entries[0].Content); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
}

// TestHostileTextIsEscaped looks at the page as a browser does: no element and
// no attribute but ours.
func TestHostileTextIsEscaped(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare()
	h.publish(1, incidents.NoticeInvestigating, "Lists", "x")
	shape := func() []string {
		var s []string
		for _, e := range parsed(t, h.get("/status")) {
			s = append(s, e.name)
		}
		return s
	}
	want := shape()
	h.do(1, incidents.WithdrawNotice{Request: ada()})
	const evil = `</li></article><script>alert(1)</script><img src=x onerror="alert(1)"> {{.Name}} " onload="x &lt; <!-- ]]> ` + "\u202E"
	h.publish(1, incidents.NoticeStatus(`evil"><b>`), evil, evil)
	if diff := cmp.Diff(want, shape()); diff != "" {
		t.Errorf("elements (-want +got):\n%s", diff)
	}
	for _, e := range parsed(t, h.get("/status")) {
		for name := range e.attrs {
			if strings.HasPrefix(name, "on") {
				t.Errorf("<%s> has the attribute %s", e.name, name)
			}
		}
	}
	for _, path := range forms() {
		if body := h.get(path); strings.Contains(body, "<script") || strings.Contains(body, "<img") {
			t.Errorf("%s has an element of its text", path)
		}
	}
	if err := xml.Unmarshal([]byte(h.get("/status/feed.atom")), new(struct{})); err != nil {
		t.Errorf("the feed is no XML: %v", err)
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare()
	for path, contentType := range map[string]string{
		"/status": "text/html", "/status/feed.atom": "application/atom+xml", "/status/api/v2/summary.json": "application/json", "/status/style.css": "text/css",
	} {
		page := h.ask("GET", path)
		if got := page.header.Get("Content-Type"); page.status != http.StatusOK || got != contentType+"; charset=utf-8" {
			t.Errorf("%s: got %d %q", path, page.status, got)
		}
		if csp := page.header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || page.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: got policy %q", path, csp)
		}
		if got := page.header.Get("Cache-Control"); !strings.HasPrefix(got, "public, max-age=") {
			t.Errorf("%s: got Cache-Control %q", path, got)
		}
		tag := page.header.Get("ETag")
		if again := h.ask("GET", path, "If-None-Match", tag); tag == "" || again.status != http.StatusNotModified || again.body != "" {
			t.Errorf("%s: with its tag %s got %d %q, want 304", path, tag, again.status, again.body)
		}
		if head := h.ask("HEAD", path); head.status != http.StatusOK || head.body != "" || head.length != int64(len(page.body)) {
			t.Errorf("%s: HEAD got %d, %d bytes", path, head.status, head.length)
		}
		if post := h.ask("POST", path); post.status != http.StatusMethodNotAllowed || post.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: POST got %d", path, post.status)
		}
		if path == "/status/style.css" {
			continue
		}
		h.publish(1, incidents.NoticeInvestigating, "", "News for "+path)
		if news := h.ask("GET", path, "If-None-Match", tag); news.status != http.StatusOK {
			t.Errorf("%s: after news got %d for the old tag, want 200", path, news.status)
		}
	}
	if got := h.ask("GET", "/status/nothing"); got.status != http.StatusNotFound {
		t.Errorf("got %d, want 404", got.status)
	}
}

// TestThePageNeedsNothingElse: its style is served by Houston, nothing is inline,
// and it says its language and how wide it is.
func TestThePageNeedsNothingElse(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	links := map[string]string{}
	for _, e := range parsed(t, h.get("/status")) {
		if e.name == "script" || e.name == "style" || e.attrs["style"] != "" {
			t.Errorf("<%s> is inline, which the policy forbids", e.name)
		}
		switch e.name {
		case "html":
			if e.attrs["lang"] != "en" {
				t.Errorf("got language %q", e.attrs["lang"])
			}
		case "link":
			links[e.attrs["rel"]] = e.attrs["href"]
		case "meta":
			links[e.attrs["name"]] = e.attrs["content"]
		}
	}
	for _, rel := range []string{"stylesheet", "alternate"} {
		h.get(links[rel])
	}
	if !strings.Contains(links["viewport"], "width=device-width") {
		t.Errorf("got viewport %q", links["viewport"])
	}
	if css := h.get("/status/style.css"); !strings.Contains(css, "prefers-color-scheme: dark") || strings.Contains(css, "url(") {
		t.Error("the style has no dark form, or loads something")
	}
}

func TestStoreFails(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.store.fails = errors.New("password=hunter2")
	for _, path := range forms() {
		got := h.ask("GET", path)
		if got.status != http.StatusServiceUnavailable || strings.Contains(got.body, "hunter2") || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %d %q", path, got.status, got.body)
		}
	}
}

func TestAddressAndZoneUnset(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(c *statuspage.Config) { c.URL, c.Zone, c.Name = "", nil, "" })
	h.declare()
	h.publish(1, incidents.NoticeInvestigating, "", "Some lists are empty.")
	var s struct {
		Page struct {
			Name, URL string
			Zone      string `json:"time_zone"`
		}
	}
	if err := json.Unmarshal([]byte(h.get("/status/api/v2/summary.json")), &s); err != nil {
		t.Fatal(err)
	}
	if s.Page.URL != h.url+"/status" || s.Page.Zone != "Etc/UTC" || s.Page.Name != "Status" {
		t.Errorf("got %+v", s.Page)
	}
	if got := strings.Join(texts(parsed(t, h.get("/status")), "time"), "|"); got != "10 June 2026, 09:20 UTC" {
		t.Errorf("got %q", got)
	}
}
