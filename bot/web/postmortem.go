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

// postmortem answers GET /api/v1/incidents/INC-1/postmortem, and .json: the
// draft, made of what is known now.
func (a *API) postmortem(w http.ResponseWriter, r *http.Request) error {
	doc, err := a.document(r)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, doc)
}

// markdown answers GET /api/v1/incidents/INC-1/postmortem.md.
func (a *API) markdown(w http.ResponseWriter, r *http.Request) error {
	doc, err := a.document(r)
	if err != nil {
		return err
	}
	if a.config.Render == nil {
		return &refusal{http.StatusNotImplemented, "Markdown is not written by this Houston."}
	}
	name, text, err := a.config.Render("md", doc)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Content-Disposition", `inline; filename="`+name+`"`)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(text)
	return nil
}

func (a *API) document(r *http.Request) (postmortem.Document, error) {
	inc, err := a.incident(r)
	if err != nil {
		return postmortem.Document{}, err
	}
	return a.config.Postmortems.Current(r.Context(), inc.Number, request(incidents.Once{}))
}
