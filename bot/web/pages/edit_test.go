package pages_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/houston-sre/houston/incidents"
)

// form reads what a form of the page would send, as a browser does.
func (p page) form(id string) url.Values {
	p.t.Helper()
	var form *html.Node
	for _, f := range p.elements("form") {
		if attribute(f, "id") == id {
			form = f
		}
	}
	if form == nil {
		p.t.Fatalf("%s (%d) has no form %q: %s", p.path, p.status, id, p.text())
	}
	return valuesOf(form)
}

// valuesOf is what a form is sent with.
func valuesOf(form *html.Node) url.Values {
	values := url.Values{}
	for n := range form.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		name := attribute(n, "name")
		switch n.Data {
		case "input":
			if attribute(n, "type") != "checkbox" || has(n, "checked") {
				values.Add(name, attribute(n, "value"))
			}
		case "textarea":
			if n.FirstChild != nil {
				values.Add(name, n.FirstChild.Data)
			} else {
				values.Add(name, "")
			}
		case "select":
			for o := range n.Descendants() {
				if o.Data != "option" {
					continue
				}
				if has(o, "selected") || !values.Has(name) { // else the first one
					values.Set(name, attribute(o, "value"))
				}
			}
		}
	}
	return values
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

const editor = "/i/1/postmortem/edit"

// resolved is a kit with an incident that is over.
func resolved(t *testing.T) *kit {
	t.Helper()
	k := newKit(t, nil)
	by := incidents.Request{Actor: k.actor(ben)}
	k.declare(incidents.Declare{Title: "Offers are empty", Severity: incidents.Sev2, Service: "broker"})
	k.do(1, incidents.Assign{Request: by, Role: incidents.Commander, Person: by.Actor.Person})
	k.clock.pass(time.Hour)
	k.do(1, incidents.Resolve{Request: by})
	return k
}

