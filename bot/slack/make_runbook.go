package slack

import (
	"context"
	"fmt"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// tickButtons is how many steps one message can have buttons for. Messages of
// older versions have more than [incidents.RunbookPage].
const tickButtons = 40

// runbookMaker shows a part of a runbook in the incident's channel, in a message
// in which people tick its steps off. The parts are posted one after another.
type runbookMaker struct{ *Outbound }

func (m runbookMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	if place, page := incidents.ParseRunbookTarget(work.Effect.Target); page > 1 {
		before, err := m.config.Store.Effect(ctx, incidents.EffectKey(work.Incident.Number, incidents.MakeRunbook, incidents.RunbookTarget(place, page-1)))
		switch {
		case err != nil:
			return bot.Made{}, fmt.Errorf("load the part of a runbook before another: %w", err)
		case !before.Made() && !before.Failed:
			return bot.Made{}, bot.Wait("the part before it")
		}
	}
	return m.post(ctx, work, channel, m.runbook(work), work.Incident.Seq)
}

func (m runbookMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, channel, 0)
}

func (m runbookMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	return m.edit(ctx, work, m.runbook(work), work.Incident.Seq)
}

func (o *Outbound) runbook(work bot.Work) posting {
	place, page := incidents.ParseRunbookTarget(work.Effect.Target)
	runbook, _ := work.Incident.Attached(place)
	ticked := 0
	for _, step := range runbook.Steps {
		if step.Ticked() {
			ticked++
		}
	}
	name := templates.Markup(cutEscaped(runbook.Name, 200))
	first := min((page-1)*incidents.RunbookPage, int64(len(runbook.Steps)))
	steps := runbook.Steps[first:min(first+incidents.RunbookPage, int64(len(runbook.Steps)))]
	m := words(o.text.Text("runbook_head", "name", name, "done", ticked, "all", len(runbook.Steps)))
	if page > 1 {
		m = words(o.text.Text("runbook_part", "name", name, "part", page, "parts", runbook.Pages()))
	}
	heading := ""
	for i, step := range steps {
		if step.Heading != heading {
			heading = step.Heading
			m.Blocks = append(m.Blocks, section("*"+cutEscaped(heading, 300)+"*"))
		}
		m.Blocks = append(m.Blocks, o.runbookStep(work.Incident, place, first+int64(i)+1, step))
	}
	return m
}

// runbookStep is a step with the button that ticks it off, or takes that back.
// Its action id counts within the message, its value within the runbook.
func (o *Outbound) runbookStep(inc incidents.Incident, runbook, place int64, step incidents.TickedStep) slackgo.Block {
	id := (place-1)%incidents.RunbookPage + 1
	text := ":white_medium_square: " + cutEscaped(step.Text, 2500)
	value := fmt.Sprintf("%s/%d/%d", inc.Key(), runbook, place)
	press := button(tickButton(ActionTick, id), o.config.Text.Text("button_tick"), value, slackgo.StyleDefault)
	if step.Ticked() {
		who := templates.Markup(mention(step.By.ID, step.By.Name))
		text = ":white_check_mark: " + cutEscaped(step.Text, 2500) + " · " + o.text.Text("runbook_ticked", "person", who, "time", slackTime(step.At))
		press = button(tickButton(ActionUntick, id), o.config.Text.Text("button_untick"), value, slackgo.StyleDefault)
	}
	block := section(text)
	block.Accessory = slackgo.NewAccessory(press)
	return block
}
