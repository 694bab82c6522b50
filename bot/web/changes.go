package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/houston-sre/houston/incidents"
)

const newsForm = `{"title":"Upgrade the API server to 1.34","kind":"upgrade","service":"apiserver","labels":{"cluster":"prod-1"},"state":"running","started_at":"2026-03-29T14:05:00Z","ended_at":"2026-03-29T14:25:00Z","url":"https://…","actor":"platform team","id":"upgrade-1"}; only the title is required.`

// changeView is a change as the API shows it.
type changeView struct {
	Key       int64                 `json:"key"`
	ID        string                `json:"id"`
	Source    string                `json:"source"`
	Kind      incidents.ChangeKind  `json:"kind"`
	Title     string                `json:"title"`
	Service   string                `json:"service"`
	Labels    map[string]string     `json:"labels"`
	State     incidents.ChangeState `json:"state"`
	StartedAt time.Time             `json:"started_at"`
	EndedAt   *time.Time            `json:"ended_at"` // null while it is not over
	URL       string                `json:"url"`
	Actor     string                `json:"actor"`
}

func changeOf(c incidents.ChangeEvent) changeView {
	return changeView{
		Key: c.ID, ID: c.External, Source: c.Source, Kind: c.Kind, Title: c.Title, Service: c.Service, Labels: orEmpty(c.Labels),
		State: c.State, StartedAt: c.StartedAt, EndedAt: known(c.EndedAt), URL: c.URL, Actor: c.Actor,
	}
}

// takeChange answers POST /api/v1/changes: 201 for a new change, 200 for news of
// one with the same id, or when the same Idempotency-Key brought it before.
func (a *API) takeChange(w http.ResponseWriter, r *http.Request) error {
	c := incidents.ChangeEvent{Source: "api"}
	var kind, state, startedAt, endedAt string
	err := decode(r, newsForm, map[string]any{
		"title": &c.Title, "kind": &kind, "service": &c.Service, "labels": &c.Labels, "state": &state, "started_at": &startedAt,
		"ended_at": &endedAt, "url": &c.URL, "actor": &c.Actor, "id": &c.External,
	})
	if err != nil {
		return err
	}
	if c.Kind, err = incidents.ParseChangeKind(kind); err != nil {
		return err
	}
	if c.State, err = incidents.ParseChangeState(state); err != nil {
		return err
	}
	if c.StartedAt, err = parseTime("started_at", startedAt); err != nil {
		return err
	}
	if c.EndedAt, err = parseTime("ended_at", endedAt); err != nil {
		return err
	}
	once, err := onceOf(r, "api-changes", c.Title, c.Kind, c.Service, c.Labels, c.State, c.StartedAt, c.EndedAt, c.URL, c.Actor, c.External)
	if err != nil {
		return err
	}
	stored, created, err := a.service.TakeChange(r.Context(), once, c)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return writeJSON(w, status, changeOf(stored))
}

// changes answers GET /api/v1/changes, the latest start first.
func (a *API) changes(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	query := incidents.ChangeQuery{Service: values.Get("service"), Text: values.Get("q"), Limit: defaultLimit}
	var err error
	if query.Since, err = parseTime("since", values.Get("since")); err != nil {
		return err
	}
	if query.Until, err = parseTime("until", values.Get("until")); err != nil {
		return err
	}
	if text := values.Get("limit"); text != "" {
		if query.Limit, err = strconv.Atoi(text); err != nil || query.Limit < 1 || query.Limit > maxLimit {
			return incidents.Errorf(incidents.Invalid, "limit must be a number from 1 to %d.", maxLimit)
		}
	}
	if text := values.Get("cursor"); text != "" {
		if query.Before, err = strconv.ParseInt(text, 10, 64); err != nil || query.Before < 1 {
			return incidents.Errorf(incidents.Invalid, "cursor must be the value of next of the page before.")
		}
	}
	limit := query.Limit
	query.Limit++ // one more tells whether there is a next page
	found, err := a.service.Store().Changes(r.Context(), query)
	if err != nil {
		return err
	}
	page := struct {
		Changes []changeView `json:"changes"`
		Next    *string      `json:"next"`
	}{Changes: []changeView{}}
	for _, c := range found[:min(limit, len(found))] {
		page.Changes = append(page.Changes, changeOf(c))
	}
	if len(found) > limit {
		cursor := strconv.FormatInt(found[limit-1].ID, 10)
		page.Next = &cursor
	}
	return writeJSON(w, http.StatusOK, page)
}

// suspectView is a change beside an incident.
type suspectView struct {
	changeView

	Reason      string   `json:"reason"`
	Shared      []string `json:"shared"`
	Maintenance string   `json:"maintenance"` // title of the window it fell into
	InTimeline  bool     `json:"in_timeline"`
}

// suspects answers GET /api/v1/incidents/INC-1/changes, the likeliest first.
func (a *API) suspects(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	list, err := a.service.Suspects(r.Context(), inc, 20)
	if err != nil {
		return err
	}
	views := []suspectView{}
	for _, s := range list {
		_, linked := inc.Changes[s.Change.ID]
		views = append(views, suspectView{
			changeView: changeOf(s.Change), Reason: s.Told().String(), Shared: append([]string{}, s.Shared...), Maintenance: s.Maintenance, InTimeline: linked,
		})
	}
	return writeJSON(w, http.StatusOK, map[string]any{"changes": views})
}
