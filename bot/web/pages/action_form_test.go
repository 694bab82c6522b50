package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents"
)

// formTo is the form of a page that is sent to an address.
func (p page) formTo(action string) url.Values {
	p.t.Helper()
	for _, f := range p.elements("form") {
		if attribute(f, "action") == action {
			return valuesOf(f)
		}
	}
	p.t.Fatalf("%s (%d) has no form to %s: %s", p.path, p.status, action, p.text())
	return nil
}

func TestActionItemIsCompletedInTheBrowser(t *testing.T) {
	t.Parallel()
	const facts, move = "/i/1/actions/1/facts", "/i/1/actions/1"
	k := resolved(t)
	b := k.as(ben)
	item := func() incidents.ActionItem {
		t.Helper()
		inc, err := k.store.Incident(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		item, _ := inc.Action(1)
		return item
	}
	list := b.get("/actions?incident=INC-1")
	list.shows("proposed")
	form := list.formTo(facts)
	if form.Get("back") != "/actions?incident=INC-1" || form.Get("type") != "detect" {
		t.Errorf("the form is %v", form)
	}
	form.Set("owner", "Nobody "+hostile)
	form.Set("due", "2026-05-01")
	form.Set("priority", "p1")
	form.Set("done_when", "it fires in the replay")
	wrong := b.send(http.MethodPost, facts, form)
	wrong.wellFormed()
	wrong.shows("I know nobody called")
	again := wrong.formTo(facts)
	if wrong.status != http.StatusUnprocessableEntity || again.Get("owner") != "Nobody "+hostile || again.Get("due") != "2026-05-01" || again.Get("priority") != "p1" || again.Get("done_when") != "it fires in the replay" {
		t.Errorf("%d, typed came back as %v", wrong.status, again)
	}
	if item().Due != "" {
		t.Error("half of a form was stored")
	}
	again.Set("owner", "Anna Reporter")
	saved := b.send(http.MethodPost, facts, again)
	if saved.path != "/actions?incident=INC-1" {
		t.Errorf("saving leads to %s", saved.path)
	}
	saved.shows("Anna Reporter", "due 2026-05-01", "P1", "Done when: it fires in the replay")
	if got := item(); got.Proposed || got.Owner.ID != anna {
		t.Errorf("got %+v, want it taken", got)
	}

	// An old form changes what it changes, and nothing that somebody else did.
	form.Set("owner", "Ben Responder")
	form.Del("due")
	form.Set("priority", form.Get("priority"))
	stale := b.send(http.MethodPost, facts, form)
	stale.shows("Somebody changed this meanwhile")
	if stale.status != http.StatusConflict || item().Owner.ID != anna {
		t.Errorf("an old form: %d, owner %s", stale.status, item().Owner.Name)
	}

	early := saved.formTo(move)
	early.Set("state", "verified")
	early.Set("note", "I saw it")
	refused := b.send(http.MethodPost, move, early)
	if again := refused.formTo(move); refused.status != http.StatusConflict || again.Get("note") != "I saw it" || again.Get("state") != "verified" {
		t.Errorf("verified before it is done: %d, typed came back as %v", refused.status, refused.formTo(move))
	}
	bad := refused.formTo(facts)
	bad.Set("due", "2020-01-01")
	if page := b.send(http.MethodPost, facts, bad); page.status != http.StatusUnprocessableEntity || !strings.Contains(page.text(), "2020-01-01 is over") {
		t.Errorf("a date that is over: %d", page.status)
	}
	if page := b.post("/i/1/actions/99/facts", "owner", "x"); page.status != http.StatusNotFound {
		t.Errorf("an item that is not there: %d", page.status)
	}
}
