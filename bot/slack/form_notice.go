package slack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// formNotice writes for the status page; formNoticeView shows what the public
// will read before it is published.
const (
	formNotice     = "notice"
	formNoticeView = "notice_preview"
)

// typedNotice is a notice that was typed and not published yet.
type typedNotice struct {
	Status incidents.NoticeStatus `json:"status"`
	Title  string                 `json:"title"`
	Text   string                 `json:"text"`
}

func noticeWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("notice_title"), t.Text("notice_preview")
}

func (e *Edge) buildNotice(_ context.Context, f formFor) ([]slackgo.Block, error) {
	status, title := incidents.NoticeInvestigating, ""
	if f.inc.Notice != nil {
		status, title = f.inc.Notice.Status(), f.inc.Notice.Title
	}
	if !f.inc.Status.Open() {
		status = incidents.NoticeResolved
	}
	statuses := choicesOf(f.texts, incidents.NoticeInvestigating, incidents.NoticeIdentified, incidents.NoticeMonitoring, incidents.NoticeResolved)
	return []slackgo.Block{
		e.menuInput(inputStatus, f.texts.Text("form_input_status"), statuses, string(status)),
		e.textInput(inputTitle, f.texts.Text("notice_input_title"), f.texts.Text("notice_hint_title"), title, incidents.MaxTitle),
		needed(e.textInput(inputText, f.texts.Text("notice_input_text"), "", "", incidents.MaxText)),
	}, nil
}

// previewNotice shows what the public will read on top of the form, which keeps
// what was typed below.
func (e *Edge) previewNotice(ctx context.Context, s submitted) (reply, error) {
	typed := typedNotice{
		Status: incidents.NoticeStatus(s.in.View.input(inputStatus).Selected.Value), Title: s.value(e, inputTitle), Text: s.value(e, inputText),
	}
	if _, err := incidents.ParseNoticeStatus(string(typed.Status)); err != nil {
		return reply{}, atField(inputStatus, err)
	}
	inc, err := e.config.Service.Incident(ctx, s.meta.Number, s.Request)
	if err != nil {
		return reply{}, err
	}
	if err := e.config.Service.May(s.Actor, incidents.ToPublish); err != nil {
		return reply{}, atField(inputText, err)
	}
	if err := (incidents.PublishNotice{Request: s.Request, Status: typed.Status, Title: typed.Title, Text: typed.Text}).Check(inc); err != nil {
		return reply{}, atField(inputText, err)
	}
	body, err := json.Marshal(typed)
	if err != nil {
		return reply{}, fmt.Errorf("encode a notice: %w", err)
	}
	sum := sha256.Sum256([]byte(s.Once.Key + "/" + string(body))) // the form keeps its hash while people look at previews
	kept := incidents.Kept{ID: hex.EncodeToString(sum[:16]), Person: s.Actor.ID, Body: string(body), Until: e.config.Clock.Now().Add(keepOnce)}
	if err := e.config.Service.Store().Keep(ctx, kept); err != nil {
		return reply{}, err
	}
	meta := s.meta
	meta.Kept = kept.ID
	title := typed.Title
	if title == "" {
		title = s.texts.Text("notice_default_title")
	}
	return reply{view: &nextView{Action: "push", View: e.modal(s.texts, modal{
		callback: formNoticeView, title: s.texts.Text("notice_preview"), submit: s.texts.Text("notice_publish"), meta: meta,
		blocks: []slackgo.Block{
			e.words(s.texts.Text("notice_public_reads")),
			slackgo.NewHeaderBlock(e.label(cut(title, maxHeader))),
			e.words(s.texts.Name(typed.Status)),
			e.words(typed.Text),
		},
	})}}, nil
}

// submitNotice publishes what the preview showed and closes both views.
func (e *Edge) submitNotice(ctx context.Context, in interaction) []byte {
	s := e.submittedOf(ctx, in)
	var r reply
	err := e.stillIn(ctx, &s.Request)
	if err == nil {
		r, err = e.publishKept(ctx, s)
	}
	if err != nil { // the preview has no inputs to say it at
		text := e.formError(ctx, s.texts, s.Actor.ID, err)
		return nextView{Action: "update", View: e.modal(s.texts, modal{
			callback: formNoticeView, title: s.texts.Text("notice_title"), meta: s.meta, blocks: []slackgo.Block{e.words(text)},
		})}.encode()
	}
	r.closing = clearViews()
	return e.formAnswer(ctx, s, r, nil)
}

func (e *Edge) publishKept(ctx context.Context, s submitted) (reply, error) {
	kept, err := e.config.Service.Store().Kept(ctx, s.meta.Kept)
	if err != nil {
		return reply{}, err
	}
	if kept.Person != s.Actor.ID {
		return e.oldButton(s.Actor.ID), nil
	}
	var typed typedNotice
	if err := json.Unmarshal([]byte(kept.Body), &typed); err != nil {
		return reply{}, fmt.Errorf("decode a kept notice: %w", err)
	}
	result, err := e.config.Service.Do(ctx, s.meta.Number, incidents.PublishNotice{
		Request: s.Request, Status: typed.Status, Title: typed.Title, Text: typed.Text,
	})
	if err != nil || result.Repeated {
		return reply{}, err
	}
	return e.published(s.Actor.ID, result.Incident), nil
}
