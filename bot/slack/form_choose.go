package slack

import (
	"context"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// formChoose asks which incident a form is about, inputIncident is its menu.
const (
	formChoose    = "choose_for_form"
	inputIncident = "incident"
)

// whichIncident asks which incident a form is about, in the form itself.
func (e *Edge) whichIncident(ctx context.Context, actor incidents.Actor, r formRequest) (slackgo.ModalViewRequest, error) {
	if err := e.mayList(actor); err != nil {
		return slackgo.ModalViewRequest{}, err
	}
	open, err := e.openIncidents(ctx, actor, "")
	if err != nil {
		return slackgo.ModalViewRequest{}, err
	}
	texts := e.textFor(r.user.ID).Plain()
	if len(open) == 0 {
		return e.emptyForm(texts, r, texts.Text("list_empty")), nil
	}
	title, _ := incidentForms()[r.form].words(texts)
	r.meta.Form = r.form
	menu := needed(e.input(inputIncident, texts.Text("form_input_incident"), "", e.incidentMenu(r.user.ID, inputIncident, open)))
	return e.modal(texts, modal{
		callback: formChoose, title: title, submit: texts.Text("form_next"), meta: r.meta, blocks: []slackgo.Block{menu},
	}), nil
}

// submitChoice turns the choice of an incident into the form about it.
func (e *Edge) submitChoice(ctx context.Context, in interaction) []byte {
	s := e.submittedOf(ctx, in)
	number, err := incidents.ParseKey(in.View.input(inputIncident).Selected.Value)
	if err == nil {
		r := formRequest{user: in.person(), form: s.meta.Form, meta: s.meta}
		r.meta.Number, r.meta.Form = number, ""
		var filled slackgo.ModalViewRequest
		if filled, err = e.filledForm(ctx, r); err == nil {
			return nextView{Action: "update", View: filled}.encode()
		}
	}
	return e.formAnswer(ctx, s, reply{}, atField(inputIncident, err))
}
