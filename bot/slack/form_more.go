package slack

import (
	"context"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// formMore lists what can be done to an incident beside the card's buttons.
const formMore = "more"

// actionForm begins the action ids of buttons that open a form in the view they
// stand in; the form's callback id follows, their value is the incident's key.
const actionForm = "form_"

func moreWords(t *templates.Catalogue) (title, submit string) { return t.Text("more_title"), "" }

func (e *Edge) buildMore(_ context.Context, f formFor) ([]slackgo.Block, error) {
	buttons := []slackgo.BlockElement{
		e.formButton(formUpdate, f.texts.Text("button_post_update"), f.inc),
		e.formButton(formRoles, f.texts.Text("roles_title"), f.inc),
		e.formButton(formTimeline, f.texts.Text("timeline_title"), f.inc),
		e.formButton(formAction, f.texts.Text("action_title"), f.inc),
		e.formButton(formFacts, f.texts.Text("facts_title"), f.inc),
	}
	if !f.inc.Private && !f.inc.Drill {
		buttons = append(buttons, e.formButton(formNotice, f.texts.Text("notice_title"), f.inc))
	}
	if f.inc.Status.Open() {
		buttons = append(buttons, e.formButton(formResolve, f.texts.Text("resolve_title"), f.inc), e.formButton(formMerge, f.texts.Text("merge_title"), f.inc))
	}
	commands := slackgo.NewTextBlockObject(slackgo.MarkdownType, e.helpOnAll(e.textFor(f.actor.ID)), false, false)
	return []slackgo.Block{
		e.words(f.inc.Key() + " " + f.inc.Title),
		slackgo.NewActionBlock("more", buttons...),
		slackgo.NewSectionBlock(commands, nil, nil),
	}, nil
}

func (e *Edge) formButton(form, label string, inc incidents.Incident) *slackgo.ButtonBlockElement {
	return slackgo.NewButtonBlockElement(actionForm+form, inc.Key(), e.label(cut(label, maxButton)))
}

// pressForm opens a form: in the view that was clicked, else in one of its own.
func pressForm(form string) pressing {
	return onIncident(func(e *Edge, ctx context.Context, c click, number int64) (reply, error) {
		r := formRequest{user: c.in.person(), trigger: c.in.TriggerID, form: form}
		if c.in.View.ID == "" {
			r.meta = formMeta{origin: origin{Channel: c.In, ResponseURL: c.in.ResponseURL}, Number: number}
			e.openIncidentForm(ctx, r)
			return reply{}, nil
		}
		r.meta = e.submittedOf(ctx, c.in).meta
		r.meta.Number = number
		ctx = context.WithoutCancel(ctx)
		e.answers.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, fillTimeout)
			defer cancel()
			e.fillForm(ctx, c.in.View.ID, r)
		})
		return reply{}, nil
	})
}
