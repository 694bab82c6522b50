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

// ActionGoOn stands under the question whether an incident is over; its value is
// the incident's key.
const ActionGoOn = "still_going_on"

func (e *Edge) pressGoOn(ctx context.Context, c click, number int64) (reply, error) {
	return e.did(ctx, number, incidents.GoOn{Request: c.Request}, func(inc incidents.Incident) string {
		return e.textFor(c.Actor.ID).Text("done_go_on", "key", inc.Key())
	})
}

// clearMaker asks in the incident's channel whether it is over, once all its
// alerts are resolved, in a message that is kept current.
type clearMaker struct{ *Outbound }

func (m clearMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	question, err := m.clearMessage(work)
	if err != nil {
		return bot.Made{}, err
	}
	return m.post(ctx, work, channel, question, work.Incident.Seq)
}

func (m clearMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, channel, 0)
}

func (m clearMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	question, err := m.clearMessage(work)
	if err != nil {
		return bot.Made{}, err
	}
	return m.edit(ctx, work, question, work.Incident.Seq)
}

// clearMessage is the question of a round while it is open, and afterwards what
// came of it.
func (o *Outbound) clearMessage(work bot.Work) (posting, error) {
	inc := work.Incident
	round, err := strconv.ParseInt(work.Effect.Target, 10, 64)
	if err != nil || inc.Clear == nil {
		return posting{}, fmt.Errorf("read the round of effect %s: %w", work.Effect.Key, err)
	}
	switch {
	case round < inc.Clear.Round:
		return words(o.text.Text("clear_earlier", "key", inc.Key())), nil
	case !inc.Status.Open():
		return words(o.text.Text("clear_over", "key", inc.Key(), "status", inc.Status)), nil
	case !inc.Quiet():
		return words(o.text.Text("clear_again", "key", inc.Key(), "firing", o.firesText(inc.AlertsFiring()))), nil
	case inc.Clear.Answered.Name != "" || inc.Clear.Answered.ID != "":
		who := templates.Markup(mention(inc.Clear.Answered.ID, inc.Clear.Answered.Name))
		return words(o.text.Text("clear_answered", "key", inc.Key(), "person", who)), nil
	}
	m := words(o.text.Text("clear_question", "key", inc.Key()))
	m.Blocks = append(m.Blocks, slackgo.NewActionBlock("clear",
		button(ActionResolve, o.config.Text.Text("button_resolve_now"), inc.Key(), slackgo.StylePrimary),
		button(ActionGoOn, o.config.Text.Text("button_go_on"), inc.Key(), slackgo.StyleDefault)))
	return m, nil
}

func (o *Outbound) firesText(n int) string {
	if n == 1 {
		return o.text.Text("fires_one")
	}
	return o.text.Text("fires_many", "count", n)
}
