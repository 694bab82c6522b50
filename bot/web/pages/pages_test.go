package pages_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/web/pages"
	"github.com/houston-sre/houston/incidents"
)

// hostile is text that must stay text.
const hostile = `<img src=x onerror=alert(1)>"'&<script>alert(1)</script>`

func TestPagesEmpty(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	for path, text := range map[string]string{
		"/": "No incident is open.", "/incidents": "Nothing matches.", "/incidents?q=offers&status=open&severity=sev1": "Nothing matches.",
	} {
		page := k.as(ben).get(path)
		if page.status != http.StatusOK {
			t.Errorf("%s: %d", path, page.status)
		}
		page.shows(text)
		page.wellFormed()
	}
}

// wellFormed checks what every page must be.
func (p page) wellFormed() {
	p.t.Helper()
	for _, want := range []string{"main", "h1", "title"} {
		if n := len(p.elements(want)); n != 1 {
			p.t.Errorf("%s has %d <%s>", p.path, n, want)
		}
	}
	ids := map[string]bool{}
	for n := range p.root.Descendants() {
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				p.t.Errorf("%s has the attribute %s, which its policy forbids", p.path, a.Key)
			}
			if a.Key == "id" && ids[a.Val] {
				p.t.Errorf("%s has the id %q twice", p.path, a.Val)
			}
			ids[a.Val] = ids[a.Val] || a.Key == "id"
		}
	}
	for _, script := range p.elements("script") {
		if attribute(script, "src") == "" {
			p.t.Errorf("%s has an inline script", p.path)
		}
	}
	policy := p.header.Get("Content-Security-Policy")
	if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "frame-ancestors 'none'") {
		p.t.Errorf("%s has the policy %q", p.path, policy)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "no-store"} {
		if got := p.header.Get(name); got != want {
			p.t.Errorf("%s has %s: %q", p.path, name, got)
		}
	}
}

func TestIncidentPage(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	by := incidents.Request{Actor: k.actor(ben)}
	k.declare(incidents.Declare{Title: hostile, Summary: hostile, Service: hostile, Severity: incidents.Sev1})
	k.do(1, incidents.Assign{Request: by, Role: incidents.Commander, Person: by.Actor.Person})
	k.do(1, incidents.Note{Request: by, Text: hostile, Kind: incidents.Hypothesis, At: k.clock.Now()})
	k.do(1, incidents.Note{Request: by, Text: "Restarted the broker", Kind: incidents.Action, At: k.clock.Now()})
	k.do(1, incidents.AddAction{Request: by, Text: hostile, Due: "2026-04-01"})

	page := k.as(ben).get("/i/1")
	page.wellFormed()
	page.shows("INC-1 "+hostile, "Restarted the broker", "Ben Responder", "due 2026-04-01", "2026-03-28 14:05 UTC")
	page.hides("<img src=x", "<script>alert")
	for _, img := range page.elements("img") {
		if attribute(img, "onerror") != "" {
			t.Error("an image of the title's is on the page")
		}
	}

	some := k.as(ben).get("/i/1?kind=action")
	some.shows("Restarted the broker")
	if n := strings.Count(some.text(), "onerror"); n >= strings.Count(page.text(), "onerror") {
		t.Error("the filter for actions shows the hypothesis")
	}

	german := k.as(anna).get("/i/1")
	german.shows("14:05 UTC", "15:05", "CET", "Zeitleiste", "Maßnahme")
	if lang := attribute(german.elements("html")[0], "lang"); lang != "de" {
		t.Errorf("the German reader's page is in %q", lang)
	}
}

// channel has an incident's channel made.
func (k *kit) channel(number int64, id string) {
	k.t.Helper()
	effect, ok, err := k.store.TakeEffect(k.t.Context(), incidents.EffectKey(number, incidents.MakeChannel, ""), k.clock.Now(), time.Minute)
	if err != nil || !ok {
		k.t.Fatalf("the channel's effect: %v, %v", ok, err)
	}
	if _, err := k.service.ChannelMade(k.t.Context(), effect, incidents.Channel{ID: id, Name: fmt.Sprintf("inc-%d", number)}); err != nil {
		k.t.Fatal(err)
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	b := k.as(ben)
	for _, path := range []string{"/i/1", "/i/x", "/i/-1", "/i/99999999999999999999", "/incidents/x"} {
		if page := b.get(path); page.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, page.status)
		}
	}
	for _, path := range []string{"/incidents?status=lost", "/incidents?severity=9", "/incidents?before=x", "/incidents?q=" + strings.Repeat("x", 1000)} {
		if page := b.get(path); page.status != http.StatusBadRequest {
			t.Errorf("%s: %d", path, page.status)
		}
	}
	k.declare(incidents.Declare{Title: "Offers are empty"})
	if page := b.get("/incidents/inc-1"); page.path != "/i/1" {
		t.Errorf("the long address leads to %s", page.path)
	}
}

