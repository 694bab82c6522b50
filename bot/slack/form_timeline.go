package slack

import (
	"context"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// formTimeline adds an entry to the timeline, inputKind is the entry's kind,
// inputUntil when it was over, and inputKey says that it is a key moment.
const (
	formTimeline = "timeline_entry"
	inputKind    = "kind"
	inputUntil   = "until"
	inputKey     = "significant"
)

func timelineWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("timeline_title"), t.Text("form_save")
}

func (e *Edge) buildTimeline(_ context.Context, f formFor) ([]slackgo.Block, error) {
	kinds := choicesOf(f.texts, incidents.Observation, incidents.Hypothesis, incidents.DecisionMade, incidents.Action,
		incidents.Communication, incidents.Evidence, incidents.ChangeEntry)
	key := slackgo.NewOptionBlockObject(inputKey, e.label(f.texts.Text("timeline_key")), nil)
	return []slackgo.Block{
		needed(e.textInput(inputText, f.texts.Text("timeline_input_text"), "", "", incidents.MaxText)),
		e.menuInput(inputKind, f.texts.Text("timeline_input_kind"), kinds, string(incidents.Observation)),
		e.textInput(inputAt, f.texts.Text("timeline_input_at"), f.texts.Text("form_hint_time"), "", maxTimeText),
		e.textInput(inputUntil, f.texts.Text("timeline_input_until"), f.texts.Text("timeline_hint_until"), "", maxTimeText),
		e.input(inputKey, f.texts.Text("timeline_input_key"), "", slackgo.NewCheckboxGroupsBlockElement(inputKey, key)),
	}, nil
}

func (e *Edge) takeTimeline(ctx context.Context, s submitted) (reply, error) {
	zone, now := e.config.Directory.Zone(s.Actor.ID), e.config.Clock.Now()
	n := noteLine{text: s.value(e, inputText), key: len(s.in.View.input(inputKey).Checked) > 0}
	var err error
	if typed := s.value(e, inputAt); typed != "" {
		if n.at, err = parseWhen(typed, now, zone); err != nil {
			return reply{}, atField(inputAt, err)
		}
	}
	if typed := s.value(e, inputUntil); typed != "" {
		if n.at.IsZero() {
			return reply{}, atField(inputAt, incidents.Errorf(incidents.Invalid, "Say when it began as well: an end alone is no time that it took."))
		}
		if n.until, err = parseEnd(typed, n.at, now, zone); err != nil {
			return reply{}, atField(inputUntil, err)
		}
		if !n.until.After(n.at) || n.until.After(now.Add(clockLead)) {
			return reply{}, atField(inputUntil, incidents.Errorf(incidents.Invalid, "It can not have ended at %s. Give a time that has passed, behind its beginning.", clockTime(n.until, zone)))
		}
	}
	command := incidents.Note{
		Request: s.Request, Text: n.text, Kind: incidents.EntryKind(s.in.View.input(inputKind).Selected.Value), At: n.at, Until: n.until, Significant: n.key,
	}
	return e.formDid(ctx, s, command, func(inc incidents.Incident) string { return e.added(s.Actor.ID, inc, n) })
}
