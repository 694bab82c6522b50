package slack

import (
	"context"
	"strings"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// formFacts corrects what is known of an incident. The inputs of key times have
// the names of [incidents.EditableTimes].
const formFacts = "facts"

// inputDetection says who noticed first.
const inputDetection = "detection"

// timeForm is how a key time is shown to be edited, in the person's zone.
const timeForm = "2006-01-02 15:04"

func factsWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("facts_title"), t.Text("form_save")
}

func (e *Edge) buildFacts(_ context.Context, f formFor) ([]slackgo.Block, error) {
	severity := e.severities(f.texts)
	for _, option := range severity.Options {
		if option.Value == string(f.inc.Severity) {
			severity.InitialOption = option
		}
	}
	blocks := []slackgo.Block{
		needed(e.textInput(inputTitle, f.texts.Text("form_input_title"), "", f.inc.Title, incidents.MaxTitle)),
		e.input(inputSeverity, f.texts.Text("form_input_severity"), "", severity),
		e.textInput(inputService, f.texts.Text("form_input_service"), "", f.inc.Service, incidents.MaxTitle),
		e.textInput(inputSummary, f.texts.Text("form_input_summary"), "", f.inc.Summary, incidents.MaxText),
		e.textInput(inputImpact, f.texts.Text("form_input_impact"), f.texts.Text("form_hint_impact"), f.inc.Impact, incidents.MaxText),
		e.menuInput(inputDetection, f.texts.Text("facts_input_detection"), choicesOf(f.texts, incidents.Detections()...), string(f.inc.Detection)),
		e.words(f.texts.Text("facts_times", "zone", e.config.Clock.Now().In(f.zone).Format("MST"))),
	}
	for _, key := range incidents.EditableTimes() {
		shown := ""
		if at, ok := f.inc.Times[key]; ok {
			shown = at.At.In(f.zone).Format(timeForm)
		}
		blocks = append(blocks, e.textInput(string(key), keyTimeLabel(f.texts, key), "", shown, maxTimeText))
	}
	return blocks, nil
}

func keyTimeLabel(t *templates.Catalogue, key incidents.KeyTime) string {
	switch key {
	case incidents.ImpactStart:
		return t.Text("time_impact_start")
	case incidents.FirstEvidence:
		return t.Text("time_first_evidence")
	case incidents.Detected:
		return t.Text("time_detected")
	case incidents.Paged:
		return t.Text("time_paged")
	case incidents.Acknowledged:
		return t.Text("time_acknowledged")
	case incidents.MitigatedAt:
		return t.Text("time_mitigated")
	default:
		return t.Text("time_resolved")
	}
}

func (e *Edge) takeFacts(ctx context.Context, s submitted) (reply, error) {
	inc, err := e.config.Service.Incident(ctx, s.meta.Number, s.Request)
	if err != nil {
		return reply{}, err
	}
	command := incidents.EditFacts{
		Request: s.Request, Title: s.typed(e, inputTitle), Summary: s.typed(e, inputSummary),
		Service: s.typed(e, inputService), Impact: s.typed(e, inputImpact), Times: map[incidents.KeyTime]incidents.Instant{},
	}
	if severity := incidents.Severity(s.picked(e, inputSeverity)); severity != "" {
		command.Severity = &severity
	}
	if detection := incidents.Detection(s.picked(e, inputDetection)); detection != "" {
		command.Detection = &detection
	}
	zone, now := e.config.Directory.Zone(s.Actor.ID), e.config.Clock.Now()
	for _, key := range incidents.EditableTimes() {
		typed, known := s.value(e, string(key)), inc.Times[key]
		switch {
		case !s.in.View.has(string(key)) || !s.changed(e, string(key)) || !known.At.IsZero() && typed == known.At.In(zone).Format(timeForm):
			continue // as it is, to the second
		case typed == "":
			command.Times[key] = incidents.Instant{}
			continue
		}
		at, err := parseWhen(typed, now, zone)
		if err == nil && at.After(now.Add(clockLead)) {
			err = incidents.Errorf(incidents.Invalid, "%s is in the future. Give a time that has passed.", clockTime(at, zone))
		}
		if err != nil {
			return reply{}, atField(string(key), err)
		}
		command.Times[key] = incidents.Instant{At: at, Precision: precisionOf(typed)}
	}
	return e.formDid(ctx, s, command, func(inc incidents.Incident) string {
		return e.textFor(s.Actor.ID).Text("done_facts", "key", inc.Key())
	})
}

// precisionOf tells how exactly somebody knows a time by how he wrote it: with
// seconds, or about to the minute.
func precisionOf(typed string) incidents.Precision {
	if _, err := time.Parse("15:04:05", typed[strings.LastIndexByte(typed, ' ')+1:]); err == nil {
		return incidents.ToSecond
	}
	return incidents.ToMinute
}
