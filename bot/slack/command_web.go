package slack

import (
	"context"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// verbWeb opens the pages in a browser.
const verbWeb verb = "web"

// web gives the one who asks a link that signs in to the pages: in the answer
// that only this person sees, so that it stands in no message and no job.
func (e *Edge) web(ctx context.Context, o order) (reply, error) {
	if o.rest != "" { // "web shop is down" is a title
		return say(e.textFor(o.Actor.ID).Text("meant_as_title", "form", e.declareForm(o.all))), nil
	}
	if e.config.WebLink == nil {
		return reply{}, incidents.Errorf(incidents.Conflict, "This Houston has no pages.")
	}
	link, err := e.config.WebLink(ctx, o.Actor)
	if err != nil {
		return reply{}, err
	}
	return say(e.textFor(o.Actor.ID).Text("web_link", "link", templates.Markup(link))), nil
}
