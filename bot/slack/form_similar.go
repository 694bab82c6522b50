package slack

import (
	"context"
	"slices"
	"strings"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// similarTimeout bounds the look for similar incidents: declaring never waits
// for it longer than that.
const similarTimeout = time.Second

// similar finds the open incidents that a report may be about. When they can not
// be read in time there are none.
func (e *Edge) similar(ctx context.Context, actor incidents.Actor, title, service string) []incidents.Incident {
	if strings.TrimSpace(title)+strings.TrimSpace(service) == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, similarTimeout)
	defer cancel()
	open, err := e.openIncidents(ctx, actor, "")
	if err != nil {
		e.config.Log.WarnContext(ctx, "similar incidents could not be looked for", "error", err)
		return nil
	}
	now := e.config.Clock.Now()
	open = slices.DeleteFunc(open, func(inc incidents.Incident) bool {
		// It is this very report, delivered again.
		return inc.Reporter.ID == actor.ID && inc.Title == strings.TrimSpace(title) && now.Sub(inc.Times[incidents.DeclaredAt].At) < time.Minute
	})
	return incidents.Similar(title, service, open)
}

// similarBlock shows the similar incidents above the declare form.
func (e *Edge) similarBlock(user string, similar []incidents.Incident) *slackgo.SectionBlock {
	texts := e.textFor(user)
	lines := []string{texts.Text("similar_head")}
	for _, inc := range similar {
		lines = append(lines, e.listLine(user, inc))
	}
	lines = append(lines, texts.Text("similar_foot"))
	return slackgo.NewSectionBlock(slackgo.NewTextBlockObject(slackgo.MarkdownType, cutMarkup(strings.Join(lines, "\n"), maxSection), false, false), nil, nil)
}

// showSimilar adds the similar incidents to a declare form that has a title
// already and stands open.
func (e *Edge) showSimilar(ctx context.Context, actor incidents.Actor, view string, f form) {
	if f.similar = e.similar(ctx, actor, f.title, ""); len(f.similar) == 0 {
		return
	}
	_, err := e.config.Client.API().UpdateViewContext(ctx, e.formView(actor.ID, f), "", "", view)
	if err != nil && !refusedAs(err, "not_found") { // else it was closed meanwhile
		e.config.Log.WarnContext(ctx, "similar incidents could not be shown", "error", err)
	}
}

// unseen gives the similar incidents that somebody was not shown yet.
func unseen(similar []incidents.Incident, seen []int64) []incidents.Incident {
	return slices.DeleteFunc(slices.Clone(similar), func(inc incidents.Incident) bool { return slices.Contains(seen, inc.Number) })
}

// askAgain shows similar incidents in the form that was submitted, once: it keeps
// what was filled in, and the next submission declares.
func (e *Edge) askAgain(user string, c incidents.Declare, meta formMeta, similar []incidents.Incident) []byte {
	f := form{
		title: c.Title, summary: c.Summary, service: c.Service, severity: c.Severity, private: c.Private, origin: meta.origin, seen: meta.Seen,
		similar: similar,
	}
	return nextView{Action: "update", View: e.formView(user, f)}.encode()
}
