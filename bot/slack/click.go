package slack

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// The buttons of the card; their value is the incident's key.
const (
	ActionTakeLead   = "take_lead"
	ActionPostUpdate = "post_update"
	ActionMitigated  = "mitigated"
	ActionResolve    = "resolve"
	ActionMore       = "more"
	// ActionGoOn stands under the question whether an incident is over.
	ActionGoOn = "still_going_on"
)

// The buttons of an offer; their value is the id of the alert group.
const (
	ActionOfferDeclare = "offer_declare"
	ActionOfferDismiss = "offer_dismiss"
)

// interaction is what Houston reads of an interactivity payload
// (https://docs.slack.dev/reference/interaction-payloads).
type interaction struct {
	Type string `json:"type"`
	User struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Username string `json:"username"`
	} `json:"user"`
	Channel struct {
		ID string `json:"id"`
	} `json:"channel"`
	Container struct {
		ChannelID string `json:"channel_id"`
	} `json:"container"`
	ResponseURL string        `json:"response_url"`
	TriggerID   string        `json:"trigger_id"`
	Actions     []blockAction `json:"actions"`
	CallbackID  string        `json:"callback_id"` // of a shortcut
	ActionTS    string        `json:"action_ts"`   // of a shortcut
	Message     chatMessage   `json:"message"`
	View        view          `json:"view"`
}

// person is who acts, under the name that Slack gave with it.
func (in interaction) person() incidents.Person {
	return incidents.Person{ID: in.User.ID, Name: firstOf(in.User.Name, in.User.Username)}
}

type blockAction struct {
	ActionID string `json:"action_id"`
	Value    string `json:"value"`
	ActionTS string `json:"action_ts"`
}

// takeInteraction has clicks, shortcuts and forms done. The acknowledgement
// carries no message, so answers go to the response URL once the work is
// committed; only a form is answered with what is given back. It fails with
// errMalformed only.
func (e *Edge) takeInteraction(ctx context.Context, transport string, raw []byte) ([]byte, error) {
	defer e.observe(transport, kindInteraction, time.Now())
	var in interaction
	if err := json.Unmarshal(raw, &in); err != nil || in.Type == "" {
		return nil, errMalformed
	}
	switch in.Type {
	case "block_actions":
		for _, a := range in.Actions {
			e.answerLater(ctx, in.ResponseURL, e.click(ctx, in, a))
		}
	case "message_action", "shortcut":
		e.answerLater(ctx, in.ResponseURL, e.shortcut(ctx, in))
	case "view_submission":
		return e.submit(ctx, in), nil
	default:
		// Closed views are of no interest.
	}
	return nil, nil
}

// click does what one button says and gives the answer, in words in any case.
func (e *Edge) click(ctx context.Context, in interaction, a blockAction) reply {
	if a.Value == "" {
		return reply{} // a link button: the browser has opened it already
	}
	req := incidents.Request{
		Actor: e.config.Directory.Actor(ctx, in.User.ID, firstOf(in.User.Name, in.User.Username)),
		In:    firstOf(in.Channel.ID, in.Container.ChannelID),
		Once:  incidents.Once{Key: strings.Join([]string{"click", in.User.ID, a.ActionTS, a.ActionID}, "/"), Keep: keepOnce},
	}
	switch a.ActionID {
	case ActionStatuspageUndo:
		return e.undoNotice(ctx, req, a.Value)
	case ActionReport:
		e.openForm(ctx, in.person(), in.TriggerID, e.reported(in, a.Value))
		return reply{}
	}
	text, err := e.press(ctx, req, a)
	if err != nil {
		return say(e.explain(ctx, err, "click"))
	}
	return say(text)
}

func (e *Edge) press(ctx context.Context, req incidents.Request, a blockAction) (string, error) {
	switch a.ActionID {
	case ActionOfferDeclare:
		return e.acceptOffer(ctx, req, a.Value)
	case ActionOfferDismiss:
		if err := e.config.Service.DismissOffer(ctx, req, a.Value); err != nil {
			return "", err
		}
		return e.text.Text("offer_dismissed"), nil
	}
	number, err := incidents.ParseKey(a.Value)
	if err != nil {
		return e.text.Text("old_button", "command", e.config.Command), nil //nolint:nilerr // the error is about the button, not about what the user did
	}
	switch a.ActionID {
	case ActionTakeLead:
		return e.do(ctx, number, incidents.Assign{Request: req, Role: incidents.Commander, Person: req.Actor.Person}, func(inc incidents.Incident) string {
			return e.text.Text("done_lead", "key", inc.Key())
		})
	case ActionMitigated:
		command, said, err := e.readMitigated(order{Request: req}, "")
		if err != nil {
			return "", err
		}
		return e.do(ctx, number, command, said)
	case ActionResolve:
		return e.do(ctx, number, incidents.Resolve{Request: req}, e.sayResolved)
	case ActionGoOn:
		return e.do(ctx, number, incidents.GoOn{Request: req}, func(inc incidents.Incident) string {
			return e.textFor(req.Actor.ID).Text("done_go_on", "key", inc.Key())
		})
	case ActionPostUpdate:
		return e.hint(ctx, req, number, func(inc incidents.Incident) string {
			return e.textFor(req.Actor.ID).Text("update_form", "command", e.config.Command, "key", inc.Key())
		})
	case ActionMore:
		return e.hint(ctx, req, number, func(inc incidents.Incident) string {
			return e.text.Text("more_commands", "command", e.config.Command, "key", inc.Key())
		})
	default:
		return e.text.Text("old_button", "command", e.config.Command), nil
	}
}

func (e *Edge) do(ctx context.Context, number int64, command incidents.Command, said sayer) (string, error) {
	result, err := e.config.Service.Do(ctx, number, command)
	if err != nil {
		return "", err
	}
	return said(result.Incident), nil
}

// hint answers with words only, to those who may see the incident.
func (e *Edge) hint(ctx context.Context, req incidents.Request, number int64, said sayer) (string, error) {
	inc, err := e.config.Service.Incident(ctx, number, req)
	if err != nil {
		return "", err
	}
	return said(inc), nil
}

func (e *Edge) acceptOffer(ctx context.Context, req incidents.Request, group string) (string, error) {
	result, err := e.config.Service.AcceptOffer(ctx, req, group)
	if err != nil {
		return "", err
	}
	if result.Repeated {
		return e.text.Text("offer_accepted_already", "key", result.Incident.Key(), "status", result.Incident.Status), nil
	}
	return e.declared(result.Incident), nil
}
