package web

import (
	"net/http"
	"slices"
	"time"

	"github.com/houston-sre/houston/incidents"
)

const entryForm = `{"significant":true,"until":"2026-03-29T14:20:00Z","at":"2026-03-29T14:05:00Z","kind":"action","text":"Restarted the offers service"}; each may be left out, and an empty until makes it a moment again.`

// amendEntry answers PATCH /api/v1/incidents/INC-1/timeline/12 with the entry as
// it is now.
func (a *API) amendEntry(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	seq, err := numberOf(r, "seq")
	if err != nil {
		return err
	}
	c := incidents.AmendEntry{Request: request(incidents.Once{}), Seq: seq}
	var at, until, kind *string
	if err := decode(r, entryForm, map[string]any{"text": &c.Text, "at": &at, "until": &until, "kind": &kind, "significant": &c.Significant}); err != nil {
		return err
	}
	if c.Text == nil && at == nil && until == nil && kind == nil && c.Significant == nil {
		return incidents.Errorf(incidents.Invalid, "Nothing to change. Write it like %s", entryForm)
	}
	for _, moment := range []struct {
		name string
		text *string
		into **time.Time
	}{{"at", at, &c.At}, {"until", until, &c.Until}} {
		if moment.text == nil {
			continue
		}
		parsed, err := parseTime(moment.name, *moment.text)
		if err != nil {
			return err
		}
		if parsed.IsZero() && moment.name == "at" {
			continue // it happened at some time
		}
		*moment.into = &parsed
	}
	if kind != nil {
		parsed, err := incidents.ParseEntryKind(*kind)
		if err != nil {
			return err
		}
		c.Kind = &parsed
	}
	if _, err := a.service.AmendEntry(r.Context(), inc.Number, c); err != nil {
		return err
	}
	events, err := a.service.Store().Events(r.Context(), inc.Number)
	if err != nil {
		return err
	}
	entries := incidents.Timeline(events)
	i := slices.IndexFunc(entries, func(e incidents.Entry) bool { return e.Seq == seq })
	if i < 0 {
		return incidents.Errorf(incidents.Gone, "This entry was written and has been retracted since.")
	}
	return writeJSON(w, http.StatusOK, entryOf(inc.Key(), entries[i]))
}
