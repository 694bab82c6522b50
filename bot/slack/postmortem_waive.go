package slack

import (
	"context"
	"encoding/json"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// callbackWaive names the form that asks why there is no postmortem; its
// private_metadata is the incident's key, where it was asked for, and by which
// response URL it is answered.
const (
	callbackWaive = "postmortem_waive"
	inputReason   = "reason"
)

type waiveOrigin struct {
	Key         string `json:"key"`
	Channel     string `json:"channel"`
	ResponseURL string `json:"response_url"`
}

// pressWaive opens the form beside the click, so that no call to Slack delays it.
func (e *Edge) pressWaive(ctx context.Context, c click, number int64) (reply, error) {
	inc, err := e.config.Service.Incident(ctx, number, c.Request)
	if err != nil {
		return reply{}, err
	}
	view := e.waiveView(c.Actor.ID, waiveOrigin{Key: inc.Key(), Channel: c.In, ResponseURL: c.in.ResponseURL})
	ctx = context.WithoutCancel(ctx)
	e.answers.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, formTimeout)
		defer cancel()
		_, err := e.config.Client.API().OpenViewContext(ctx, c.in.TriggerID, view)
		if err == nil || refusedAs(err, "exchanged_trigger_id") {
			return
		}
		e.config.Log.WarnContext(ctx, "the form for a waiver could not be opened", "error", err)
		e.answerTo(ctx, c.Actor.ID, c.in.ResponseURL, say(e.textFor(c.Actor.ID).Text("postmortem_usage", "command", e.config.Command)))
	})
	return reply{}, nil
}

func (e *Edge) waiveView(user string, from waiveOrigin) slackgo.ModalViewRequest {
	texts := e.textFor(user).Plain()
	meta, _ := json.Marshal(from) // strings always encode
	reason := slackgo.NewInputBlock(inputReason, e.label(texts.Text("waive_reason")), nil, &slackgo.PlainTextInputBlockElement{
		Type: slackgo.METPlainTextInput, ActionID: inputReason, Multiline: true, MaxLength: incidents.MaxText,
	})
	return slackgo.ModalViewRequest{
		Type: slackgo.VTModal, CallbackID: callbackWaive, PrivateMetadata: string(meta),
		Title: e.label(texts.Text("waive_title")), Submit: e.label(texts.Text("waive_submit")), Close: e.label(texts.Text("form_cancel")),
		Blocks: slackgo.Blocks{BlockSet: []slackgo.Block{reason}},
	}
}

func (e *Edge) submitWaive(ctx context.Context, in interaction) []byte {
	var from waiveOrigin
	number, err := int64(0), json.Unmarshal([]byte(in.View.PrivateMetadata), &from)
	if err == nil {
		number, err = incidents.ParseKey(from.Key)
	}
	if err != nil {
		return nil // of another version
	}
	actor := e.config.Directory.Actor(ctx, in.User.ID, firstOf(in.User.Name, in.User.Username))
	req := incidents.Request{
		Actor: actor, In: from.Channel,
		Once: incidents.Once{Key: strings.Join([]string{"view", in.View.ID, in.View.Hash}, "/"), Keep: keepOnce},
	}
	var answer reply
	if err = e.stillIn(ctx, &req); err == nil {
		answer, err = e.movePostmortem(ctx, number, postmortem.Move{
			Request: req, To: incidents.PostmortemWaived, Reason: e.plain(in.View.input(inputReason).Value),
		})
	}
	if err != nil {
		text, ok := sentence(e.textFor(in.User.ID).Plain(), err)
		if !ok {
			text = e.explain(ctx, in.User.ID, err, "form")
		}
		raw, _ := json.Marshal(viewErrors{Action: "errors", Errors: map[string]string{inputReason: text}}) // strings always encode
		return raw
	}
	e.answerTo(ctx, in.User.ID, from.ResponseURL, answer)
	return nil
}
