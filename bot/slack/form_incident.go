package slack

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// fillTimeout bounds the filling of a form that stands open already.
const fillTimeout = 10 * time.Second

// incidentForm is a form about one incident. It is opened empty, within the three
// seconds that Slack gives whatever the database does, and filled afterwards.
type incidentForm struct {
	// words gives title and submit button, of at most 24 characters each; without
	// a submit button the form has no inputs.
	words func(t *templates.Catalogue) (title, submit string)
	build func(e *Edge, ctx context.Context, f formFor) ([]slackgo.Block, error)
	// take does what was submitted and gives the answer. An error stays in the
	// form, beside the input that [atField] names.
	take func(e *Edge, ctx context.Context, s submitted) (reply, error)
}

// incidentForms is the table of them, by callback id.
func incidentForms() map[string]incidentForm {
	return map[string]incidentForm{
		formUpdate:   {words: updateWords, build: (*Edge).buildUpdate, take: (*Edge).takeUpdate},
		formResolve:  {words: resolveWords, build: (*Edge).buildResolve, take: (*Edge).takeResolve},
		formRoles:    {words: rolesWords, build: (*Edge).buildRoles, take: (*Edge).takeRoles},
		formTimeline: {words: timelineWords, build: (*Edge).buildTimeline, take: (*Edge).takeTimeline},
		formAction:   {words: actionWords, build: (*Edge).buildAction, take: (*Edge).takeAction},
		formFacts:    {words: factsWords, build: (*Edge).buildFacts, take: (*Edge).takeFacts},
		formNotice:   {words: noticeWords, build: (*Edge).buildNotice, take: (*Edge).previewNotice},
		formMerge:    {words: mergeWords, build: (*Edge).buildMerge, take: (*Edge).takeMerge},
		formItemDone: {words: itemDoneWords, build: (*Edge).buildItemDone, take: (*Edge).takeItemDone},
		formItemSeen: {words: itemSeenWords, build: (*Edge).buildItemSeen, take: (*Edge).takeItemSeen},
		formItemHand: {words: itemHandWords, build: (*Edge).buildItemHand, take: (*Edge).takeItemHand},
		formMore:     {words: moreWords, build: (*Edge).buildMore},
	}
}

// verbForms tells which form opens when nothing follows a verb. The other
// commands are done without words too.
func verbForms() map[verb]string {
	return map[verb]string{
		verbUpdate: formUpdate, verbStatus: formUpdate, verbRole: formRoles, verbTimeline: formTimeline, verbAction: formAction,
		verbStatuspage: formNotice, verbRename: formFacts, verbSeverity: formFacts, "merge": formMerge,
	}
}

// formFor is the incident a form is about and the person who fills it in.
type formFor struct {
	inc   incidents.Incident
	actor incidents.Actor
	texts *templates.Catalogue // plain
	zone  *time.Location
	meta  formMeta
	text  string // of the message that it is about
}

// formMeta travels with a form in its private_metadata, which only Slack and
// Houston see.
type formMeta struct {
	origin

	Number int64  `json:"number,omitempty"` // of the incident
	Item   int64  `json:"item,omitempty"`   // id of the action item that it is about
	Form   string `json:"form,omitempty"`   // the form that follows a choice
	Kept   string `json:"kept,omitempty"`   // id of what was typed so far
	// Seen are the similar incidents that were shown before declaring another.
	Seen []int64 `json:"seen,omitempty"`
	// Shown are those that stand in the form now.
	Shown []int64 `json:"shown,omitempty"`
}

func (m formMeta) encode() string {
	raw, _ := json.Marshal(m) // strings always encode
	return string(raw)
}

// formRequest asks for a form to be opened.
type formRequest struct {
	user    incidents.Person
	trigger string
	form    string // callback id
	meta    formMeta
	text    string // of the message that it is about, if it is about one
}

// openIncidentForm opens a form beside the request it belongs to. It stands open
// empty first; then it is filled, becomes a choice of incidents where none is
// known, or says why it can not be filled.
func (e *Edge) openIncidentForm(ctx context.Context, r formRequest) {
	ctx = context.WithoutCancel(ctx)
	e.answers.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, fillTimeout)
		defer cancel()
		texts := e.textFor(r.user.ID).Plain()
		opened, err := e.config.Client.API().OpenViewContext(ctx, r.trigger, e.emptyForm(texts, r, texts.Text("form_loading")))
		if err != nil {
			if !refusedAs(err, "exchanged_trigger_id") { // else an earlier delivery of the same has opened it
				e.config.Log.WarnContext(ctx, "a form could not be opened", "form", r.form, "error", err)
				e.answerTo(ctx, r.user.ID, r.meta.ResponseURL, say(e.textFor(r.user.ID).Text("form_not_there", "command", e.config.Command)))
			}
			return
		}
		e.fillForm(ctx, opened.ID, r)
	})
}

