package slack

import (
	"context"
	"strings"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

const verbSilence verb = "silence"

// ActionSilence stands beside each alert that fires; its value is the incident's
// key and the alert's fingerprint.
const ActionSilence = "silence_alert"

// silence keeps the incident's alerts quiet at their Alertmanager, or ends that.
func (e *Edge) silence(ctx context.Context, o order) (reply, error) {
	texts := e.textFor(o.Actor.ID)
	word := strings.ToLower(strings.TrimSpace(o.rest))
	if word == "off" {
		return e.did(ctx, o.number, incidents.Unsilence{Request: o.Request}, func(inc incidents.Incident) string {
			return texts.Text("done_unsilence", "key", inc.Key())
		})
	}
	var length time.Duration
	if word = strings.TrimPrefix(word, "for "); word != "" {
		var ok bool
		if length, ok = parseAgo(word + " ago"); !ok {
			return reply{}, incidents.Errorf(incidents.Invalid, "%q is no time. Write it like: silence 2h", o.rest)
		}
	}
	result, err := e.config.Service.SilenceAlerts(ctx, o.number, o.Request, "", length)
	if err != nil {
		return reply{}, err
	}
	return say(texts.Text("done_silence", "key", result.Incident.Key())), nil
}

// pressSilence is the button beside an alert.
func (e *Edge) pressSilence(ctx context.Context, c click) (reply, error) {
	key, fingerprint, _ := strings.Cut(c.action.Value, " ")
	number, err := incidents.ParseKey(key)
	if err != nil || fingerprint == "" {
		return e.oldButton(c.Actor.ID), nil //nolint:nilerr // the error is about the button, not about what the user did
	}
	result, err := e.config.Service.SilenceAlerts(ctx, number, c.Request, fingerprint, 0)
	if err != nil {
		return reply{}, err
	}
	return say(e.textFor(c.Actor.ID).Text("done_silence", "key", result.Incident.Key())), nil
}

// silenceButton is the button beside an alert that fires.
func (o *Outbound) silenceButton(inc incidents.Incident, a incidents.Alert) *slackgo.Accessory {
	return slackgo.NewAccessory(button(ActionSilence, o.config.Text.Text("button_silence"), inc.Key()+" "+a.Fingerprint, slackgo.StyleDefault))
}
