package web

import (
	"maps"
	"net/http"

	"github.com/houston-sre/houston/incidents"
)

const changeForm = `{"title":"Checkout answers 500","severity":"sev2","status":"identified","summary":"…","service":"checkout","impact":"No offers are shown","detection":"customer","impact_start":"2026-03-29T14:05:00Z"}; each may be left out.`

// patch is what a PATCH asks for; nil is what it says nothing of.
type patch struct {
	title, severity, status, summary, service, impact, detection *string

	times map[incidents.KeyTime]*string
}

// change answers PATCH /api/v1/incidents/INC-1. All values are checked first;
// then the facts are applied in one go, and the status after them, so that after
// an error about the status the facts are changed. A value that is there already
// is left alone, so sending it again is harmless. A key time that is an empty
// text is not known any more.
func (a *API) change(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	var p patch
	fields := map[string]any{
		"title": &p.title, "severity": &p.severity, "status": &p.status, "summary": &p.summary, "service": &p.service,
		"impact": &p.impact, "detection": &p.detection,
	}
	times := map[incidents.KeyTime]**string{}
	for _, key := range incidents.EditableTimes() {
		times[key] = new(*string)
		fields[string(key)] = times[key]
	}
	if err := decode(r, changeForm, fields); err != nil {
		return err
	}
	p.times = map[incidents.KeyTime]*string{}
	for key, text := range times {
		if *text != nil {
			p.times[key] = *text
		}
	}
	commands, err := p.commands(inc)
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

// commands turns a PATCH of an incident into what is done to it.
func (p patch) commands(inc incidents.Incident) ([]incidents.Command, error) {
	facts, err := p.facts()
	if err != nil {
		return nil, err
	}
	given := p.title != nil || p.severity != nil || p.summary != nil || p.service != nil || p.impact != nil || p.detection != nil || len(p.times) > 0
	if !given && p.status == nil {
		return nil, incidents.Errorf(incidents.Invalid, "Nothing to change. Write it like %s", changeForm)
	}
	var commands []incidents.Command
	if given {
		commands = append(commands, facts)
	}
	if p.status == nil {
		return commands, nil
	}
	to, err := incidents.ParseStatus(*p.status)
	switch {
	case err != nil:
		return nil, err
	case to == inc.Status:
		return commands, nil
	case to == incidents.Investigating && !inc.Status.Open():
		return append(commands, incidents.Reopen{Request: facts.Request}), nil
	default:
		return append(commands, incidents.SetStatus{Request: facts.Request, Status: to}), nil
	}
}

func (p patch) facts() (incidents.EditFacts, error) {
	facts := incidents.EditFacts{
		Request: request(incidents.Once{}), Title: p.title, Summary: p.summary, Service: p.service, Impact: p.impact,
		Times: map[incidents.KeyTime]incidents.Instant{},
	}
	if p.severity != nil {
		to, err := incidents.ParseSeverity(*p.severity)
		if err != nil {
			return facts, err
		}
		facts.Severity = &to
	}
	if p.detection != nil {
		to, err := incidents.ParseDetection(*p.detection)
		if err != nil {
			return facts, err
		}
		facts.Detection = &to
	}
	for key, text := range maps.All(p.times) {
		at, err := parseTime(string(key), *text)
		if err != nil {
			return facts, err
		}
		facts.Times[key] = incidents.Instant{At: at}
	}
	return facts, nil
}
