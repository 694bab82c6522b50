package pages_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

func TestEntriesAreCorrectedInTheBrowser(t *testing.T) {
	t.Parallel()
	k := resolved(t) // from 14:05 UTC to 15:05
	by := incidents.Request{Actor: k.actor(ben)}
	k.do(1, incidents.Note{Request: by, Text: hostile, At: time.Date(2026, 3, 28, 14, 20, 0, 0, time.UTC)})
	entry := func() incidents.Entry {
		t.Helper()
		events, err := k.store.Events(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range incidents.Timeline(events) {
			if e.Kind != incidents.StateChange {
				return e
			}
		}
		t.Fatal("there is no note")
		return incidents.Entry{}
	}
	path := "/i/1/entries/" + strconv.FormatInt(entry().Seq, 10)
	b := k.as(anna) // in Zurich, in German
	page := b.get(path)
	page.wellFormed()
	stale := page.form("entry")
	form := page.form("entry")
	form.Set("until", "2026-03-28T15:10")
	form.Set("significant", "yes")
	wrong := b.send(http.MethodPost, path, form) // ends before it begins
	wrong.wellFormed()
	wrong.shows("Gib ein späteres Ende an")
	form = wrong.form("entry")
	if wrong.status != http.StatusUnprocessableEntity || form.Get("until") != "2026-03-28T15:10" || form.Get("significant") != "yes" || entry().Significant {
		t.Fatalf("%d, it came back as %v", wrong.status, form)
	}
	form.Set("until", "2026-03-28T15:40")
	form.Set("kind", "action")
	saved := b.send(http.MethodPost, path, form)
	saved.wellFormed()
	saved.shows("Gespeichert.", "★ Schlüsselmoment", "15:20 CET – 15:40", hostile)
	e := entry()
	if !e.Significant || e.Kind != incidents.Action || e.Edited || !e.Until.At.Equal(time.Date(2026, 3, 28, 14, 40, 0, 0, time.UTC)) {
		t.Errorf("got %+v", e)
	}
	csv := b.get("/i/1/timeline.csv?kind=action")
	if !strings.Contains(csv.body, ",2026-03-28T14:40:00Z,yes") {
		t.Errorf("the file is %s", csv.body)
	}
	stale.Set("until", "2026-03-28T15:30") // an old form does not overwrite
	again := b.send(http.MethodPost, path, stale)
	again.shows("inzwischen geändert")
	if got := again.form("entry").Get("until"); got != "2026-03-28T15:30" || entry().Until.At.Minute() != 40 {
		t.Errorf("%q came back, stored is %s", got, entry().Until.At)
	}
	state := b.get("/i/1/entries/1") // the declaration
	state.wellFormed()
	if strings.Contains(state.body, `class="said`) {
		t.Errorf("a page that nothing was done on says that something was:\n%s", state.body)
	}
	if form := state.form("entry"); form.Has("until") || form.Has("text") || !form.Has("was.significant") {
		t.Errorf("of a change of state the form has %v", form)
	}
	if b.get("/i/1/entries/99").status != http.StatusNotFound || b.get("/i/1/entries/x").status != http.StatusNotFound {
		t.Error("there are pages of entries that are none")
	}
}
