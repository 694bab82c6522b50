package web

import (
	"net/http"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

const declareForm = `{"title":"Checkout answers 500","severity":"sev2","summary":"…","service":"checkout","private":false,"drill":false,"detection":"customer","impact_start":"2026-03-29T14:05:00Z","detected":"2026-03-29T14:20:00Z"}; only the title is required.`

// declare answers POST /api/v1/incidents: 201, or 200 when the same
// Idempotency-Key did it before.
func (a *API) declare(w http.ResponseWriter, r *http.Request) error {
	var c incidents.Declare
	var severity, detection, impactStart, detected string
	err := decode(r, declareForm, map[string]any{
		"title": &c.Title, "summary": &c.Summary, "service": &c.Service, "severity": &severity, "detection": &detection,
		"private": &c.Private, "drill": &c.Drill, "impact_start": &impactStart, "detected": &detected,
	})
	if err != nil {
		return err
	}
	if strings.TrimSpace(c.Title) == "" {
		return incidents.Errorf(incidents.Invalid, "An incident needs a title. Write it like %s", declareForm)
	}
	if severity != "" {
		if c.Severity, err = incidents.ParseSeverity(severity); err != nil {
			return err
		}
	}
	if detection != "" {
		if c.Detection, err = incidents.ParseDetection(detection); err != nil {
			return err
		}
	}
	if c.ImpactStart, err = parseTime("impact_start", impactStart); err != nil {
		return err
	}
	if c.Detected, err = parseTime("detected", detected); err != nil {
		return err
	}
	once, err := onceOf(r, "api", c.Title, c.Summary, c.Service, c.Severity, c.Detection, c.Private, c.Drill, c.ImpactStart, c.Detected)
	if err != nil {
		return err
	}
	c.Request = request(once)
	result, err := a.service.Declare(r.Context(), c)
	if err != nil {
		return err
	}
	view, err := a.view(r, result.Incident)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if result.Repeated {
		status = http.StatusOK
		if !a.service.Sees(c.Request, result.Incident) {
			view = view.unseen()
		}
	}
	w.Header().Set("Location", "/api/v1/incidents/"+result.Incident.Key())
	return writeJSON(w, status, view)
}
