package slack

import (
	"context"
	"slices"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// formMerge merges an incident into another one that is open.
const formMerge = "merge"

func mergeWords(t *templates.Catalogue) (title, submit string) {
	return t.Text("merge_title"), t.Text("merge_submit")
}

func (e *Edge) buildMerge(ctx context.Context, f formFor) ([]slackgo.Block, error) {
	if err := e.mayList(f.actor); err != nil {
		return nil, err
	}
	open, err := e.openIncidents(ctx, f.actor, "")
	if err != nil {
		return nil, err
	}
	open = slices.DeleteFunc(open, func(inc incidents.Incident) bool { return inc.Number == f.inc.Number })
	if len(open) == 0 {
		return nil, incidents.Errorf(incidents.Conflict, "No other incident is open that %s could be merged into.", f.inc.Key())
	}
	return []slackgo.Block{
		e.words(f.texts.Text("merge_explained", "key", f.inc.Key(), "title", f.inc.Title)),
		needed(e.input(inputIncident, f.texts.Text("merge_input_into"), "", e.incidentMenu(f.actor.ID, inputIncident, open))),
	}, nil
}

func (e *Edge) takeMerge(ctx context.Context, s submitted) (reply, error) {
	into, err := incidents.ParseKey(s.in.View.input(inputIncident).Selected.Value)
	if err != nil {
		return reply{}, atField(inputIncident, err)
	}
	result, err := e.config.Service.Merge(ctx, incidents.Merge{Request: s.Request, Number: s.meta.Number, Into: into})
	if err != nil || result.Repeated {
		return reply{}, atField(inputIncident, err)
	}
	return say(e.textFor(s.Actor.ID).Text("done_merge", "key", result.Incident.Key(), "into", incidents.Key(into))), nil
}
