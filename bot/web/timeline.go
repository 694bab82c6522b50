package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

const noteForm = `{"text":"Restarted the offers service","at":"2026-03-29T14:05:00Z","kind":"action","until":"2026-03-29T14:20:00Z","significant":true}; only the text is required.`

// timeline answers GET /api/v1/incidents/INC-1/timeline, folded: retracted
// entries are gone, amended ones current.
func (a *API) timeline(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	events, err := a.service.Store().Events(r.Context(), inc.Number)
	if err != nil {
		return err
	}
	views := []entryView{}
	for _, entry := range incidents.Timeline(events) {
		views = append(views, entryOf(inc.Key(), entry))
	}
	return writeJSON(w, http.StatusOK, map[string]any{"entries": views, "redactions": redactionsOf(events)})
}

// note answers POST /api/v1/incidents/INC-1/timeline with the entry: 201, or
// 200 when the same Idempotency-Key wrote it before.
func (a *API) note(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	var c incidents.Note
	var at, until, kind string
	if err := decode(r, noteForm, map[string]any{"text": &c.Text, "at": &at, "kind": &kind, "until": &until, "significant": &c.Significant}); err != nil {
		return err
	}
	if c.At, err = parseTime("at", at); err != nil {
		return err
	}
	if c.Until, err = parseTime("until", until); err != nil {
		return err
	}
	if c.Kind, err = incidents.ParseEntryKind(kind); err != nil {
		return err
	}
	content := []any{c.Text, c.At, c.Kind}
	if !c.Until.IsZero() || c.Significant { // else it is what it was before there was such
		content = append(content, c.Until, c.Significant)
	}
	once, err := onceOf(r, "api-timeline/"+inc.Key(), content...)
	if err != nil {
		return err
	}
	c.Request = request(once)
	result, err := a.service.Do(r.Context(), inc.Number, c)
	if err != nil {
		return err
	}
	events, err := a.service.Store().Events(r.Context(), inc.Number)
	if err != nil {
		return err
	}
	status, seq := http.StatusCreated, result.Incident.Seq
	if result.Repeated {
		status, seq = http.StatusOK, seqOf(events, c)
	}
	entries := incidents.Timeline(events)
	i := slices.IndexFunc(entries, func(e incidents.Entry) bool { return e.Seq == seq })
	if i < 0 {
		return incidents.Errorf(incidents.Gone, "This entry was written and has been retracted since.")
	}
	return writeJSON(w, status, entryOf(inc.Key(), entries[i]))
}

// seqOf finds the newest event that a repeated note had written.
func seqOf(events []incidents.Event, c incidents.Note) int64 {
	for _, e := range slices.Backward(events) {
		if noted, ok := e.Data.(incidents.Noted); ok && e.Actor.Via == incidents.FromAPI && noted.Text == strings.TrimSpace(c.Text) && noted.Kind == c.Kind {
			return e.Seq
		}
	}
	return 0
}
