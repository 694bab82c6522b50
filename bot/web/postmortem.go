package web

import (
	"net/http"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// actions answers GET /api/v1/incidents/INC-1/actions.
func (a *API) actions(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]any{"actions": postmortem.ActionsOf(inc)})
}

// postmortem answers GET /api/v1/incidents/INC-1/postmortem, and .json: the frozen
// edition where it is published, else the document as it stands.
func (a *API) postmortem(w http.ResponseWriter, r *http.Request) error {
	doc, err := a.document(r)
	if err != nil {
		return err
	}
	w.Header().Set("ETag", etagOf(doc.Rev))
	return writeJSON(w, http.StatusOK, doc)
}

// rendered answers GET /api/v1/incidents/INC-1/postmortem.md and its like.
func (a *API) rendered(format, mediaType string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		doc, err := a.document(r)
		if err != nil {
			return err
		}
		if a.config.Render == nil {
			return &refusal{http.StatusNotImplemented, "This Houston writes no documents."}
		}
		name, text, err := a.config.Render(format, doc)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", mediaType)
		w.Header().Set("Content-Disposition", `inline; filename="`+name+`"`)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox")
		_, _ = w.Write(text)
		return nil
	}
}

// document loads the postmortem; ?version=public has roles instead of names.
func (a *API) document(r *http.Request) (postmortem.Document, error) {
	inc, err := a.incident(r)
	if err != nil {
		return postmortem.Document{}, err
	}
	doc, err := a.config.Postmortems.Current(r.Context(), inc.Number, request(incidents.Once{}))
	if err == nil && r.URL.Query().Get("version") == "public" {
		doc = postmortem.PublicOf(doc)
	}
	return doc, err
}
