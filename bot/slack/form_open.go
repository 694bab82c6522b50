package slack

import (
	"context"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// formTimeout bounds the opening of a form. Slack takes a trigger for three
// seconds; what is later than that is refused, and the person told.
const formTimeout = 5 * time.Second

// whereTimeout bounds the look whether a command comes from an incident's
// channel: a report is not to wait for a slow database.
const whereTimeout = 700 * time.Millisecond

// asksForForm reports whether a command opens the declare form: one without
// words, and a title without a verb, both outside of an incident's channel.
func (e *Edge) asksForForm(ctx context.Context, c slashCommand, o order) bool {
	if c.TriggerID == "" {
		return false
	}
	if o.verb != "" {
		if _, ok := find(o.verb); ok {
			return false
		}
		if _, slip := nearVerb(o.all); slip {
			return false
		}
	}
	ctx, cancel := context.WithTimeout(ctx, whereTimeout)
	defer cancel()
	_, err := e.config.Service.Store().IncidentByChannel(ctx, o.In)
	return err != nil
}

// openForm has the declare form opened beside the request it belongs to, so that
// no call to Slack delays the answer. When it can not be opened the person is
// told by the response URL how to declare without it, with the words he typed.
func (e *Edge) openForm(ctx context.Context, user incidents.Person, trigger string, f form) {
	ctx = context.WithoutCancel(ctx)
	e.answers.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, formTimeout)
		defer cancel()
		actor := e.config.Directory.Actor(ctx, user.ID, user.Name)
		switch actor.Standing {
		case incidents.Guest, incidents.Stranger:
			e.answerTo(ctx, user.ID, f.origin.ResponseURL, say(e.textFor(user.ID).Text("declare_guest")))
			return
		default: // whoever is not proven yet may be so when he submits
		}
		opened, err := e.config.Client.API().OpenViewContext(ctx, trigger, e.formView(user.ID, f))
		if err == nil {
			e.showSimilar(ctx, actor, opened.ID, f)
			return
		}
		if refusedAs(err, "exchanged_trigger_id") { // an earlier delivery of the same has opened it
			return
		}
		e.config.Log.WarnContext(ctx, "the declare form could not be opened", "error", err)
		title := f.title
		if title == "" {
			title = e.textFor(user.ID).Plain().Text("form_example")
		}
		e.answerTo(ctx, user.ID, f.origin.ResponseURL, say(e.textFor(user.ID).Text("form_not_opened", "form", e.declareForm(title))))
	})
}
