package pages_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/houston-sre/houston/incidents"
)

const readPage = "/i/1/postmortem"

// staffed is who works on the postmortem of incident 1 now.
func (k *kit) staffed() incidents.Postmortem {
	k.t.Helper()
	inc, err := k.store.Incident(k.t.Context(), 1)
	if err != nil {
		k.t.Fatal(err)
	}
	return inc.Postmortem
}

func TestPeopleOfAPostmortem(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	b := k.as(ben)
	page := b.get(readPage)
	page.wellFormed()
	page.shows("Owner Ben Responder", "Approver anybody but the owner", "Review meeting none planned")
	form := page.form("staff")
	if got := form.Get("owner"); got != "Ben Responder" {
		t.Errorf("the commander is not shown as the owner, but %q", got)
	}
	if saved := b.send(http.MethodPost, readPage+"/people", form); saved.status != http.StatusOK || k.staffed().Owner.ID != "" {
		t.Errorf("saving what nobody changed: %d, owner %+v", saved.status, k.staffed().Owner)
	}

	form.Set("approver", "Ada Admin")
	form.Set("reviewers", "Anna Reporter\r\n\r\n Gil Guest \r\nAnna Reporter")
	saved := b.send(http.MethodPost, readPage+"/people", form)
	saved.shows("Saved.", "Approver Ada Admin", "Reviewers Anna Reporter Gil Guest")
	if got := k.staffed(); got.AskedApprover.ID != admin || len(got.Reviewers) != 2 || got.Owner.ID != "" {
		t.Errorf("got %+v", got)
	}

	// What can not be stored stays as it was typed, and nothing of it is stored.
	form = saved.form("staff")
	form.Set("owner", "Nobody "+hostile)
	form.Set("reviewers", "Anna Reporter")
	wrong := b.send(http.MethodPost, readPage+"/people", form)
	wrong.wellFormed()
	if again := wrong.form("staff"); wrong.status != http.StatusUnprocessableEntity || again.Get("owner") != "Nobody "+hostile || strings.TrimSpace(again.Get("reviewers")) != "Anna Reporter" {
		t.Errorf("%d, typed came back as %q and %q", wrong.status, again.Get("owner"), again.Get("reviewers"))
	}
	wrong.shows("I know nobody called")
	if attribute(wrong.staffDetails(), "open") != "" || !has(wrong.staffDetails(), "open") {
		t.Error("the form with the error is folded away")
	}
	form.Set("owner", "Ada Admin")
	b.send(http.MethodPost, readPage+"/people", form).shows("Name somebody else to approve it.")
	form.Set("owner", "Anna Reporter\nBen Responder")
	b.send(http.MethodPost, readPage+"/people", form).shows("One person can be named here")
	if len(k.staffed().Reviewers) != 2 {
		t.Error("half of a form was stored")
	}

	// Nobody else can approve, and taking the name away lets anybody.
	k.step(1, incidents.PostmortemInReview)
	other := k.as(anna)
	edit := other.get(editor).form("editor")
	if page := other.post(readPage+"/state", "rev", edit.Get("base"), "to", "approved"); page.status != http.StatusForbidden {
		t.Errorf("somebody else's approval: %d %s", page.status, page.text())
	}
	form = b.get(readPage).form("staff")
	form.Set("approver", "")
	b.send(http.MethodPost, readPage+"/people", form).shows("anybody but the owner")
	if page := other.post(readPage+"/state", "rev", edit.Get("base"), "to", "approved"); page.status == http.StatusForbidden {
		t.Errorf("anybody's approval: %d %s", page.status, page.text())
	}
}

// staffDetails is what folds the forms away.
func (p page) staffDetails() *html.Node {
	p.t.Helper()
	for _, n := range p.elements("details") {
		if strings.Contains(textOf(n), "Propose the meeting") || strings.Contains(textOf(n), "Move the meeting") {
			return n
		}
	}
	p.t.Fatalf("%s has no forms", p.path)
	return nil
}