func TestEditorStoresWhatWasChanged(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	b := k.as(ben)
	page := b.get(editor)
	page.wellFormed()
	page.shows("Contributing factors", "Completeness", "Name at least one contributing factor.")
	form := page.form("editor")
	if saved := b.send(http.MethodPost, editor, form); saved.status != http.StatusOK {
		t.Fatalf("saving what nobody changed: %d", saved.status)
	}
	if rev := k.rev(); rev != 0 {
		t.Fatalf("saving what nobody changed made revision %d", rev)
	}
	form.Set("summary", hostile+"\r\n\r\n- one\r\n- two")
	form.Set("factors.0.text", "One pool for fast and slow requests")
	form.Set("factors.1.text", "Load had grown")
	form.Set("measures.1.what", "brokers without offers")
	form.Set("measures.1.value", "12")
	form.Set("trigger_kind", "load")
	saved := b.send(http.MethodPost, editor, form)
	saved.wellFormed()
	saved.shows("Saved.", hostile, "Revision 1")
	again := saved.form("editor")
	for field, want := range map[string]string{
		"factors.1.text": "Load had grown", "measures.1.value": "12", "trigger_kind": "load", "measures.0.kind": "team_hours",
		"summary": hostile + "\n\n- one\n- two",
	} {
		if got := strings.TrimPrefix(again.Get(field), "\n"); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	b.get("/i/1/postmortem").shows(hostile)
	history := b.get("/i/1/postmortem/history")
	history.wellFormed()
	history.shows("Changed in revision 1", "Ben Responder", "Load had grown")

	// The draft moves on where nobody wrote: another look needs no new text.
	again.Set("reset.summary", "1")
	b.send(http.MethodPost, editor, again).shows("Revision 2")
	if got := b.get(editor).form("editor").Get("summary"); strings.Contains(got, "onerror") {
		t.Errorf("given back to the draft the summary is still %q", got)
	}
}

func (k *kit) rev() int64 {
	k.t.Helper()
	inc, err := k.store.Incident(k.t.Context(), 1)
	if err != nil {
		k.t.Fatal(err)
	}
	return inc.Postmortem.Rev
}

func TestTwoPeopleLoseNothing(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	a, b := k.as(admin), k.as(ben)
	mine, theirs := a.get(editor).form("editor"), b.get(editor).form("editor")

	theirs.Set("summary", "Brokers saw no offers.")
	theirs.Set("went_well", "The third restart helped.")
	b.send(http.MethodPost, editor, theirs).shows("Saved.")

	// Other parts are taken together.
	other := a.get(editor).form("editor")
	mine.Set("lucky", "A developer sat beside the broker.")
	a.send(http.MethodPost, editor, mine).shows("both are kept")
	got := a.get(editor).form("editor")
	if strings.TrimPrefix(got.Get("summary"), "\n") != "Brokers saw no offers." || strings.TrimPrefix(got.Get("lucky"), "\n") != "A developer sat beside the broker." {
		t.Errorf("after both have saved: %q, %q", got.Get("summary"), got.Get("lucky"))
	}

	// The same part: the second sees both texts, and nothing is stored.
	older := b.get(editor).form("editor")
	other.Set("base", got.Get("base"))
	other = a.get(editor).form("editor")
	other.Set("summary", "Nobody saw offers for an hour.")
	a.send(http.MethodPost, editor, other).shows("Saved.")
	before := k.rev()
	older.Set("summary", "Brokers saw empty lists.")
	older.Set("open_questions", "Why did the first restart not help?")
	clash := b.send(http.MethodPost, editor, older)
	if clash.status != http.StatusConflict || k.rev() != before {
		t.Fatalf("a clash is answered with %d, revision %d", clash.status, k.rev())
	}
	clash.wellFormed()
	clash.shows("Nothing is lost", "Nobody saw offers for an hour.", "Brokers saw empty lists.", "Why did the first restart not help?")

	// Taken together and saved again, both are there.
	merged := clash.form("editor")
	merged.Set("summary", "Brokers saw empty lists; nobody saw offers for an hour.")
	b.send(http.MethodPost, editor, merged).shows("Saved.")
	final := b.get(editor)
	final.shows("Brokers saw empty lists; nobody saw offers for an hour.", "Why did the first restart not help?", "A developer sat beside the broker.")
}

func TestEditorGivesBackWhatIsRefused(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	b := k.as(ben)
	form := b.get(editor).form("editor")
	form.Set("measures.0.value", "many")
	form.Set("summary", "Brokers saw no offers.")
	refused := b.send(http.MethodPost, editor, form)
	if refused.status != http.StatusUnprocessableEntity {
		t.Errorf("a number that is none is answered with %d", refused.status)
	}
	refused.shows(`"many" is no number`, "Brokers saw no offers.")
	again := refused.form("editor")
	if again.Get("measures.0.value") != "many" {
		t.Errorf("what was typed is gone: %q", again.Get("measures.0.value"))
	}
	again.Set("measures.0.value", "12")
	b.send(http.MethodPost, editor, again).shows("Saved.", "Brokers saw no offers.")
}

func TestWorkflow(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	b := k.as(ben)
	b.get(editor).shows("Send to review", "Waive")
	refused := b.post("/i/1/postmortem/state", "to", "in_review", "rev", "0")
	if refused.status != http.StatusConflict {
		t.Errorf("an empty postmortem goes to review: %d", refused.status)
	}
	refused.shows("Before that, this is to do", "Write the summary", "Completeness")
	refused.wellFormed()
	form := b.get(editor).form("editor")
	form.Set("lucky", "Nowhere.")
	b.send(http.MethodPost, editor, form).shows("Revision 1")
	stale := b.post("/i/1/postmortem/state", "to", "waived", "rev", "0", "reason", "Typed with care")
	if stale.status != http.StatusConflict || !strings.Contains(stale.body, `value="Typed with care"`) {
		t.Errorf("an old form: %d %s", stale.status, stale.text())
	}
	b.post("/i/1/postmortem/state", "to", "waived", "rev", "1", "reason", "A drill by another name").shows("Reopen", "waived")
	b.get("/postmortems?state=waived").shows("Offers are empty")
	b.get("/postmortems?state=open").shows("Nothing matches.")
}

func TestPreview(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	page := k.as(ben).post("/preview", "text", "first\n\n- "+hostile)
	page.shows("first", hostile)
	page.hides("<img")
	if n := len(page.elements("li")); n != 1 {
		t.Errorf("the preview has %d items", n)
	}
}

func TestActionItemsAndGaps(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	by := incidents.Request{Actor: k.actor(ben)}
	k.do(1, incidents.AddAction{Request: by, Text: "Give slow requests a pool of their own", Owner: k.actor(ben).Person, Due: "2026-03-27"})
	k.do(1, incidents.AddAction{Request: by, Text: "Write down how to restart", Owner: k.actor(anna).Person, Due: "2026-12-01"})
	b := k.as(ben)
	page := b.get("/actions")
	page.wellFormed()
	page.shows("Ben Responder", "Anna Reporter", "due 2026-03-27 (overdue)", "Alert on what made")
	overdue := b.get("/actions?overdue=1")
	overdue.shows("Give slow requests")
	if strings.Contains(overdue.text(), "Write down") {
		t.Error("what is due in December is overdue in March")
	}
	b.get("/").shows("1 Overdue action items", "1 Open monitoring gaps")
	mine := b.get("/actions.csv?owner=" + ben)
	if !strings.Contains(mine.body, "Give slow requests") || strings.Contains(mine.body, "Write down") {
		t.Errorf("Ben's as CSV: %s", mine.body)
	}

	id := "2" // the first is proposed by Houston
	if early := b.post("/i/1/actions/"+id, "state", "done", "note", "merged"); early.status != http.StatusConflict {
		t.Errorf("done without a done-when: %d", early.status)
	}
	b.post("/i/1/actions/"+id, "state", "done", "done_when", "two pools", "note", "merged and deployed", "back", "/actions?state=done").shows("merged and deployed")
	if own := b.post("/i/1/actions/"+id, "state", "verified"); own.status != http.StatusForbidden {
		t.Errorf("verified by the one who did it: %d", own.status)
	}

	gaps := b.get("/gaps?state=open")
	gaps.wellFormed()
	gaps.shows("Offers are empty", "no alert fired")
	b.post("/i/1/gaps/1", "reason", "It is switched off in May", "back", "/gaps?state=accepted").shows("It is switched off in May")
	b.get("/gaps?state=open").shows("Nothing matches.")
	if page := b.get("/gaps?state=lost"); page.status != http.StatusBadRequest {
		t.Errorf("a state that does not exist: %d", page.status)
	}
}

func TestFeeds(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	by := incidents.Request{Actor: k.actor(ben)}
	k.do(1, incidents.AddAction{Request: by, Text: "Give slow requests a pool, and more; really", Owner: k.actor(ben).Person, Due: "2026-04-01"})
	k.do(1, incidents.PlanReview{Request: by, At: k.clock.Now().Add(48 * time.Hour)})
	b := k.as(ben)
	page := b.post("/feeds")
	page.wellFormed()
	addresses := []string{}
	for _, code := range page.elements("code") {
		addresses = append(addresses, strings.TrimPrefix(textOf(code), k.server.URL))
	}
	if len(addresses) != 2 {
		t.Fatalf("the addresses: %q", addresses)
	}
	reader := k.browser() // a program, without a session
	calendar := reader.get(addresses[0]).body
	for _, want := range []string{"BEGIN:VCALENDAR", "DTSTART;VALUE=DATE:20260401", `Give slow requests a pool\, and more\; really`, "Review of Offers are empty", "DTSTART:20260330T150500Z"} {
		if !strings.Contains(strings.ReplaceAll(calendar, "\r\n ", ""), want) {
			t.Errorf("the calendar lacks %q:\n%s", want, calendar)
		}
	}
	if feed := reader.get(addresses[1]); feed.status != http.StatusOK || !strings.Contains(feed.body, "http://www.w3.org/2005/Atom") {
		t.Errorf("the feed: %d %s", feed.status, feed.body)
	}
	b.post("/feeds")
	if old := reader.get(addresses[0]); old.status != http.StatusNotFound {
		t.Errorf("an old address is answered with %d", old.status)
	}
	k.people.change(ben, func(p *incidents.Profile) { p.Standing = incidents.Guest })
	if page := b.get("/postmortems.atom"); page.status == http.StatusOK && strings.Contains(page.body, "<feed") {
		t.Error("a guest reads the feed")
	}
}
