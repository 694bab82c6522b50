package pages_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// wrongBeside is what the page says beside an input about what was typed into it.
func (p page) wrongBeside(name string) string {
	p.t.Helper()
	texts := map[string]string{}
	described := ""
	for n := range p.root.Descendants() {
		if id := attribute(n, "id"); id != "" {
			texts[id] = textOf(n)
		}
		if attribute(n, "name") == name && attribute(n, "aria-invalid") == "true" {
			described = attribute(n, "aria-describedby")
		}
	}
	var words []string
	for id := range strings.FieldsSeq(described) {
		words = append(words, texts[id])
	}
	return strings.Join(words, " ")
}

// postForms lists where the forms of the pages are sent to, with numbers taken
// for any: what TestRefusedForms has to hold.
func postForms(pages ...page) []string {
	found := map[string]bool{}
	for _, p := range pages {
		for _, f := range p.elements("form") {
			if attribute(f, "method") == "post" {
				found[attribute(f, "action")] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// TestRefusedForms has every form of the pages refused: it comes back with what
// was typed, and with what is wrong beside the input.
func TestRefusedForms(t *testing.T) {
	t.Parallel()
	const long = "a reason that is far too long "
	tooLong := strings.TrimSpace(strings.Repeat(long, incidents.MaxText/len(long)+1))
	tests := []struct {
		name, page, action string
		typed              url.Values
		field              string // that is refused
		says               string
		status             int
	}{
		{"a key time", "/i/1", "/i/1/times", url.Values{"detected": {"yesterday"}, "impact_start": {"2026-03-28T14:01"}}, "detected", "Give a day and a time", 422},
		{"a key time to come", "/i/1", "/i/1/times", url.Values{"detected": {"2030-03-28T14:00"}, "paged": {"2026-03-28T14:01"}}, "detected", "is in the future", 422},
		{"the clocks go forward over it", "/i/1", "/i/1/times", url.Values{"detected": {"2026-03-29T02:30"}}, "detected", "Europe/Zurich", 422},
		{"an unknown owner", "/actions", "/i/1/actions/1/facts", url.Values{"owner": {"Nobody " + hostile}, "done_when": {"it fires"}}, "owner", "I know nobody called", 422},
		{"a date that is over", "/actions", "/i/1/actions/1/facts", url.Values{"due": {"2020-01-01"}, "done_when": {"it fires"}}, "due", "2020-01-01 is over", 422},
		{"a done-when too long", "/actions", "/i/1/actions/1/facts", url.Values{"done_when": {tooLong}, "priority": {"p1"}}, "done_when", "characters", 422},
		{"a priority that is none", "/actions", "/i/1/actions/1/facts", url.Values{"priority": {"p9"}, "done_when": {"it fires"}}, "priority", "is no priority", 422},
		{"a type that is none", "/actions", "/i/1/actions/1/facts", url.Values{"type": {"magic"}, "done_when": {"it fires"}}, "type", "is no type", 422},
		{"dropped without a reason", "/actions", "/i/1/actions/1", url.Values{"state": {"wont_do"}}, "note", "Say why", 422},
		{"a note too long", "/actions", "/i/1/actions/1", url.Values{"state": {"wont_do"}, "note": {tooLong}}, "note", "characters", 422},
		{"a state that is none", "/actions", "/i/1/actions/1", url.Values{"state": {"magic"}, "note": {"typed"}}, "state", "is no state", 422},
		{"a gap accepted for nothing", "/gaps", "/i/1/gaps/1", url.Values{"reason": {" "}}, "reason", "Say why", 422},
		{"a gap's reason too long", "/gaps", "/i/1/gaps/1", url.Values{"reason": {tooLong}}, "reason", "characters", 422},
		{"an unknown approver", "/i/1/postmortem", "/i/1/postmortem/people", url.Values{"approver": {"Nobody"}, "reviewers": {"Anna Reporter"}}, "approver", "I know nobody", 422},
		{"two owners", "/i/1/postmortem", "/i/1/postmortem/people", url.Values{"owner": {"Anna Reporter\nAda Admin"}}, "owner", "One person", 422},
		{"an unknown reviewer", "/i/1/postmortem", "/i/1/postmortem/people", url.Values{"reviewers": {"Anna Reporter\nNobody"}}, "reviewers", "I know nobody", 422},
		{"the owner approves", "/i/1/postmortem", "/i/1/postmortem/people", url.Values{"approver": {"Ben Responder"}}, "approver", "owns the postmortem", 422},
		{"a review that has passed", "/i/1/postmortem", "/i/1/postmortem/meeting", url.Values{"at": {"2020-01-01T10:00"}, "minutes": {"45"}}, "at", "has passed", 422},
		{"a review without a time", "/i/1/postmortem", "/i/1/postmortem/meeting", url.Values{"at": {"soon"}, "minutes": {"45"}}, "at", "Give a day", 422},
		{"a review without end", "/i/1/postmortem", "/i/1/postmortem/meeting", url.Values{"at": {"2026-04-01T10:00"}, "minutes": {"4500"}}, "minutes", "can not be planned", 422},
		{"a review of some time", "/i/1/postmortem", "/i/1/postmortem/meeting", url.Values{"at": {"2026-04-01T10:00"}, "minutes": {"an hour"}}, "minutes", "minutes", 422},
		{"a section too long", editor, editor, url.Values{"summary": {strings.Repeat("x", 50_001)}, "lucky": {"Nothing."}}, "summary", "at most 50000 fit", 422},
		{"a number that is none", editor, editor, url.Values{"measures.0.what": {"brokers"}, "measures.0.value": {"many"}, "lucky": {"Nothing."}}, "measures.0.value", `"many" is no number`, 422},
		{"a reason too long for no measure", editor, editor, url.Values{"no_measure_reason": {strings.Repeat("x", 3001)}}, "no_measure_reason", "at most 3000 fit", 422},
		{"a waiver without a reason", editor, "/i/1/postmortem/state", url.Values{"to": {"waived"}, "reason": {" "}}, "reason", "Say why", 422},
		{"a waiver's reason too long", editor, "/i/1/postmortem/state", url.Values{"to": {"waived"}, "reason": {tooLong}}, "reason", "characters", 422},
	}
	k := resolved(t)
	k.people.change(ben, func(p *incidents.Profile) { p.TimeZone = "Europe/Zurich" })
	k.clock.pass(24 * time.Hour) // the clocks have gone forward
	b := k.as(ben)
	held := map[string]bool{"/signout": true, "/feeds": true} // which have no input
	for _, tt := range tests {
		held[tt.action] = true
		form := b.get(tt.page).formWith(tt.action, tt.typed)
		maps.Copy(form, tt.typed)
		refused := b.send(http.MethodPost, tt.action, form)
		if refused.status != tt.status {
			t.Errorf("%s: answered with %d, want %d: %s", tt.name, refused.status, tt.status, refused.text())
		}
		refused.wellFormed()
		if page := b.get(tt.action); page.status != http.StatusOK { // its address stands in the browser
			t.Errorf("%s: who opens %s gets %d", tt.name, tt.action, page.status)
		}
		beside := refused.wrongBeside(tt.field)
		if strings.Contains(tt.field, ".") { // a table says it above its rows
			beside = refused.text()
		}
		if !strings.Contains(beside, tt.says) {
			t.Errorf("%s: beside %s stands %q, want %q", tt.name, tt.field, beside, tt.says)
		}
		again := refused.formWith(tt.action, tt.typed)
		for name, want := range tt.typed {
			got := strings.TrimSpace(again.Get(name))
			if offered := name != "state" && name != "type" && name != "priority" || want[0] == "wont_do" || want[0] == "p1"; offered && got != strings.TrimSpace(want[0]) {
				t.Errorf("%s: %s came back as %.80q", tt.name, name, got)
			}
		}
	}
	k.do(1, incidents.PlanReview{Request: incidents.Request{Actor: k.actor(ben)}, At: k.clock.Now().Add(time.Hour)})
	for _, action := range postForms(b.get("/"), b.get("/i/1"), b.get("/actions"), b.get("/gaps"), b.get("/i/1/postmortem"), b.get(editor), b.get("/feeds"), b.get("/audit")) {
		action = strings.NewReplacer("/actions/2", "/actions/1", "/gaps/2", "/gaps/1").Replace(action)
		if !held[action] {
			t.Errorf("nothing here has the form to %s refused", action)
		}
	}
}

// formWith is formTo for addresses that several forms are sent to: the one that
// has the hidden "to" of what is typed.
func (p page) formWith(action string, typed url.Values) url.Values {
	p.t.Helper()
	for _, f := range p.elements("form") {
		if attribute(f, "action") != action {
			continue
		}
		if values := valuesOf(f); !typed.Has("to") || values.Get("to") == typed.Get("to") {
			return values
		}
	}
	p.t.Fatalf("%s (%d) has no form to %s: %s", p.path, p.status, action, p.text())
	return nil
}

// TestFormsThatCanNotBeShownAgain: where the page of a form is gone, what was
// typed is given back to be sent again.
func TestFormsThatCanNotBeShownAgain(t *testing.T) {
	t.Parallel()
	const typed = "Brokers saw no offers for an hour."

	t.Run("the session ran out", func(t *testing.T) {
		t.Parallel()
		k := resolved(t)
		b := k.as(ben)
		form := b.get(editor).form("editor")
		form.Set("summary", typed)
		form.Set("factors.0.text", "One pool")
		k.clock.pass(30 * 24 * time.Hour)
		out := b.send(http.MethodPost, editor, form)
		out.wellFormed()
		out.shows(typed, "One pool", "Sign in in another tab")
		out.hides("Write the summary")
		if out.status != http.StatusForbidden || k.rev() != 0 {
			t.Fatalf("answered with %d, revision %d", out.status, k.rev())
		}
		again := k.as(ben) // in another tab
		again.send(http.MethodPost, editor, out.form("typed")).shows("Saved.", typed, "One pool")
	})

	t.Run("published meanwhile", func(t *testing.T) {
		t.Parallel()
		k := resolved(t)
		a, b := k.as(admin), k.as(ben)
		form, people := b.get(editor).form("editor"), b.get("/i/1/postmortem").form("staff")
		waive := b.get(editor).formWith("/i/1/postmortem/state", url.Values{"to": {"waived"}})
		a.post("/i/1/postmortem/state", "to", "waived", "rev", "0", "reason", "A drill")
		form.Set("summary", typed)
		late := b.send(http.MethodPost, editor, form)
		late.shows(typed, "Reopen it")
		people.Set("owner", "Nobody "+hostile)
		b.send(http.MethodPost, "/i/1/postmortem/people", people).shows("Nobody "+hostile, "Reopen it")
		waive.Set("reason", "Nothing to learn")
		b.send(http.MethodPost, "/i/1/postmortem/state", waive).shows("Nothing to learn")
		a.post("/i/1/postmortem/state", "to", "draft", "rev", "0", "reason", "There is")
		b.send(http.MethodPost, editor, late.form("typed")).shows("Saved.", typed)
	})

	t.Run("not for other sites, not of signing in", func(t *testing.T) {
		t.Parallel()
		k := resolved(t)
		b := k.as(ben)
		foreign := b.send(http.MethodPost, "/i/1/gaps/1", url.Values{"reason": {typed}}, "Sec-Fetch-Site", "cross-site")
		if foreign.status != http.StatusForbidden {
			t.Errorf("a form of another site is answered with %d", foreign.status)
		}
		foreign.hides(typed)
		b.post("/signin/link", "secret", "SECRETSECRET").hides("SECRETSECRET")
	})
}
