package pages

import (
	"cmp"
	"net/http"
	"net/url"
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
	WasState   string            // and of the state
	Theirs     map[string]string // what stands in fields where somebody else wrote meanwhile
	Wrong      map[string]string // why what was typed can not be stored, by field
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
	form := actionForm{
		Owner: personField{Text: stands["owner"]}, Due: item.Due, DoneWhen: item.DoneWhen, Was: map[string]string{},
		WasState: digest(string(item.Stands())), Theirs: map[string]string{}, Wrong: map[string]string{},
	}
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
		typed := strings.TrimSpace(form.Get(name))
		was, known := form.Get("was."+name), form.Has("was."+name)
		switch {
		case !form.Has(name), known && digest(typed) == was:
			return // nobody touched it: what stands now is shown
		case known && f.Was[name] != was && typed != *into:
			f.Theirs[name] = *into
		}
		*into = typed
	}
	text("owner", &f.Owner.Text)
	text("due", &f.Due)
	text("done_when", &f.DoneWhen)
	text("note", &f.Note)
	for name, choices := range map[string][]choice{"priority": f.Priorities, "type": f.Types, "state": f.Moves} {
		was, known := form.Get("was."+name), f.Was[name] != ""
		if !form.Has(name) || known && digest(form.Get(name)) == was {
			continue
		}
		for i, c := range choices {
			if c.Chosen && known && f.Was[name] != was && c.Value != form.Get(name) {
				f.Theirs[name] = c.Word
			}
			choices[i].Chosen = c.Value == form.Get(name)
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
		return p.actionChanged(w, r, v, incidents.About("state", err))
	}
	command := incidents.MoveAction{Request: req, ID: item.ID, To: state, Note: r.PostFormValue("note"), DoneWhen: r.PostFormValue("done_when")}
	if was := r.PostFormValue("was.state"); was != "" {
		command.Gate = func(now incidents.ActionItem) error {
			if digest(string(now.Stands())) != was {
				return incidents.About("state", errMeanwhile)
			}
			return nil
		}
	}
	_, err = p.service.Do(r.Context(), inc.Number, command)
	return p.actionChanged(w, r, v, err)
}

// changeAction answers POST /i/42/actions/1/facts: who does it, until when, and
// how it is seen to be done. Only what was changed is stored.
func (p *Pages) changeAction(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, item, req, err := p.actionOf(r, v)
	if err != nil {
		return err
	}
	if err := r.ParseForm(); err != nil {
		return err
	}
	typed := map[string]string{} // what somebody changed
	for name := range actionFields(item) {
		text := strings.TrimSpace(r.PostForm.Get(name))
		if r.PostForm.Has(name) && digest(text) != r.PostForm.Get("was."+name) {
			typed[name] = text
		}
	}
	command, err := p.actionChange(r, typed)
	if err != nil {
		return p.actionChanged(w, r, v, err)
	}
	command.Request, command.ID = req, item.ID
	command.Gate = func(now incidents.ActionItem) error {
		for name, stands := range actionFields(now) {
			text, changed := typed[name]
			if changed && digest(stands) != r.PostForm.Get("was."+name) && stands != text {
				return incidents.About(name, errMeanwhile)
			}
		}
		return nil
	}
	_, err = p.service.Do(r.Context(), inc.Number, command)
	return p.actionChanged(w, r, v, err)
}

// actionChange reads what was typed, by the names of the inputs.
func (p *Pages) actionChange(r *http.Request, typed map[string]string) (command incidents.ChangeAction, err error) {
	for name, text := range typed {
		switch name {
		case "owner":
			person := incidents.Person{}
			if text != "" {
				person, err = p.config.People.Find(r.Context(), text)
			}
			command.Owner = &person
		case "due":
			command.Due = &text
		case "done_when":
			command.DoneWhen = &text
		case "priority":
			var priority incidents.Priority
			if text != "" {
				priority, err = incidents.ParsePriority(text)
			}
			command.Priority = &priority
		default:
			var kind incidents.ActionType
			kind, err = incidents.ParseActionType(text)
			command.Type = &kind
		}
		if err != nil {
			return command, incidents.About(name, err)
		}
	}
	return command, nil
}

// actionChanged leads back to the list, or shows it with what could not be done
// and what was typed.
func (p *Pages) actionChanged(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	back := within(cmp.Or(r.PostFormValue("back"), "/actions"))
	if err == nil {
		http.Redirect(w, r, back, http.StatusSeeOther)
		return nil
	}
	e, list, ok := refusedIn(r, err, back)
	if !ok {
		return err
	}
	page, listErr := p.actionsPage(list, v)
	if listErr != nil {
		return err
	}
	for _, group := range page.Groups {
		for i := range group.Rows {
			if row := &group.Rows[i]; isNamed(r, row.Number, row.ID) {
				row.Form.typed(r.PostForm)
				row.Form.refused(e.Field, v.text.Say(e))
				return p.render(w, v, refusedAs(e), "actions", page)
			}
		}
	}
	return err // the item is not on that list any more
}

// refused says why something was not stored, beside the input that it is about.
func (f *actionForm) refused(field, why string) {
	switch _, known := f.Was[field]; {
	case known, field == "note", field == "state":
		f.Wrong[field] = why
	default:
		f.Errors = []string{why}
	}
}
