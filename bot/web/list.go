package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// How many incidents or alerts one answer holds.
const (
	defaultLimit = 100
	maxLimit     = 500
)

// list answers GET /api/v1/incidents, newest first. The cursor is the number of
// the last incident of the page before.
func (a *API) list(w http.ResponseWriter, r *http.Request) error {
	query, err := queryOf(r.URL.Query())
	if err != nil {
		return err
	}
	query.Private = a.service.SeesAllPrivate(request(incidents.Once{}).Actor)
	limit := query.Limit
	query.Limit++ // one more tells whether there is a next page
	found, err := a.service.Store().Incidents(r.Context(), query)
	if err != nil {
		return err
	}
	page := struct {
		Incidents []incidentView `json:"incidents"`
		Next      *string        `json:"next"`
	}{Incidents: make([]incidentView, 0, min(limit, len(found)))}
	shown := found[:min(limit, len(found))]
	numbers := make([]int64, 0, len(shown))
	for _, inc := range shown {
		numbers = append(numbers, inc.Number)
	}
	undone, err := a.service.Store().UndoneEffects(r.Context(), numbers)
	if err != nil {
		return err
	}
	for _, inc := range shown {
		page.Incidents = append(page.Incidents, a.viewWith(inc, undone[inc.Number]))
	}
	if len(found) > limit {
		cursor := strconv.FormatInt(found[limit-1].Number, 10)
		page.Next = &cursor
	}
	return writeJSON(w, http.StatusOK, page)
}

// show answers GET /api/v1/incidents/INC-1.
func (a *API) show(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	view, err := a.view(r, inc)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, view)
}

func (a *API) view(r *http.Request, inc incidents.Incident) (incidentView, error) {
	undone, err := a.service.Store().UndoneEffects(r.Context(), []int64{inc.Number})
	if err != nil {
		return incidentView{}, err
	}
	return a.viewWith(inc, undone[inc.Number]), nil
}

// viewWith shows an incident with its effects that are not done.
func (a *API) viewWith(inc incidents.Incident, effects []incidents.Effect) incidentView {
	view := viewOf(inc, effects)
	view.StatusPage = statusPageOf(inc, a.config.StatusPage)
	return view
}

// alerts answers GET /api/v1/incidents/INC-1/alerts, firing ones first.
func (a *API) alerts(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	params := r.URL.Query()
	if err := onlyParams(params, "limit"); err != nil {
		return err
	}
	limit, err := limitOf(params)
	if err != nil {
		return err
	}
	alerts, err := a.service.Store().Alerts(r.Context(), inc.Number, limit)
	if err != nil {
		return err
	}
	views := make([]alertView, 0, len(alerts))
	for _, alert := range alerts {
		views = append(views, alertOf(alert))
	}
	return writeJSON(w, http.StatusOK, map[string]any{"alerts": views, "firing": inc.AlertsFiring()})
}

func queryOf(params url.Values) (incidents.Query, error) {
	query := incidents.Query{Text: strings.TrimSpace(params.Get("q"))}
	if err := onlyParams(params, "status", "severity", "q", "limit", "cursor"); err != nil {
		return query, err
	}
	for _, text := range split(params["status"]) {
		status, err := incidents.ParseStatus(text)
		if err != nil {
			return query, incidents.Errorf(incidents.Invalid, "%q is no status. Write it like ?status=triage,investigating; there are %s.", text, joined(incidents.Statuses()))
		}
		query.Statuses = append(query.Statuses, status)
	}
	for _, text := range split(params["severity"]) {
		severity, err := incidents.ParseSeverity(text)
		if err != nil {
			return query, incidents.Errorf(incidents.Invalid, "%q is no severity. Write it like ?severity=sev1,sev2; there are %s.", text, joined(incidents.Severities()))
		}
		query.Severities = append(query.Severities, severity)
	}
	if n := len([]rune(query.Text)); n > incidents.MaxTitle {
		return query, incidents.Errorf(incidents.Invalid, "q has %d characters; at most %d fit.", n, incidents.MaxTitle)
	}
	if cursor := params.Get("cursor"); cursor != "" {
		before, err := strconv.ParseInt(cursor, 10, 64)
		if err != nil || before < 1 {
			return query, incidents.Errorf(incidents.Invalid, "%q is no cursor. Send the value of next of the page before, unchanged.", cursor)
		}
		query.Before = before
	}
	limit, err := limitOf(params)
	query.Limit = limit
	return query, err
}

func limitOf(params url.Values) (int, error) {
	text := params.Get("limit")
	if text == "" {
		return defaultLimit, nil
	}
	limit, err := strconv.Atoi(text)
	if err != nil || limit < 1 || limit > maxLimit {
		return 0, incidents.Errorf(incidents.Invalid, "%q is no limit. Write it like ?limit=%d; it goes from 1 to %d.", text, defaultLimit, maxLimit)
	}
	return limit, nil
}

// onlyParams refuses parameters that are not known: a filter with a typing
// error would otherwise find everything.
func onlyParams(params url.Values, allowed ...string) error {
	for name := range params {
		if !slices.Contains(allowed, name) {
			return incidents.Errorf(incidents.Invalid, "There is no parameter %q here. Use %s.", name, strings.Join(allowed, ", "))
		}
	}
	return nil
}

// split takes a list that is repeated, separated by commas, or both.
func split(values []string) []string {
	var parts []string
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

func joined[T ~string](values []T) string {
	texts := make([]string, 0, len(values))
	for _, v := range values {
		texts = append(texts, string(v))
	}
	return strings.Join(texts, ", ")
}
