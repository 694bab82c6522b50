package pages_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// rows reads a list as a file: the cells of its rows as one text each.
func (b *browser) rows(address string) []string {
	b.t.Helper()
	page := b.get(address)
	if page.status != http.StatusOK {
		b.t.Fatalf("%s: %d %s", address, page.status, page.text())
	}
	var lines []string
	if strings.Contains(address, ".csv") {
		table, err := csv.NewReader(strings.NewReader(page.body)).ReadAll()
		if err != nil {
			b.t.Fatalf("%s: %v", address, err)
		}
		for _, cells := range table[1:] {
			lines = append(lines, strings.Join(cells, " | "))
		}
		return lines
	}
	var answer map[string][]map[string]any
	if err := json.Unmarshal([]byte(page.body), &answer); err != nil || len(answer) != 1 {
		b.t.Fatalf("%s: %v %s", address, err, page.body)
	}
	for _, list := range answer {
		for _, object := range list {
			lines = append(lines, fmt.Sprint(object))
		}
	}
	return lines
}

// TestEveryListAsFiles: what a page's filter leaves, its files hold, and no more.
func TestEveryListAsFiles(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	by := incidents.Request{Actor: k.actor(ben)}
	k.declare(incidents.Declare{Title: "Scoring is slow", Severity: incidents.Sev1})
	k.do(2, incidents.Note{Request: by, Text: "Restarted scoring", Kind: incidents.Action, At: k.clock.Now()})
	k.do(2, incidents.AddAction{Request: by, Text: "Scale scoring", Owner: k.actor(ben).Person, Due: "2026-05-01"})
	k.do(2, incidents.AddGap{Request: by, Kind: incidents.GapNoAlert, Signal: "Queue of scoring"})
	k.clock.pass(time.Hour)
	k.do(2, incidents.Resolve{Request: by})
	b := k.as(admin) // who may read the audit
	for _, tt := range []struct {
		list, filter string
		all, left    int
		has          string
	}{
		{"/incidents", "q=scoring", 2, 1, "Scoring is slow"},
		{"/incidents", "severity=sev1&status=resolved", 2, 1, "Scoring is slow"},
		{"/postmortems", "state=draft", 2, 2, "Scoring is slow"},
		{"/postmortems", "state=published", 2, 0, ""},
		{"/actions", "incident=INC-2&owner=" + ben, 3, 1, "Scale scoring"},
		{"/gaps", "incident=INC-2&state=open", 3, 2, "Queue of scoring"},
		{"/audit", "type=gap_added", 0, -1, "gap_added"},
		{"/i/2/timeline", "kind=action", 0, 1, "Restarted scoring"},
	} {
		for _, form := range []string{".csv", ".json"} {
			all, left := b.rows(tt.list+form), b.rows(tt.list+form+"?"+tt.filter)
			if tt.all > 0 && len(all) != tt.all || tt.list != "/audit" && len(left) != tt.left || tt.left != tt.all && len(left) >= len(all) {
				t.Errorf("%s%s has %d rows, %d with %s; want %d and %d:\n%q", tt.list, form, len(all), len(left), tt.filter, tt.all, tt.left, all)
			}
			if tt.has != "" && !strings.Contains(strings.Join(left, "\n"), tt.has) {
				t.Errorf("%s%s?%s lacks %q:\n%q", tt.list, form, tt.filter, tt.has, left)
			}
		}
		page := b.get(strings.TrimSuffix(tt.list, "/timeline") + "?" + tt.filter)
		var hrefs []string
		for _, a := range page.elements("a") {
			hrefs = append(hrefs, attribute(a, "href"))
		}
		links := strings.Join(hrefs, "\n")
		for value := range strings.SplitSeq(tt.filter, "&") {
			if !strings.Contains(links, tt.list+".csv?") || !strings.Contains(links, value) {
				t.Errorf("%s leads to files without its filter %s", page.path, value)
			}
		}
	}
	if page := b.get("/postmortems.csv?state=lost"); page.status != http.StatusBadRequest {
		t.Errorf("a state that does not exist: %d", page.status)
	}
}

// TestFilesAreWhole: a download goes on where one look at the store ends.
func TestFilesAreWhole(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	for i := range 205 {
		k.declare(incidents.Declare{Title: fmt.Sprintf("Offer %d is empty", i+1)})
	}
	b := k.as(admin) // who may read the audit
	if n := len(b.rows("/incidents.csv")); n != 205 {
		t.Errorf("the incidents' file has %d rows", n)
	}
	if n := len(b.rows("/audit.json?type=declared")); n != 205 {
		t.Errorf("the audit's file has %d rows", n)
	}
}
