package slack

import (
	"context"
	"strconv"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// formUpdate tells everybody how an incident stands.
const formUpdate = "update"

// Its inputs beside those of other forms.
const (
	inputText     = "text"
	inputStatus   = "status"
	inputImpact   = "impact"
	inputNext     = "next"
	inputAudience = "audience"
)

// usualNext is when the next update is due unless somebody says otherwise.
const usualNext = 30 * time.Minute

func updateWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("update_title"), t.Text("update_submit")
}

func (e *Edge) buildUpdate(_ context.Context, f formFor) ([]slackgo.Block, error) {
	statuses := choicesOf(f.texts, incidents.Investigating, incidents.Identified, incidents.Monitoring, incidents.Resolved)
	if f.inc.Status == incidents.Triage {
		statuses = append(choicesOf(f.texts, incidents.Triage), statuses...)
	}
	blocks := []slackgo.Block{
		e.textInput(inputText, f.texts.Text("update_input_text"), f.texts.Text("update_hint_text"), "", incidents.MaxText),
		e.menuInput(inputStatus, f.texts.Text("form_input_status"), statuses, string(f.inc.Status)),
		e.textInput(inputImpact, f.texts.Text("form_input_impact"), f.texts.Text("form_hint_impact"), f.inc.Impact, incidents.MaxText),
		e.menuInput(inputNext, f.texts.Text("update_input_next"), nextChoices(f.texts), strconv.Itoa(int(usualNext/time.Minute))),
	}
	if !f.inc.Private && !f.inc.Drill {
		public := slackgo.NewOptionBlockObject("public", e.label(f.texts.Text("update_public")), nil)
		audience := e.input(inputAudience, f.texts.Text("update_input_audience"), "", slackgo.NewCheckboxGroupsBlockElement(inputAudience, public))
		blocks = append(blocks, audience)
	}
	return blocks, nil
}

func nextChoices(t *templates.Catalogue) []choice {
	var choices []choice
	for _, minutes := range []int{15, 30, 60, 120, 240} {
		choices = append(choices, choice{value: strconv.Itoa(minutes), label: t.Text("update_next_in", "minutes", minutes)})
	}
	return append(choices, choice{value: "0", label: t.Text("update_next_none")})
}

func (e *Edge) takeUpdate(ctx context.Context, s submitted) (reply, error) {
	minutes, _ := strconv.Atoi(s.in.View.input(inputNext).Selected.Value) // left empty: nobody says
	command := incidents.Update{
		Request: s.Request, Text: s.value(e, inputText), Status: incidents.Status(s.picked(e, inputStatus)),
		Impact: s.typed(e, inputImpact), Next: time.Duration(minutes) * time.Minute,
		Publish: len(s.in.View.input(inputAudience).Checked) > 0,
	}
	r, err := e.formDid(ctx, s, command, func(inc incidents.Incident) string {
		return e.textFor(s.Actor.ID).Text("done_update", "key", inc.Key())
	})
	return r, atField(inputText, err)
}