// fillForm brings what belongs into a form that stands open.
func (e *Edge) fillForm(ctx context.Context, view string, r formRequest) {
	filled, err := e.filledForm(ctx, r)
	if err != nil {
		texts := e.textFor(r.user.ID).Plain()
		filled = e.emptyForm(texts, r, e.formError(ctx, texts, r.user.ID, err))
	}
	_, err = e.config.Client.API().UpdateViewContext(ctx, filled, "", "", view)
	if err != nil && !refusedAs(err, "not_found") { // else it was closed meanwhile
		e.config.Log.WarnContext(ctx, "a form could not be filled", "form", r.form, "error", err)
	}
}

// filledForm renders a form about its incident as it is now.
func (e *Edge) filledForm(ctx context.Context, r formRequest) (slackgo.ModalViewRequest, error) {
	form, ok := incidentForms()[r.form]
	if !ok {
		return slackgo.ModalViewRequest{}, &incidents.Error{Kind: incidents.Invalid, Message: e.oldButton(r.user.ID).text}
	}
	actor := e.config.Directory.Actor(ctx, r.user.ID, r.user.Name)
	req := incidents.Request{Actor: actor, In: r.meta.Channel}
	if r.meta.Number == 0 {
		switch inc, err := e.config.Service.Store().IncidentByChannel(ctx, r.meta.Channel); {
		case incidents.KindOf(err) == incidents.NotFound && r.meta.TS != "": // what others wrote elsewhere stays there
			return slackgo.ModalViewRequest{}, &incidents.Error{Kind: incidents.Conflict, Message: e.textFor(r.user.ID).Plain().Text("shortcut_elsewhere")}
		case incidents.KindOf(err) == incidents.NotFound:
			return e.whichIncident(ctx, actor, r)
		case err != nil:
			return slackgo.ModalViewRequest{}, err
		default:
			r.meta.Number = inc.Number
		}
	}
	inc, err := e.config.Service.Incident(ctx, r.meta.Number, req)
	if err != nil {
		return slackgo.ModalViewRequest{}, err
	}
	r.meta.Link = e.linkTo(ctx, r.meta.origin)
	f := formFor{inc: inc, actor: actor, texts: e.textFor(r.user.ID).Plain(), zone: e.config.Directory.Zone(r.user.ID), meta: r.meta, text: r.text}
	blocks, err := form.build(e, ctx, f)
	if err != nil {
		return slackgo.ModalViewRequest{}, err
	}
	title, submit := form.words(f.texts)
	return e.modal(f.texts, modal{callback: r.form, title: title, submit: submit, meta: r.meta, blocks: blocks}), nil
}

// modal is what a view is made of.
type modal struct {
	callback, title, submit string
	meta                    formMeta
	blocks                  []slackgo.Block
}

func (e *Edge) modal(texts *templates.Catalogue, m modal) slackgo.ModalViewRequest {
	view := slackgo.ModalViewRequest{
		Type: slackgo.VTModal, CallbackID: m.callback, PrivateMetadata: m.meta.encode(),
		Title: e.label(cut(m.title, maxViewTitle)), Close: e.label(texts.Text("form_cancel")), Blocks: slackgo.Blocks{BlockSet: m.blocks},
	}
	if m.submit != "" {
		view.Submit = e.label(cut(m.submit, maxViewTitle))
	}
	return view
}

// emptyForm is a form with one line of words and nothing to fill in.
func (e *Edge) emptyForm(texts *templates.Catalogue, r formRequest, line string) slackgo.ModalViewRequest {
	title := ""
	if form, ok := incidentForms()[r.form]; ok {
		title, _ = form.words(texts)
	}
	return e.modal(texts, modal{callback: r.form, title: firstOf(title, "Houston"), meta: r.meta, blocks: []slackgo.Block{e.words(line)}})
}

// words is a paragraph of plain text.
func (e *Edge) words(text string) *slackgo.SectionBlock {
	return slackgo.NewSectionBlock(e.label(cut(text, maxSection)), nil, nil)
}