func TestTwoNameOwners(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	mine, theirs := k.as(ben), k.as(admin)
	form := mine.get(readPage).form("staff")
	other := theirs.get(readPage).form("staff")
	other.Set("owner", "Ada Admin")
	theirs.send(http.MethodPost, readPage+"/people", other).shows("Saved.")

	// Another field is no conflict.
	form.Set("reviewers", "Anna Reporter")
	mine.send(http.MethodPost, readPage+"/people", form).shows("Saved.", "Owner Ada Admin", "Anna Reporter")

	form.Set("owner", "Anna Reporter")
	form.Set("reviewers", "Gil Guest")
	clash := mine.send(http.MethodPost, readPage+"/people", form)
	clash.shows("Somebody changed this meanwhile", "Ada Admin")
	if again := clash.form("staff"); clash.status != http.StatusConflict || again.Get("owner") != "Anna Reporter" {
		t.Errorf("%d, typed came back as %q", clash.status, again.Get("owner"))
	}
	if got := k.staffed().Owner.ID; got != admin {
		t.Errorf("the conflict was stored: %s", got)
	}
	mine.send(http.MethodPost, readPage+"/people", clash.form("staff")).shows("Saved.", "Owner Anna Reporter")
}

func TestReviewMeeting(t *testing.T) {
	t.Parallel()
	k := resolved(t) // a sev2 on Saturday, 28 March 2026: the clocks go forward that night
	b := k.as(anna)  // in Zurich
	form := b.get(readPage).form("meeting")
	if got := form.Get("at"); got != "2026-04-03T10:00" {
		t.Errorf("%s is proposed, want five working days later", got)
	}
	for typed, want := range map[string]string{
		"": "Tag und Uhrzeit", "soon": "Tag und Uhrzeit", "2026-03-29T02:30": "gibt es in Europe/Zurich nicht", "2020-01-01T10:00": "vorbei",
	} {
		form.Set("at", typed)
		page := b.send(http.MethodPost, readPage+"/meeting", form)
		page.shows(want)
		if again := page.form("meeting"); page.status != http.StatusUnprocessableEntity || again.Get("at") != typed {
			t.Errorf("%q: %d, came back as %q", typed, page.status, again.Get("at"))
		}
	}
	form.Set("at", "2026-03-30T14:00")
	form.Set("minutes", "45")
	page := b.send(http.MethodPost, readPage+"/meeting", form)
	page.shows("2026-03-30 14:00 CEST (12:00 UTC)", "45 min")
	if m := k.staffed().Meeting; !m.At.Equal(time.Date(2026, 3, 30, 12, 0, 0, 0, time.UTC)) || m.Minutes != 45 {
		t.Errorf("got %+v", m)
	}
	file := b.get(readPage + "/review.ics")
	if !strings.Contains(file.body, "BEGIN:VCALENDAR 2026-03-30T12:00:00Z") || file.header.Get("Content-Type") != "text/calendar; charset=utf-8" {
		t.Errorf("the file is %s %q", file.header.Get("Content-Type"), file.body)
	}
	form.Set("at", "2026-03-31T09:00")
	stale := b.send(http.MethodPost, readPage+"/meeting", form)
	stale.shows("inzwischen geändert", "2026-03-30T14:00 CEST")
	if again := stale.form("meeting"); stale.status != http.StatusConflict || again.Get("at") != "2026-03-31T09:00" {
		t.Errorf("%d, came back as %q", stale.status, again.Get("at"))
	}
	b.send(http.MethodPost, readPage+"/meeting", stale.form("meeting")).shows("2026-03-31 09:00")
}

func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	b := k.as(ben)
	for _, path := range []string{"/people", "/meeting", "/state", "/edit"} {
		page := b.send(http.MethodPost, readPage+path, map[string][]string{"owner": {"Ada Admin"}}, "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
		if page.status != http.StatusForbidden {
			t.Errorf("%s from another site: %d", path, page.status)
		}
		if page := k.browser().post(readPage+path, "owner", "Ada Admin"); page.status != http.StatusOK && page.status != http.StatusForbidden || k.staffed().Owner.ID != "" {
			t.Errorf("%s without a session: %d", path, page.status)
		}
	}
}
