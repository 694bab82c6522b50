package slack

import (
	"context"
	"strings"

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
		from.TS, from.Author = in.Message.TS, in.Message.User
		e.openForm(ctx, in.person(), in.TriggerID, formOf(e.plain(in.Message.Text), from))
		return reply{}
	case shortcutTimeline, shortcutAction:
		text, err := e.keep(ctx, in)
		if err != nil {
			text = e.explain(ctx, in.User.ID, err, "shortcut")
		}
		return say(text)
	default:
		return say(e.textFor(in.User.ID).Text("shortcut_not_built", "command", e.config.Command))
	}
}

// keep puts a message into the timeline of the incident whose channel it is in,
// or makes an action item of it.
func (e *Edge) keep(ctx context.Context, in interaction) (string, error) {
	inc, err := e.config.Service.Store().IncidentByChannel(ctx, in.Channel.ID)
	switch {
	case incidents.KindOf(err) == incidents.NotFound:
		return e.textFor(in.User.ID).Text("shortcut_elsewhere"), nil
	case err != nil:
		return "", err
	}
	once := incidents.Once{Key: strings.Join([]string{"shortcut", in.User.ID, in.ActionTS, in.CallbackID}, "/"), Keep: keepOnce}
	text := e.plain(in.Message.Text)
	switch {
	case strings.TrimSpace(text) == "":
		return e.textFor(in.User.ID).Text("shortcut_no_text"), nil
	case in.CallbackID == shortcutAction:
		result, err := e.config.Service.Do(ctx, inc.Number, incidents.AddAction{
			Request: incidents.Request{
				Actor: e.config.Directory.Actor(ctx, in.User.ID, firstOf(in.User.Name, in.User.Username)), In: in.Channel.ID, Once: once,
			},
			Text: cut(text, incidents.MaxText),
		})
		if err != nil {
			return "", err
		}
		return e.textFor(in.User.ID).Text("done_action", "key", inc.Key(), "number", len(result.Incident.Actions)), nil
	}
	_, err = e.config.Service.Store().Enqueue(ctx, once, incidents.CaptureMessage{
		Channel: in.Channel.ID, TS: in.Message.TS, User: in.User.ID, Added: true, Event: once.Key,
	})
	if err != nil {
		return "", err
	}
	return e.textFor(in.User.ID).Text("done_timeline", "key", inc.Key()), nil
}
