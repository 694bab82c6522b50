package slack

import (
	"context"
	"encoding/json"
	"maps"
	"strconv"
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
	ActionID    string        `json:"action_id"` // of a menu that asks for options
	Value       string        `json:"value"`     // what was typed into it so far
}

// person is who acts, under the name that Slack gave with it.
func (in interaction) person() incidents.Person {
	return incidents.Person{ID: in.User.ID, Name: firstOf(in.User.Name, in.User.Username)}
}

// blockAction is one element that was used, with what was chosen in it.
type blockAction struct {
	Type     string     `json:"type"` // "button", "static_select", "overflow" …
	ActionID string     `json:"action_id"`
	BlockID  string     `json:"block_id"`
	Value    string     `json:"value"`           // of a button or a text input
	Selected viewOption `json:"selected_option"` // of a menu
	ActionTS string     `json:"action_ts"`
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
			e.answerTo(ctx, in.User.ID, in.ResponseURL, e.press(ctx, in, a))
		}
	case "message_action", "shortcut":
		e.answerTo(ctx, in.User.ID, in.ResponseURL, e.shortcut(ctx, in))
	case "block_suggestion":
		return e.suggest(ctx, in), nil
	case "view_submission":
		return e.submit(ctx, in), nil
	default:
		// Closed views are of no interest.
	}
	return nil, nil
}

// click is one use of a button, a menu or another element.
type click struct {
	incidents.Request

	in     interaction
	action blockAction
}

// pressing does what a click says and gives the answer. An error is told as
// [Edge.explain] does.
type pressing func(e *Edge, ctx context.Context, c click) (reply, error)

// clicks is the table of all that can be clicked, by action id. Its entries
// check what they are given anew: buttons stay on old messages for ever.
func clicks() map[string]pressing {
	all := map[string]pressing{
		ActionTakeLead:       onIncident((*Edge).takeLead),
		ActionMitigated:      onIncident((*Edge).pressMitigated),
		ActionResolve:        (*Edge).pressResolve,
		ActionPostUpdate:     pressForm(formUpdate),
		ActionMore:           pressForm(formMore),
		ActionGoOn:           onIncident((*Edge).pressGoOn),
		ActionSilence:        (*Edge).pressSilence,
		ActionOfferDeclare:   (*Edge).acceptOffer,
		ActionOfferDismiss:   (*Edge).dismissOffer,
		ActionStatuspageUndo: (*Edge).undoNotice,
		ActionReport:         (*Edge).pressReport,

		ActionHomeDeclare:        (*Edge).pressHomeDeclare,
		ActionHomeLanguage:       (*Edge).chooseLanguage,
		ActionTaskTake:           pressTask(incidents.TaskInProgress),
		ActionTaskDone:           pressTask(incidents.TaskDone),
		ActionTaskDrop:           pressTask(incidents.TaskDropped),
		ActionTaskMove:           pressTask(incidents.TaskMoved),
		ActionLinkChange:         (*Edge).pressLinkChange,
		inputTitle:               (*Edge).typeTitle,
		ActionSnooze:             (*Edge).pressSnooze,
		ActionItemDone:           pressItem(formItemDone),
		ActionItemVerify:         pressItem(formItemSeen),
		ActionItemHand:           pressItem(formItemHand),
		ActionTakeCommunications: onIncident((*Edge).takeCommunications),
		ActionOpenDraft:          onIncident((*Edge).openDraft),
		ActionRedact:             (*Edge).pressRedact,
		actionChoose:             (*Edge).chooseIncident,
	}
	maps.Copy(all, postmortemClicks())
	for i := range int64(tickButtons) {
		all[tickButton(ActionTick, i+1)] = pressTick(true)
		all[tickButton(ActionUntick, i+1)] = pressTick(false)
	}
	for i := range chooseButtons {
		all[chooseButton(i)] = (*Edge).chooseIncident
	}
	for _, minutes := range sinceMinutes() {
		all[actionSince+strconv.Itoa(minutes)] = (*Edge).pressSince
	}
	for form := range incidentForms() {
		all[actionForm+form] = pressForm(form)
	}
	return all
}

