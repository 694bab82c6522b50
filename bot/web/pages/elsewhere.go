package pages

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// Elsewhere answers a browser at an address that is not there, or with a method
// that the address does not take; see [web.Elsewhere].
func (p *Pages) Elsewhere(w http.ResponseWriter, r *http.Request, status int) {
	secure(w.Header())
	v, err := p.visit(w, r)
	if err != nil {
		p.fail(w, r, v, err)
		return
	}
	if status != http.StatusMethodNotAllowed {
		p.fail(w, r, v, errNoPage)
		return
	}
	page := failPage{Frame: p.frame(v, "", v.text.Text("web_not_done")), Status: status, Detail: v.text.Text("web_only_sent")}
	if strings.Contains(w.Header().Get("Allow"), http.MethodGet) {
		page.Detail = v.text.Text("web_only_opened")
	}
	if err := p.render(w, v, status, "fail", page); err != nil {
		p.config.Log.ErrorContext(r.Context(), "page not written", "error", err)
	}
}

// formPages are the pages of the forms, by the addresses that those are sent to.
// After a form was refused its address stands in the browser; who opens it, or
// comes back to it, is led to the page.
func formPages() map[string]string {
	return map[string]string{
		"GET /i/{key}/times":              "/i/%d#times",
		"GET /i/{key}/postmortem/state":   "/i/%d/postmortem/edit",
		"GET /i/{key}/postmortem/people":  "/i/%d/postmortem#staffing",
		"GET /i/{key}/postmortem/meeting": "/i/%d/postmortem#staffing",
		"GET /i/{key}/actions/{id}":       "/actions?incident=INC-%d&state=all",
		"GET /i/{key}/actions/{id}/facts": "/actions?incident=INC-%d&state=all",
		"GET /i/{key}/gaps/{id}":          "/gaps?incident=INC-%d",
	}
}

// toPage leads to the page of a form; to holds the incident's number.
func toPage(to string) handler {
	return func(w http.ResponseWriter, r *http.Request, _ *visit) error {
		number, err := incidents.ParseKey(r.PathValue("key"))
		if err != nil {
			return errNoPage
		}
		http.Redirect(w, r, fmt.Sprintf(to, number), http.StatusFound)
		return nil
	}
}
