package web

import (
	"maps"
	"net/http"
	"slices"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// listedAction is an action item with the incident it is of.
type listedAction struct {
	Incident string `json:"incident"`
	Title    string `json:"title"`
	postmortem.ActionItem
}

// allActions answers GET /api/v1/actions, the one due first first.
func (a *API) allActions(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	if err := onlyParams(values, "owner", "state", "unfinished", "overdue", "limit"); err != nil {
		return err
	}
	limit, err := limitOf(values)
	if err != nil {
		return err
	}
	q := incidents.ActionQuery{
		Owner: values.Get("owner"), Unfinished: values.Get("unfinished") == "true", Limit: limit,
		Private: a.service.SeesAllPrivate(request(incidents.Once{}).Actor),
	}
	if q.States, err = parseAll(values["state"], incidents.ParseActionState); err != nil {
		return err
	}
	if values.Get("overdue") == "true" {
		q.Unfinished, q.DueBefore = true, a.config.Clock.Now().UTC().Format("2006-01-02")
	}
	found, err := a.config.Postmortems.Store().ActionItems(r.Context(), q)
	if err != nil {
		return err
	}
	views := make([]listedAction, 0, len(found))
	for _, f := range found {
		views = append(views, listedAction{f.Incident.Key(), f.Incident.Title, postmortem.ActionOf(f.Item)})
	}
	return writeJSON(w, http.StatusOK, map[string]any{"actions": views})
}

func parseAll[T any](texts []string, parse func(string) (T, error)) ([]T, error) {
	var all []T
	for _, text := range texts {
		value, err := parse(text)
		if err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	return all, nil
}

// actionFields are the fields of an action item, as PATCH and POST take them.
type actionFields struct {
	text, due, kind, priority, doneWhen, link, state, note *string

	owner   *incidents.Person
	answers *[]string
}

const actionForm = `{"text":"Give slow requests a pool of their own","owner":{"id":"U1","name":"Ada"},"due":"2030-01-31","type":"prevent","priority":"p1","done_when":"…","answers":["factor:1"],"link":"https://…"}`

func (f *actionFields) decode(r *http.Request, form string) error {
	return decode(r, form, map[string]any{
		"text": &f.text, "due": &f.due, "type": &f.kind, "priority": &f.priority, "done_when": &f.doneWhen, "link": &f.link,
		"state": &f.state, "note": &f.note, "owner": &f.owner, "answers": &f.answers,
	})
}

// change is what is asked of an item's fields.
func (f *actionFields) change(id int64) (incidents.ChangeAction, error) {
	c := incidents.ChangeAction{
		Request: request(incidents.Once{}), ID: id, Text: f.text, Due: f.due, DoneWhen: f.doneWhen, Link: f.link, Owner: f.owner, Answers: f.answers,
	}
	if f.kind != nil {
		kind, err := incidents.ParseActionType(*f.kind)
		if err != nil {
			return c, err
		}
		c.Type = &kind
	}
	if f.priority != nil {
		priority, err := incidents.ParsePriority(*f.priority)
		if err != nil {
			return c, err
		}
		c.Priority = &priority
	}
	return c, nil
}

// addAction answers POST …/actions.
func (a *API) addAction(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	var f actionFields
	if err := f.decode(r, actionForm); err != nil {
		return err
	}
	change, err := f.change(0)
	if err != nil {
		return err
	}
	add := incidents.AddAction{Text: value(f.text), Due: value(f.due)}
	if add.Once, err = onceOf(r, "api-action/"+inc.Key(), f.text, f.due, f.kind, f.priority, f.doneWhen, f.owner); err != nil {
		return err
	}
	add.Request = request(add.Once)
	if f.owner != nil {
		add.Owner = *f.owner
	}
	if change.Type != nil {
		add.Type = *change.Type
	}
	if change.Priority != nil {
		add.Priority = *change.Priority
	}
	add.DoneWhen, add.Link = value(f.doneWhen), value(f.link)
	if f.answers != nil {
		add.Answers = *f.answers
	}
	result, err := a.service.Do(r.Context(), inc.Number, add)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if result.Repeated {
		status = http.StatusOK
	}
	return writeJSON(w, status, map[string]any{"actions": postmortem.ActionsOf(result.Incident)})
}

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// changeAction answers PATCH …/actions/2: fields first, then the state with its
// note: how done-when was met, what was seen, or why it is not done.
func (a *API) changeAction(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	id, err := numberOf(r, "id")
	if err != nil {
		return err
	}
	var f actionFields
	if err := f.decode(r, `{"state":"done","note":"The test fires it."}`); err != nil {
		return err
	}
	change, err := f.change(id)
	if err != nil {
		return err
	}
	result, err := a.service.Do(r.Context(), inc.Number, change)
	if err != nil {
		return err
	}
	if f.state != nil {
		to, err := incidents.ParseActionState(*f.state)
		if err != nil {
			return err
		}
		if result, err = a.service.Do(r.Context(), inc.Number, incidents.MoveAction{Request: request(incidents.Once{}), ID: id, To: to, Note: value(f.note)}); err != nil {
			return err
		}
	}
	item, _ := result.Incident.Action(id)
	return writeJSON(w, http.StatusOK, postmortem.ActionOf(item))
}

// gapView is a monitoring gap.
type gapView struct {
	Incident string               `json:"incident"`
	ID       int64                `json:"id"`
	Kind     incidents.GapKind    `json:"kind"`
	Signal   string               `json:"signal"`
	Expr     string               `json:"expr"`
	For      string               `json:"for"`
	Labels   map[string]string    `json:"labels"`
	State    incidents.GapState   `json:"state"`
	Reason   string               `json:"reason"`
	Proposed bool                 `json:"proposed"`
	Action   *int64               `json:"action"`
	Checks   []incidents.GapCheck `json:"checks"`
}

func gapOf(inc incidents.Incident, g incidents.Gap) gapView {
	view := gapView{
		Incident: inc.Key(), ID: g.ID, Kind: g.Kind, Signal: g.Signal, Expr: g.Expr, For: g.For, Labels: map[string]string{},
		State: g.State, Reason: g.Reason, Proposed: g.Proposed, Checks: append([]incidents.GapCheck{}, g.Checks...),
	}
	maps.Copy(view.Labels, g.Labels)
	if item, ok := inc.ClosedBy(g); ok {
		view.Action = &item.ID
	}
	return view
}

// gaps answers GET …/gaps.
func (a *API) gaps(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	views := make([]gapView, 0, len(inc.Gaps))
	for _, g := range inc.Gaps {
		views = append(views, gapOf(inc, g))
	}
	return writeJSON(w, http.StatusOK, map[string]any{"gaps": views})
}

// allGaps answers GET /api/v1/gaps.
func (a *API) allGaps(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	if err := onlyParams(values, "state", "kind", "limit"); err != nil {
		return err
	}
	limit, err := limitOf(values)
	if err != nil {
		return err
	}
	q := incidents.GapQuery{Limit: limit, Private: a.service.SeesAllPrivate(request(incidents.Once{}).Actor)}
	for _, state := range values["state"] {
		if s := incidents.GapState(state); slices.Contains(incidents.GapStates(), s) {
			q.States = append(q.States, s)
			continue
		}
		return incidents.Errorf(incidents.Invalid, "%q is no state of a monitoring gap. Use one of open, closed, accepted.", state)
	}
	if q.Kinds, err = parseAll(values["kind"], incidents.ParseGapKind); err != nil {
		return err
	}
	found, err := a.config.Postmortems.Store().Gaps(r.Context(), q)
	if err != nil {
		return err
	}
	views := make([]gapView, 0, len(found))
	for _, f := range found {
		views = append(views, gapOf(f.Incident, f.Gap))
	}
	return writeJSON(w, http.StatusOK, map[string]any{"gaps": views})
}

const gapForm = `{"kind":"no_alert","signal":"p99 of offers above 60 s","expr":"histogram_quantile(0.99, …) > 60","for":"5m","labels":{"severity":"critical"}}`

// addGap answers POST …/gaps.
func (a *API) addGap(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	var c incidents.AddGap
	var kind string
	if err := decode(r, gapForm, map[string]any{"kind": &kind, "signal": &c.Signal, "expr": &c.Expr, "for": &c.For, "labels": &c.Labels}); err != nil {
		return err
	}
	if c.Kind, err = incidents.ParseGapKind(kind); err != nil {
		return err
	}
	once, err := onceOf(r, "api-gap/"+inc.Key(), c.Kind, c.Signal, c.Expr, c.For, c.Labels)
	if err != nil {
		return err
	}
	c.Request = request(once)
	result, err := a.service.Do(r.Context(), inc.Number, c)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if result.Repeated {
		status = http.StatusOK
	}
	return writeJSON(w, status, gapOf(result.Incident, result.Incident.Gaps[len(result.Incident.Gaps)-1]))
}

// changeGap answers PATCH …/gaps/1.
func (a *API) changeGap(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	c := incidents.ChangeGap{Request: request(incidents.Once{})}
	if c.ID, err = numberOf(r, "id"); err != nil {
		return err
	}
	var kind *string
	if err := decode(r, gapForm, map[string]any{
		"kind": &kind, "signal": &c.Signal, "expr": &c.Expr, "for": &c.For, "labels": &c.Labels, "state": &c.State, "reason": &c.Reason,
	}); err != nil {
		return err
	}
	if kind != nil {
		k, err := incidents.ParseGapKind(*kind)
		if err != nil {
			return err
		}
		c.Kind = &k
	}
	result, err := a.service.Do(r.Context(), inc.Number, c)
	if err != nil {
		return err
	}
	gap, _ := result.Incident.Gap(c.ID)
	return writeJSON(w, http.StatusOK, gapOf(result.Incident, gap))
}

// postmortems answers GET /api/v1/postmortems: who owes one, and where each
// stands.
func (a *API) postmortems(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	if err := onlyParams(values, "open", "owner", "state", "limit"); err != nil {
		return err
	}
	limit, err := limitOf(values)
	if err != nil {
		return err
	}
	q := incidents.PostmortemQuery{
		Open: values.Get("open") == "true", Owner: values.Get("owner"), Limit: limit,
		Private: a.service.SeesAllPrivate(request(incidents.Once{}).Actor),
	}
	for _, state := range values["state"] {
		q.States = append(q.States, incidents.PostmortemState(state))
	}
	found, err := a.config.Postmortems.Store().Postmortems(r.Context(), q)
	if err != nil {
		return err
	}
	type postmortemView struct {
		Incident string                    `json:"incident"`
		Title    string                    `json:"title"`
		Severity incidents.Severity        `json:"severity"`
		State    incidents.PostmortemState `json:"state"`
		Rev      int64                     `json:"rev"`
		Edition  int64                     `json:"edition"`
		Hash     string                    `json:"hash"`
		Owner    *incidents.Person         `json:"owner"`
	}
	views := make([]postmortemView, 0, len(found))
	for _, inc := range found {
		p := inc.Postmortem
		view := postmortemView{
			Incident: inc.Key(), Title: inc.Title, Severity: inc.Severity, State: p.Stands(), Rev: p.Rev, Edition: p.Edition, Hash: p.Hash,
		}
		if owner, ok := inc.PostmortemOwner(); ok {
			view.Owner = &owner
		}
		views = append(views, view)
	}
	return writeJSON(w, http.StatusOK, map[string]any{"postmortems": views})
}