// press does what one click says and gives the answer, in words in any case.
func (e *Edge) press(ctx context.Context, in interaction, a blockAction) reply {
	if a.Type == "button" && a.Value == "" {
		return reply{} // a link button: the browser has opened it already
	}
	press, ok := clicks()[a.ActionID]
	if !ok {
		return e.oldButton(in.User.ID)
	}
	r, err := press(e, ctx, click{in: in, action: a, Request: incidents.Request{
		Actor: e.config.Directory.Actor(ctx, in.User.ID, firstOf(in.User.Name, in.User.Username)),
		In:    firstOf(in.Channel.ID, in.Container.ChannelID),
		Once:  incidents.Once{Key: strings.Join([]string{"click", in.User.ID, a.ActionTS, a.ActionID}, "/"), Keep: keepOnce},
	}})
	if err != nil {
		return say(e.explain(ctx, in.User.ID, err, "click"))
	}
	return r
}

// oldButton answers the click on what no version of Houston, or another one, has made.
func (e *Edge) oldButton(user string) reply {
	return say(e.textFor(user).Text("old_button", "command", e.config.Command))
}

// onIncident is the pressing of a button whose value is an incident's key.
func onIncident(press func(e *Edge, ctx context.Context, c click, number int64) (reply, error)) pressing {
	return func(e *Edge, ctx context.Context, c click) (reply, error) {
		number, err := incidents.ParseKey(c.action.Value)
		if err != nil {
			return e.oldButton(c.Actor.ID), nil //nolint:nilerr // the error is about the button, not about what the user did
		}
		return press(e, ctx, c, number)
	}
}

func (e *Edge) takeLead(ctx context.Context, c click, number int64) (reply, error) {
	command := incidents.Assign{Request: c.Request, Role: incidents.Commander, Person: c.Actor.Person}
	return e.did(ctx, number, command, func(inc incidents.Incident) string {
		return e.textFor(c.Actor.ID).Text("done_lead", "key", inc.Key())
	})
}

func (e *Edge) pressMitigated(ctx context.Context, c click, number int64) (reply, error) {
	command, said, err := e.readMitigated(ctx, order{Request: c.Request})
	if err != nil {
		return reply{}, err
	}
	r, err := e.did(ctx, number, command, said)
	if err != nil {
		return reply{}, err
	}
	return e.withSince(ctx, c.Request, number, incidents.MitigatedAt, r), nil
}

// pressResolve asks since when where the card's button is clicked; one in a
// question whether it is over is the answer to it.
func (e *Edge) pressResolve(ctx context.Context, c click) (reply, error) {
	if c.action.BlockID == cardBlock && c.in.TriggerID != "" {
		return pressForm(formResolve)(e, ctx, c)
	}
	return onIncident(func(e *Edge, ctx context.Context, c click, number int64) (reply, error) {
		return e.did(ctx, number, incidents.Resolve{Request: c.Request}, e.sayResolved(c.Actor.ID))
	})(e, ctx, c)
}

func (e *Edge) pressReport(ctx context.Context, c click) (reply, error) {
	e.openForm(ctx, c.in.person(), c.in.TriggerID, e.reported(c.in, c.action.Value))
	return reply{}, nil
}

// did has a command done and gives the answer.
func (e *Edge) did(ctx context.Context, number int64, command incidents.Command, said sayer) (reply, error) {
	result, err := e.config.Service.Do(ctx, number, command)
	if err != nil {
		return reply{}, err
	}
	return say(said(result.Incident)), nil
}

// hint answers with words only, to those who may see the incident.
func (e *Edge) hint(ctx context.Context, req incidents.Request, number int64, said sayer) (reply, error) {
	inc, err := e.config.Service.Incident(ctx, number, req)
	if err != nil {
		return reply{}, err
	}
	return say(said(inc)), nil
}

func (e *Edge) acceptOffer(ctx context.Context, c click) (reply, error) {
	result, err := e.config.Service.AcceptOffer(ctx, c.Request, c.action.Value)
	if err != nil {
		return reply{}, err
	}
	if result.Repeated {
		return say(e.textFor(c.Actor.ID).Text("offer_accepted_already", "key", result.Incident.Key(), "status", result.Incident.Status)), nil
	}
	return say(e.declared(c.Actor.ID, result.Incident)), nil
}

func (e *Edge) dismissOffer(ctx context.Context, c click) (reply, error) {
	if err := e.config.Service.DismissOffer(ctx, c.Request, c.action.Value); err != nil {
		return reply{}, err
	}
	return say(e.textFor(c.Actor.ID).Text("offer_dismissed")), nil
}
