package slack

import (
	"context"

	"github.com/houston-sre/houston/incidents"
)

// verbPage has somebody woken by the pager.
const verbPage verb = "page"

// page answers `page <who>`: whom the pager's configuration names.
func (e *Edge) page(ctx context.Context, o order) (reply, error) {
	target := e.plain(o.rest)
	result, err := e.config.Service.Page(ctx, o.number, incidents.PageOut{Request: o.Request, Target: target})
	if err != nil {
		return reply{}, err
	}
	return say(e.textFor(o.Actor.ID).Text("done_page", "key", result.Incident.Key())), nil
}
