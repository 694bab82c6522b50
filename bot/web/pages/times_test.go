package pages_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

func TestKeyTimesAreCorrectedInTheBrowser(t *testing.T) {
	t.Parallel()
	k := resolved(t) // at 14:05 UTC on 28 March, over an hour later
	b := k.as(anna)  // in Zurich
	at := func(key incidents.KeyTime) incidents.Instant {
		t.Helper()
		inc, err := k.store.Incident(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return inc.Times[key]
	}
	page := b.get("/i/1")
	page.wellFormed()
	form := page.form("times-form")
	resolvedAt := at(incidents.ResolvedAt)
	form.Set("impact_start", "2026-03-28T14:30")
	saved := b.send(http.MethodPost, "/i/1/times", form)
	saved.shows("Gespeichert.", "2026-03-28 14:30 CET (13:30 UTC)")
	if got := at(incidents.ImpactStart).At; !got.Equal(time.Date(2026, 3, 28, 13, 30, 0, 0, time.UTC)) || at(incidents.ResolvedAt) != resolvedAt {
		t.Errorf("impact began at %s, resolved %+v", got, at(incidents.ResolvedAt))
	}

	// What can not be stored stays, and nothing of it is stored.
	next := saved.form("times-form")
	next.Set("impact_start", "2026-03-28T14:00")
	next.Set("detected", "yesterday")
	wrong := b.send(http.MethodPost, "/i/1/times", next)
	wrong.wellFormed()
	wrong.shows("Gib Tag und Uhrzeit an")
	if again := wrong.form("times-form"); wrong.status != http.StatusUnprocessableEntity || again.Get("detected") != "yesterday" || again.Get("impact_start") != "2026-03-28T14:00" {
		t.Errorf("%d, typed came back as %v", wrong.status, again)
	}
	if got := at(incidents.ImpactStart).At; got.Minute() != 30 {
		t.Errorf("half of a form was stored: %s", got)
	}

	// An old form does not overwrite what somebody else wrote.
	form.Set("impact_start", "2026-03-28T13:00")
	stale := b.send(http.MethodPost, "/i/1/times", form)
	stale.shows("inzwischen geändert", "2026-03-28 14:30")
	if got := at(incidents.ImpactStart).At; got.Minute() != 30 {
		t.Errorf("overwritten: %s", got)
	}
	fresh := stale.form("times-form")
	fresh.Set("impact_start", "")
	b.send(http.MethodPost, "/i/1/times", fresh).shows("Gespeichert.")
	if got := at(incidents.ImpactStart); !got.At.IsZero() {
		t.Errorf("what nobody knows is %+v", got)
	}
}
