package pages_test

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// routes lists the addresses of the pages that take a method, about an incident.
func routes(t *testing.T, method, number string) []string {
	t.Helper()
	var list []string
	for _, name := range []string{"pages.go", "elsewhere.go"} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`"`+method+` (/[^"]*)"`).FindAllStringSubmatch(string(source), -1) {
			path := strings.NewReplacer("{$}", "", "{key}", number, "{id}", "1", "{edition}", "1", "{name}", "style.css").Replace(match[1])
			if file, ok := strings.CutSuffix(path, "{file}"); ok {
				for _, f := range []string{"timeline.csv", "timeline.json", "postmortem.md", "postmortem.html", "postmortem.json", "postmortem.zip"} {
					list = append(list, file+f)
				}
				continue
			}
			list = append(list, path)
		}
	}
	return list
}

// TestNothingOfAPrivateIncident: to who is not in its channel no page, list, file,
// feed or form tells anything of it, whatever number is guessed; to who is not
// signed in nothing tells anything of any.
func TestNothingOfAPrivateIncident(t *testing.T) {
	t.Parallel()
	k := resolved(t) // INC-1
	const secret = "Payroll"
	k.declare(incidents.Declare{Title: secret + " leaked", Private: true, Service: secret})
	k.channel(2, "C0PRIVATE")
	inside := incidents.Request{Actor: k.actor(admin), In: "C0PRIVATE"}
	for _, command := range []incidents.Command{
		incidents.Note{Request: inside, Text: "Rotated " + secret},
		incidents.AddAction{Request: inside, Text: "Rotate " + secret, Owner: k.actor(ben).Person, Due: "2026-03-29"},
		incidents.AddGap{Request: inside, Signal: secret + " is read"},
		incidents.Resolve{Request: inside},
		incidents.PlanReview{Request: inside, At: k.clock.Now().Add(time.Hour)},
	} {
		k.do(2, command)
	}
	k.step(2, incidents.PostmortemInReview)
	before, err := k.store.Incident(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	outsider, stranger := k.as(anna), k.browser() // Ben reported it and may see it
	address := ""
	for word := range strings.FieldsSeq(outsider.post("/feeds").text()) {
		if strings.Contains(word, "/feeds/") && strings.HasSuffix(word, ".ics") {
			address = strings.TrimSuffix(strings.TrimPrefix(word, k.server.URL), "calendar.ics")
		}
	}
	if address == "" {
		t.Fatal("there is no address of feeds")
	}
	gets := append(routes(t, "GET", "2"), "/i/INC-2", "/i/inc-2", "/incidents?q=payroll", "/incidents?service="+secret, "/incidents.csv?q=payroll", "/incidents.json?q=payroll",
		"/actions?incident=INC-2&state=all", "/actions?owner="+ben, "/actions.csv?state=all", "/actions.json?state=all&incident=2", "/gaps?incident=INC-2", "/gaps.csv?incident=2",
		"/postmortems?state=in_review", "/postmortems.csv?state=open", "/audit?person="+admin, "/audit.csv?type=noted", address+"calendar.ics", address+"postmortems.atom")
	if len(gets) < 50 {
		t.Fatalf("only %d addresses are looked at", len(gets))
	}
	for _, path := range gets {
		path = strings.ReplaceAll(path, "/feeds/{token}/", address)
		page := outsider.get(path)
		page.hides("Payroll leaked", "Rotate", "is read")
		about := strings.HasPrefix(path, "/i/") && !strings.Contains(path, "/actions/") && !strings.Contains(path, "/gaps/") && !strings.HasSuffix(path, "/times") &&
			!strings.HasSuffix(path, "/state") && !strings.HasSuffix(path, "/people") && !strings.HasSuffix(path, "/meeting")
		if about && page.status != http.StatusNotFound {
			t.Errorf("%s is answered with %d", path, page.status)
		}
		if strings.HasPrefix(path, address) {
			continue // is for who has the address
		}
		page = stranger.get(path)
		page.hides("Payroll leaked", "Rotate", "is read", "Offers are empty")
	}
	form := url.Values{
		"impact_start": {"2026-03-28T14:01"}, "state": {"wont_do"}, "note": {"no"}, "owner": {"Ben Responder"}, "due": {"2026-05-01"}, "reason": {"no"}, "to": {"waived"},
		"rev": {"0"}, "base": {"0"}, "was.summary": {"x"}, "summary": {"no"}, "at": {"2026-05-01T10:00"}, "minutes": {"30"},
	}
	for _, path := range routes(t, "POST", "2") {
		if !strings.HasPrefix(path, "/i/") {
			continue
		}
		if page := outsider.send(http.MethodPost, path, form); page.status != http.StatusNotFound || strings.Contains(page.body, secret) {
			t.Errorf("a form to %s is answered with %d: %s", path, page.status, page.text())
		}
		if page := stranger.send(http.MethodPost, path, form); page.status != http.StatusForbidden {
			t.Errorf("a stranger's form to %s is answered with %d", path, page.status)
		}
	}
	after, err := k.store.Incident(t.Context(), 2)
	if err != nil || after.Seq != before.Seq {
		t.Errorf("%d things happened in it, %v", after.Seq-before.Seq, err)
	}
}
