package slack

import (
	"context"
	"strconv"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// formResolve ends an incident and asks since when.
const formResolve = "resolve"

// Its inputs: how many minutes ago, or a time that is typed.
const (
	inputSince = "since"
	inputAt    = "at"
)

// maxTimeText is how long a time may be that is typed.
const maxTimeText = 60

func resolveWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("resolve_title"), t.Text("resolve_submit")
}

func (e *Edge) buildResolve(_ context.Context, f formFor) ([]slackgo.Block, error) {
	radio := slackgo.NewRadioButtonsBlockElement(inputSince)
	for _, c := range []choice{
		{"0", f.texts.Text("resolve_now")}, {"5", f.texts.Text("resolve_ago", "minutes", 5)}, {"15", f.texts.Text("resolve_ago", "minutes", 15)},
	} {
		radio.Options = append(radio.Options, slackgo.NewOptionBlockObject(c.value, e.label(c.label), nil))
	}
	radio.InitialOption = radio.Options[0]
	return []slackgo.Block{
		needed(e.input(inputSince, f.texts.Text("resolve_input_since"), "", radio)),
		e.textInput(inputAt, f.texts.Text("resolve_input_at"), f.texts.Text("form_hint_time"), "", maxTimeText),
		e.textInput(inputText, f.texts.Text("resolve_input_text"), "", "", incidents.MaxText),
	}, nil
}

func (e *Edge) takeResolve(ctx context.Context, s submitted) (reply, error) {
	now := e.config.Clock.Now()
	command := incidents.Resolve{Request: s.Request, Text: s.value(e, inputText)}
	if minutes, _ := strconv.Atoi(s.in.View.input(inputSince).Selected.Value); minutes > 0 {
		command.At = now.Add(-time.Duration(minutes) * time.Minute)
	}
	if typed := s.value(e, inputAt); typed != "" {
		at, err := parseWhen(typed, now, e.config.Directory.Zone(s.Actor.ID))
		if err != nil {
			return reply{}, atField(inputAt, err)
		}
		command.At = at
	}
	return e.formDid(ctx, s, command, e.sayResolved(s.Actor.ID))
}
