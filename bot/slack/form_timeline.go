package slack

import (
	"context"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// formTimeline adds an entry to the timeline, inputKind is the entry's kind.
const (
	formTimeline = "timeline_entry"
	inputKind    = "kind"
)

func timelineWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("timeline_title"), t.Text("form_save")
}

func (e *Edge) buildTimeline(_ context.Context, f formFor) ([]slackgo.Block, error) {
	kinds := choicesOf(f.texts, incidents.Observation, incidents.Hypothesis, incidents.DecisionMade, incidents.Action,
		incidents.Communication, incidents.Evidence, incidents.ChangeEntry)
	return []slackgo.Block{
		needed(e.textInput(inputText, f.texts.Text("timeline_input_text"), "", "", incidents.MaxText)),
		e.menuInput(inputKind, f.texts.Text("timeline_input_kind"), kinds, string(incidents.Observation)),
		e.textInput(inputAt, f.texts.Text("timeline_input_at"), f.texts.Text("form_hint_time"), "", maxTimeText),
	}, nil
}

func (e *Edge) takeTimeline(ctx context.Context, s submitted) (reply, error) {
	zone := e.config.Directory.Zone(s.Actor.ID)
	command := incidents.Note{Request: s.Request, Text: s.value(e, inputText), Kind: incidents.EntryKind(s.in.View.input(inputKind).Selected.Value)}
	if typed := s.value(e, inputAt); typed != "" {
		at, err := parseWhen(typed, e.config.Clock.Now(), zone)
		if err != nil {
			return reply{}, atField(inputAt, err)
		}
		command.At = at
	}
	return e.formDid(ctx, s, command, func(inc incidents.Incident) string {
		texts := e.textFor(s.Actor.ID)
		if command.At.IsZero() {
			return texts.Text("done_timeline", "key", inc.Key())
		}
		return texts.Text("done_timeline_at", "key", inc.Key(), "time", clockTime(command.At, zone))
	})
}
