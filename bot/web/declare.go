package web

import (
	"net/http"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

const (
	declareForm = `{"title":"Checkout answers 500","severity":"sev2","summary":"…","service":"checkout","private":false,"drill":false,"detection":"customer","impact_start":"2026-03-29T14:05:00Z","detected":"2026-03-29T14:20:00Z"}; only the title is required.`
	changeForm  = `{"title":"Checkout answers 500","severity":"sev2","status":"identified"}; each may be left out.`
)

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

// change answers PATCH /api/v1/incidents/INC-1. All values are checked first;
// then title, severity and status are applied in this order, each by itself, so
// that after an error the ones before it are done. A value that is there
// already is left alone, so sending it again is harmless.
func (a *API) change(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	var title, severity, status *string
	if err := decode(r, changeForm, map[string]any{"title": &title, "severity": &severity, "status": &status}); err != nil {
		return err
	}
	commands, err := changes(inc, title, severity, status)
	if err != nil {
		return err
	}
	for _, command := range commands {
		result, err := a.service.Do(r.Context(), inc.Number, command)
		if err != nil {
			return err
		}
		inc = result.Incident
	}
	view, err := a.view(r, inc)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, view)
}

// changes turns the fields of a PATCH into commands.
func changes(inc incidents.Incident, title, severity, status *string) ([]incidents.Command, error) {
	if title == nil && severity == nil && status == nil {
		return nil, incidents.Errorf(incidents.Invalid, "Nothing to change. Write it like %s", changeForm)
	}
	req := request(incidents.Once{})
	var commands []incidents.Command
	if title != nil && strings.TrimSpace(*title) != inc.Title {
		commands = append(commands, incidents.Rename{Request: req, Title: *title})
	}
	if severity != nil {
		to, err := incidents.ParseSeverity(*severity)
		if err != nil {
			return nil, err
		}
		if to != inc.Severity {
			commands = append(commands, incidents.SetSeverity{Request: req, Severity: to})
		}
	}
	if status != nil {
		to, err := incidents.ParseStatus(*status)
		if err != nil {
			return nil, err
		}
		switch {
		case to == inc.Status:
		case to == incidents.Investigating && !inc.Status.Open():
			commands = append(commands, incidents.Reopen{Request: req})
		default:
			commands = append(commands, incidents.SetStatus{Request: req, Status: to})
		}
	}
	return commands, nil
}
