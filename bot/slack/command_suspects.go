package slack

import (
	"context"
	"fmt"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// verbChanges lists the changes that may have to do with an incident.
const verbChanges verb = "changes"

// ActionLinkChange is the menu under that list; a value is the incident's key and
// the change's id, "INC-1/7".
const ActionLinkChange = "link_change"

const (
	suspectsShown  = 8
	catchupChanges = 2
)

// suspects answers `changes`: the likeliest first, each with its reason, and a
// menu that puts one into the timeline.
func (e *Edge) suspects(ctx context.Context, o order) (reply, error) {
	inc, err := e.config.Service.Incident(ctx, o.number, o.Request)
	if err != nil {
		return reply{}, err
	}
	list, err := e.config.Service.Suspects(ctx, inc, suspectsShown)
	if err != nil {
		return reply{}, fmt.Errorf("find the changes beside %s: %w", inc.Key(), err)
	}
	texts := e.textFor(o.Actor.ID)
	if len(list) == 0 {
		return say(texts.Text("changes_none", "key", inc.Key())), nil
	}
	zone := e.config.Directory.Zone(o.Actor.ID)
	lines := []string{texts.Text("changes_head", "key", inc.Key())}
	var options []*slackgo.OptionBlockObject
	for i, s := range list {
		line := texts.Text("changes_line", "number", i+1, "time", e.when(s.Change.StartedAt, zone),
			"title", templates.Markup(linkOr(s.Change.URL, cut(s.Change.Title, catchupEntry))), "kind", s.Change.Kind, "state", s.Change.State, "reason", s.Told())
		if _, linked := inc.Changes[s.Change.ID]; linked {
			line += " " + texts.Text("changes_linked_mark")
		} else {
			options = append(options, slackgo.NewOptionBlockObject(fmt.Sprintf("%s/%d", inc.Key(), s.Change.ID),
				slackgo.NewTextBlockObject(slackgo.PlainTextType, cut(fmt.Sprintf("%d · %s", i+1, s.Change.Title), 75), false, false), nil))
		}
		lines = append(lines, line)
	}
	r := say(strings.Join(lines, "\n"))
	if len(options) > 0 {
		prompt := slackgo.NewTextBlockObject(slackgo.PlainTextType, texts.Plain().Text("changes_pick"), false, false)
		r.button = slackgo.NewActionBlock("changes", slackgo.NewOptionsSelectBlockElement(slackgo.OptTypeStatic, prompt, ActionLinkChange, options...))
	}
	return r, nil
}

// linkOr is a link with a text, or the text alone.
func linkOr(url, text string) string {
	if url == "" {
		return escape(text)
	}
	return link(url, text)
}

// pressLinkChange puts the chosen change into the timeline.
func (e *Edge) pressLinkChange(ctx context.Context, c click) (reply, error) {
	number, ids, ok := keyAnd(firstOf(c.action.Selected.Value, c.action.Value), 1)
	if !ok {
		return e.oldButton(c.Actor.ID), nil
	}
	inc, err := e.config.Service.Incident(ctx, number, c.Request)
	if err != nil {
		return reply{}, err
	}
	suspect, err := e.config.Service.Suspect(ctx, inc, ids[0])
	if err != nil {
		return reply{}, err
	}
	return e.did(ctx, number, incidents.LinkChange{Request: c.Request, Change: suspect.Change, Reason: suspect.Reason}, func(inc incidents.Incident) string {
		return e.textFor(c.Actor.ID).Text("changes_linked", "key", inc.Key(), "title", cut(suspect.Change.Title, catchupEntry))
	})
}

// suspectLines are what `catchup` says of changes: the likeliest ones.
func (e *Edge) suspectLines(ctx context.Context, texts *templates.Catalogue, inc incidents.Incident) ([]string, error) {
	list, err := e.config.Service.Suspects(ctx, inc, catchupChanges)
	if err != nil {
		return nil, fmt.Errorf("find the changes beside %s: %w", inc.Key(), err)
	}
	var lines []string
	for _, s := range list {
		if len(s.Shared) == 0 {
			continue // there is always some change somewhere
		}
		lines = append(lines, texts.Text("catchup_change", "title", cut(s.Change.Title, catchupEntry), "reason", s.Told()))
	}
	return lines, nil
}
