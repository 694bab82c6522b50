package pages

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// actionForm is what of an action item can be changed on its card, with what
// somebody typed when it could not be stored.
type actionForm struct {
	Unfold     bool
	Errors     []string
	Owner      personField
	Due        string
	DoneWhen   string
	Priorities []choice
	Types      []choice
	Moves      []choice // the states it can get
	Note       string
	Was        map[string]string // digests of what stood in the fields
}

// actionFields are the fields of the form, as they stand.
func actionFields(item incidents.ActionItem) map[string]string {
	return map[string]string{
		"owner": cmp.Or(item.Owner.Name, item.Owner.ID), "due": item.Due, "done_when": item.DoneWhen,
		"priority": string(item.Priority), "type": string(item.Type),
	}
}

func (v *visit) actionForm(item incidents.ActionItem) actionForm {
	stands := actionFields(item)
	form := actionForm{Owner: personField{Text: stands["owner"]}, Due: item.Due, DoneWhen: item.DoneWhen, Was: map[string]string{}}
	for name, text := range stands {
		form.Was[name] = digest(text)
	}
	for _, p := range incidents.Priorities() {
		form.Priorities = append(form.Priorities, choice{tag{string(p), v.text.Name(p)}, p == item.Priority})
	}
	for _, t := range incidents.ActionTypes() {
		form.Types = append(form.Types, choice{tag{string(t), v.actionType(t)}, t == item.Type})
	}
	for _, s := range incidents.ActionStates() {
		if s != item.Stands() {
			form.Moves = append(form.Moves, choice{v.actionState(s), false})
		}
	}
	return form
}

// typed puts what somebody typed over what stands.
func (f *actionForm) typed(form url.Values) {
	f.Unfold = true
	text := func(name string, into *string) {
		if form.Has(name) {
			*into = strings.TrimSpace(form.Get(name))
		}
	}
	text("owner", &f.Owner.Text)
	text("due", &f.Due)
	text("done_when", &f.DoneWhen)
	text("note", &f.Note)
	for name, choices := range map[string][]choice{"priority": f.Priorities, "type": f.Types, "state": f.Moves} {
		for i := range choices {
			if form.Has(name) {
				choices[i].Chosen = choices[i].Value == form.Get(name)
			}
		}
	}
}

// actionOf loads the incident and the action item that a path names.
func (p *Pages) actionOf(r *http.Request, v *visit) (incidents.Incident, incidents.ActionItem, incidents.Request, error) {
	inc, req, err := p.find(r, v)
	if err != nil {
		return inc, incidents.ActionItem{}, req, err
	}
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return inc, incidents.ActionItem{}, req, errNoPage
	}
	item, ok := inc.Action(id)
	if !ok {
		return inc, item, req, errNoPage
	}
	return inc, item, req, nil
}

// moveAction answers POST /i/42/actions/1.
func (p *Pages) moveAction(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, item, req, err := p.actionOf(r, v)
	if err != nil {
		return err
	}
	state, err := incidents.ParseActionState(r.PostFormValue("state"))
	if err != nil {
		return err
	}
	_, err = p.service.Do(r.Context(), inc.Number, incidents.MoveAction{
		Request: req, ID: item.ID, To: state, Note: r.PostFormValue("note"), DoneWhen: r.PostFormValue("done_when"),
	})
	return p.actionChanged(w, r, v, err)
}

// changeAction answers POST /i/42/actions/1/facts: who does it, until when, and
// how it is seen to be done. Only what was changed is stored.
func (p *Pages) changeAction(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, item, req, err := p.actionOf(r, v)
	if err != nil {
		return err
	}
	command := incidents.ChangeAction{Request: req, ID: item.ID}
	for name, stands := range actionFields(item) {
		text, was := strings.TrimSpace(r.PostFormValue(name)), r.PostFormValue("was."+name)
		if !r.PostForm.Has(name) || digest(text) == was {
			continue
		}
		if digest(stands) != was && stands != text {
			return p.actionChanged(w, r, v, errMeanwhile)
		}
		switch name {
		case "owner":
			person := incidents.Person{}
			if text != "" {
				if person, err = p.config.People.Find(r.Context(), text); err != nil {
					return p.actionChanged(w, r, v, err)
				}
			}
			command.Owner = &person
		case "due":
			command.Due = &text
		case "done_when":
			command.DoneWhen = &text
		case "priority":
			command.Priority = new(incidents.Priority(text))
		default:
			kind, err := incidents.ParseActionType(text)
			if err != nil {
				return p.actionChanged(w, r, v, err)
			}
			command.Type = &kind
		}
	}
	if priority := command.Priority; priority != nil && *priority != "" {
		if *priority, err = incidents.ParsePriority(string(*priority)); err != nil {
			return p.actionChanged(w, r, v, err)
		}
	}
	_, err = p.service.Do(r.Context(), inc.Number, command)
	return p.actionChanged(w, r, v, err)
}

// actionChanged leads back to the list, or shows it with what could not be done
// and what was typed.
func (p *Pages) actionChanged(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	back := within(cmp.Or(r.PostFormValue("back"), "/actions"))
	if err == nil {
		http.Redirect(w, r, back, http.StatusSeeOther)
		return nil
	}
	e, ok := errors.AsType[*incidents.Error](err)
	at, parseErr := url.Parse(back)
	if !ok || parseErr != nil || !slices.Contains([]incidents.ErrorKind{incidents.Invalid, incidents.Conflict, incidents.Forbidden, incidents.NotFound}, e.Kind) {
		return err
	}
	list := r.Clone(r.Context())
	list.URL = at
	page, listErr := p.actionsPage(list, v)
	if listErr != nil {
		return err
	}
	for _, group := range page.Groups {
		for i := range group.Rows {
			if row := &group.Rows[i]; strconv.FormatInt(row.Number, 10) == r.PathValue("key") && strconv.FormatInt(row.ID, 10) == r.PathValue("id") {
				row.Form.Errors = []string{v.text.Say(e)}
				row.Form.typed(r.PostForm)
				status, _ := p.statusOf(w, r, v, err)
				return p.render(w, v, max(status, http.StatusBadRequest), "actions", page)
			}
		}
	}
	return err
}