func TestListPages(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	for i := range 51 {
		k.declare(incidents.Declare{Title: fmt.Sprintf("Offer %d is empty", i+1), Severity: incidents.Sev2})
	}
	k.declare(incidents.Declare{Title: "=cmd|' /C calc'!A0", Severity: incidents.Sev1})
	k.do(1, incidents.Resolve{Request: incidents.Request{Actor: k.actor(ben)}})
	b := k.as(ben)
	first := b.get("/incidents?severity=sev2")
	first.shows("INC-51 ", "INC-2 ")
	if strings.Contains(first.text(), "INC-1 ") {
		t.Error("the 51st of a page of 50 is shown")
	}
	next := ""
	for _, a := range first.elements("a") {
		if attribute(a, "rel") == "next" {
			next = attribute(a, "href")
		}
	}
	last := b.get(next)
	last.shows("Offer 1 is empty")
	if strings.Contains(last.text(), "Offer 2 is empty") {
		t.Error("the second page repeats the first")
	}
	b.get("/incidents?status=open&q=offer+1").shows("Offer 11 is empty")
	if open := b.get("/incidents?status=open&q=offer+1").text(); strings.Contains(open, "Offer 1 is") {
		t.Error("a resolved incident is among the open ones")
	}

	var answer struct {
		Incidents []struct{ Key, Title string } `json:"incidents"`
	}
	if err := json.Unmarshal([]byte(b.get("/incidents.json?severity=sev1").body), &answer); err != nil || len(answer.Incidents) != 1 || answer.Incidents[0].Key != "INC-52" {
		t.Errorf("as JSON: %v, %v", answer, err)
	}
	table, err := csv.NewReader(strings.NewReader(b.get("/incidents.csv").body)).ReadAll()
	if err != nil || len(table) != 53 {
		t.Fatalf("as CSV: %d rows, %v", len(table), err)
	}
	if title := table[1][1]; title != "'=cmd|' /C calc'!A0" {
		t.Errorf("a spreadsheet would run %q", title)
	}
}

func TestPrivateIncidentsAreInvisible(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	k.declare(incidents.Declare{Title: "Payroll leaked", Private: true, Request: incidents.Request{Actor: k.actor(anna)}})
	k.declare(incidents.Declare{Title: "Offers are empty"})
	k.channel(1, "G0SECRET")
	paths := []string{"/", "/incidents", "/incidents?q=payroll", "/incidents.json", "/incidents.csv"}
	stranger := k.as(ben)
	for _, path := range paths {
		stranger.get(path).hides("Payroll", "INC-1<")
	}
	for _, path := range []string{"/i/1", "/i/1/live"} {
		page := stranger.get(path)
		page.hides("Payroll")
		if page.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, page.status)
		}
	}
	other := k.as(admin)
	other.get("/audit").hides("Payroll")
	other.get("/audit").shows("Offers are empty")

	k.people.mu.Lock()
	k.people.private[ben] = []string{"G0SECRET"}
	k.people.mu.Unlock()
	for _, path := range append(paths, "/i/1") {
		stranger.get(path).shows("Payroll leaked")
	}
}

func TestAuditIsForAdministrators(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	k.declare(incidents.Declare{Title: "Offers are empty"})
	for _, path := range []string{"/audit", "/audit.json", "/audit.csv"} {
		if page := k.as(ben).get(path); page.status != http.StatusForbidden {
			t.Errorf("%s: %d", path, page.status)
		}
	}
	b := k.as(admin)
	page := b.get("/audit?person=" + ben)
	page.wellFormed()
	page.shows("declared", "Ben Responder", "INC-1 Offers are empty")
	b.get("/audit?person=nobody").shows("Nothing matches.")
	if page := b.get("/audit?before=1.2"); page.status != http.StatusBadRequest {
		t.Errorf("half a cursor: %d", page.status)
	}
}

func TestPagesWithoutAuthAreForThisMachine(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *pages.Config) { c.Auth = pages.AuthNone })
	k.declare(incidents.Declare{Title: "Offers are empty"})
	k.browser().get("/").shows("Offers are empty", "Reader on this machine")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, k.server.URL+"/incidents.json", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "houston.evil.example" // a name that another site had lead here
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode == http.StatusOK {
		t.Error("under another name the pages are open, too")
	}
}
