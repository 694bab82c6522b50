package slack

import (
	"context"
	"fmt"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// ActionStatuspageUndo takes a text off the status page again; its value names
// the incident and the event that published it, like INC-1/12.
const ActionStatuspageUndo = "statuspage_undo"

// statuspage publishes a text at once and offers to take it back:
// "<status> <text>", "<status> <title> | <text>" or "undo".
func (e *Edge) statuspage(ctx context.Context, o order) (reply, error) {
	word, text := splitWord(e.plain(o.rest))
	if strings.EqualFold(word, "undo") && text == "" {
		return e.withdraw(ctx, o.number, incidents.WithdrawNotice{Request: o.Request})
	}
	if word == "" {
		return say(e.textFor(o.Actor.ID).Text("which_notice", "command", e.config.Command)), nil
	}
	status, err := incidents.ParseNoticeStatus(word)
	if err != nil {
		return reply{}, err
	}
	command := incidents.PublishNotice{Request: o.Request, Status: status, Text: text}
	if title, after, ok := strings.Cut(text, " | "); ok {
		command.Title, command.Text = strings.TrimSpace(title), strings.TrimSpace(after)
	}
	result, err := e.config.Service.Do(ctx, o.number, command)
	if err != nil {
		return reply{}, err
	}
	return e.published(o.Actor.ID, result.Incident), nil
}

// published tells what the public reads now. The button undoes exactly that.
func (e *Edge) published(user string, inc incidents.Incident) reply {
	texts := e.textFor(user)
	if inc.Notice == nil { // a repeated delivery, and it was taken back meanwhile
		return say(texts.Text("notice_withdrawn", "key", inc.Key()))
	}
	last := inc.Notice.Updates[len(inc.Notice.Updates)-1]
	value := fmt.Sprintf("%s/%d", inc.Key(), last.Seq)
	return reply{
		text: texts.Text("notice_published", "status", last.Status, "title", inc.Notice.Title, "text", cut(last.Text, 1500)),
		button: slackgo.NewActionBlock("statuspage",
			button(ActionStatuspageUndo, texts.Plain().Text("button_undo"), value, slackgo.StyleDefault)),
	}
}

// undoNotice is a click on the button of [Edge.published].
func (e *Edge) undoNotice(ctx context.Context, c click) (reply, error) {
	number, ids, ok := keyAnd(c.action.Value, 1)
	if !ok {
		return e.oldButton(c.Actor.ID), nil
	}
	r, err := e.withdraw(ctx, number, incidents.WithdrawNotice{Request: c.Request, Seq: ids[0]})
	if err != nil {
		return reply{}, err
	}
	r.replace = true
	return r, nil
}

func (e *Edge) withdraw(ctx context.Context, number int64, command incidents.WithdrawNotice) (reply, error) {
	texts := e.textFor(command.Actor.ID)
	result, err := e.config.Service.Do(ctx, number, command)
	if err != nil {
		return reply{}, err
	}
	if n := result.Incident.Notice; n != nil {
		return say(texts.Text("notice_withdrawn_last", "key", result.Incident.Key(), "status", n.Status())), nil
	}
	return say(texts.Text("notice_withdrawn", "key", result.Incident.Key())), nil
}
