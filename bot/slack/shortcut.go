package slack

import (
	"context"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// The shortcuts in a message's menu.
const (
	shortcutDeclare  = "declare_from_message"
	shortcutTimeline = "add_to_timeline"
	shortcutAction   = "add_action"
)

// chatMessage is what Houston reads of a message inside of a payload.
type chatMessage struct {
	TS      string `json:"ts"`
	Thread  string `json:"thread_ts"` // the first message of its thread; empty: it is in none
	User    string `json:"user"`
	Subtype string `json:"subtype"`
	Text    string `json:"text"`
}

// shortcut does what somebody chose from a menu.
func (e *Edge) shortcut(ctx context.Context, in interaction) reply {
	from := origin{Channel: in.Channel.ID, ResponseURL: in.ResponseURL}
	switch in.CallbackID {
	case callbackDeclare:
		e.openForm(ctx, in.person(), in.TriggerID, form{origin: from})
		return reply{}
	case shortcutDeclare:
		from.TS, from.Author, from.Thread = in.Message.TS, in.Message.User, firstOf(in.Message.Thread, in.Message.TS)
		e.openForm(ctx, in.person(), in.TriggerID, formOf(e.plain(in.Message.Text), from))
		return reply{}
	case shortcutAction:
		from.TS, from.Author = in.Message.TS, in.Message.User
		e.openIncidentForm(ctx, formRequest{
			user: in.person(), trigger: in.TriggerID, form: formAction, meta: formMeta{origin: from}, text: strings.TrimSpace(e.plain(in.Message.Text)),
		})
		return reply{}
	case shortcutTimeline:
		text, err := e.keep(ctx, in)
		if err != nil {
			text = e.explain(ctx, in.User.ID, err, "shortcut")
		}
		return say(text)
	default:
		return say(e.textFor(in.User.ID).Text("shortcut_not_built", "command", e.config.Command))
	}
}

// linkTo asks for a permalink to a message; empty when there is none, or Slack
// does not say.
func (e *Edge) linkTo(ctx context.Context, from origin) string {
	if from.TS == "" {
		return ""
	}
	link, err := e.config.Client.API().GetPermalinkContext(ctx, &slackgo.PermalinkParameters{Channel: from.Channel, Ts: from.TS})
	if err != nil {
		e.config.Log.WarnContext(ctx, "a permalink could not be had", "error", err)
	}
	return link
}

// keep puts a message into the timeline of the incident whose channel it is in.
func (e *Edge) keep(ctx context.Context, in interaction) (string, error) {
	inc, err := e.config.Service.Store().IncidentByChannel(ctx, in.Channel.ID)
	switch {
	case incidents.KindOf(err) == incidents.NotFound:
		return e.textFor(in.User.ID).Text("shortcut_elsewhere"), nil
	case err != nil:
		return "", err
	}
	once := incidents.Once{Key: strings.Join([]string{"shortcut", in.User.ID, in.ActionTS, in.CallbackID}, "/"), Keep: keepOnce}
	if strings.TrimSpace(e.plain(in.Message.Text)) == "" {
		return e.textFor(in.User.ID).Text("shortcut_no_text"), nil
	}
	_, err = e.config.Service.Store().Enqueue(ctx, once, incidents.CaptureMessage{
		Channel: in.Channel.ID, TS: in.Message.TS, User: in.User.ID, Added: true, Event: once.Key,
	})
	if err != nil {
		return "", err
	}
	return e.textFor(in.User.ID).Text("done_timeline", "key", inc.Key()), nil
}