// formError says in plain text why a form was refused.
func (e *Edge) formError(ctx context.Context, texts *templates.Catalogue, user string, err error) string {
	if text, ok := sentence(texts, err); ok {
		return text
	}
	return e.explain(ctx, user, err, "form")
}

// submitted is what somebody has filled in.
type submitted struct {
	incidents.Request

	in    interaction
	texts *templates.Catalogue // plain
	meta  formMeta
}

// value gives the text of an input, decoded.
func (s submitted) value(e *Edge, name string) string {
	return strings.TrimSpace(e.plain(s.in.View.input(name).Value))
}

// changed reports whether an input holds something else than when the form was
// opened. What was left alone says nothing: others may have changed it since.
func (s submitted) changed(e *Edge, name string) bool {
	now, then := s.in.View.input(name), s.in.View.shown(name)
	return now.Selected != then.Selected || now.User != then.User || s.value(e, name) != strings.TrimSpace(e.plain(then.Value))
}

// typed gives the text of an input that was changed; nil otherwise.
func (s submitted) typed(e *Edge, name string) *string {
	if !s.changed(e, name) {
		return nil
	}
	return new(s.value(e, name))
}

// picked gives the entry of a menu that was changed, "" otherwise.
func (s submitted) picked(e *Edge, name string) string {
	if !s.changed(e, name) {
		return ""
	}
	return s.in.View.input(name).Selected.Value
}

// fieldError is an error about one input of a form.
type fieldError struct {
	field string
	err   error
}

func (f *fieldError) Error() string { return f.field + ": " + f.err.Error() }
func (f *fieldError) Unwrap() error { return f.err }

// atField says which input an error is about; nil stays nil.
func atField(field string, err error) error {
	if err == nil {
		return nil
	}
	return &fieldError{field: field, err: err}
}

// submitted does what a form about an incident says, once for each view and hash.
func (e *Edge) submitIncident(ctx context.Context, in interaction) []byte {
	form, ok := incidentForms()[in.View.CallbackID]
	if !ok || form.take == nil {
		return nil
	}
	s := e.submittedOf(ctx, in)
	if err := e.stillIn(ctx, &s.Request); err != nil {
		return e.formAnswer(ctx, s, reply{}, err)
	}
	r, err := form.take(e, ctx, s)
	return e.formAnswer(ctx, s, r, err)
}

func (e *Edge) submittedOf(ctx context.Context, in interaction) submitted {
	s := submitted{in: in, texts: e.textFor(in.User.ID).Plain()}
	if err := json.Unmarshal([]byte(in.View.PrivateMetadata), &s.meta); err != nil {
		e.config.Log.WarnContext(ctx, "a form's origin could not be read", "error", err)
	}
	s.Request = incidents.Request{
		Actor: e.config.Directory.Actor(ctx, in.User.ID, firstOf(in.User.Name, in.User.Username)),
		In:    s.meta.Channel,
		Once:  incidents.Once{Key: strings.Join([]string{"view", in.View.ID, in.View.Hash}, "/"), Keep: keepOnce},
	}
	return s
}

// formAnswer tells Slack what becomes of a form: it closes and the answer
// follows, it becomes another view, or it stays open with what was typed and the
// error beside the input it is about.
func (e *Edge) formAnswer(ctx context.Context, s submitted, r reply, err error) []byte {
	if err == nil && r.view != nil {
		return r.view.encode()
	}
	if err == nil {
		r.replace = s.meta.Replace
		e.answerTo(ctx, s.Actor.ID, s.meta.ResponseURL, r)
		return r.closing
	}
	field := s.in.View.firstInput()
	if f, ok := errors.AsType[*fieldError](err); ok && s.in.View.has(f.field) {
		field = f.field
	}
	text := e.formError(ctx, s.texts, s.Actor.ID, err)
	if field == "" { // a form that could not be filled has no input to show it at
		return nextView{Action: "update", View: e.emptyForm(s.texts, formRequest{form: s.in.View.CallbackID, meta: s.meta}, text)}.encode()
	}
	raw, _ := json.Marshal(viewErrors{Action: "errors", Errors: map[string]string{field: text}}) // strings always encode
	return raw
}

// formDid has a command done and gives the answer; a repeated submission has been
// answered already.
func (e *Edge) formDid(ctx context.Context, s submitted, command incidents.Command, said sayer) (reply, error) {
	result, err := e.config.Service.Do(ctx, s.meta.Number, command)
	if err != nil || result.Repeated {
		return reply{}, err
	}
	return say(said(result.Incident)), nil
}
