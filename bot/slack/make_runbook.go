package slack

import (
	"context"
	"fmt"
	"strconv"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// runbookSteps is how many steps of a runbook one message shows: with the head,
// a heading for each and the count of the rest it stays below 50 blocks.
const runbookSteps = 40

// runbookMaker shows a runbook in the incident's channel, in one message in
// which people tick its steps off.
type runbookMaker struct{ *Outbound }

func (m runbookMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
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
	place, _ := strconv.ParseInt(work.Effect.Target, 10, 64) // ours
	runbook, _ := work.Incident.Attached(place)
	ticked := 0
	for _, step := range runbook.Steps {
		if step.Ticked() {
			ticked++
		}
	}
	m := words(o.text.Text("runbook_head", "name", templates.Markup(cutEscaped(runbook.Name, 200)), "done", ticked, "all", len(runbook.Steps)))
	heading, room := "", 48 // blocks beside the head and the count of the rest
	for i, step := range runbook.Steps {
		if step.Heading != heading {
			heading = step.Heading
			m.Blocks = append(m.Blocks, section("*"+cutEscaped(heading, 300)+"*"))
			room--
		}
		m.Blocks = append(m.Blocks, o.runbookStep(work.Incident, place, int64(i)+1, step))
		room--
		if rest := len(runbook.Steps) - i - 1; rest > 0 && (i+1 == runbookSteps || room < 2) {
			m.Blocks = append(m.Blocks, section(o.text.Text("list_more", "count", rest)))
			break
		}
	}
	return m
}

// runbookStep is a step with the button that ticks it off, or takes that back.
func (o *Outbound) runbookStep(inc incidents.Incident, runbook, place int64, step incidents.TickedStep) slackgo.Block {
	text := ":white_medium_square: " + cutEscaped(step.Text, 2500)
	value := fmt.Sprintf("%s/%d/%d", inc.Key(), runbook, place)
	press := button(tickButton(ActionTick, place), o.config.Text.Text("button_tick"), value, slackgo.StyleDefault)
	if step.Ticked() {
		who := templates.Markup(mention(step.By.ID, step.By.Name))
		text = ":white_check_mark: " + cutEscaped(step.Text, 2500) + " · " + o.text.Text("runbook_ticked", "person", who, "time", slackTime(step.At))
		press = button(tickButton(ActionUntick, place), o.config.Text.Text("button_untick"), value, slackgo.StyleDefault)
	}
	block := section(text)
	block.Accessory = slackgo.NewAccessory(press)
	return block
}
