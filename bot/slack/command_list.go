package slack

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

const (
	listLines = 15  // incidents shown
	listMost  = 100 // incidents counted
	listTitle = 100 // characters of a title
)

// list shows the open incidents, the newest first.
func (e *Edge) list(ctx context.Context, o order) (reply, error) {
	if err := e.mayList(o.Actor); err != nil {
		return reply{}, err
	}
	open, err := e.config.Service.Store().Incidents(ctx, incidents.Query{
		Statuses: openStatuses(), Private: e.config.Service.SeesAllPrivate(o.Actor), Limit: listMost,
	})
	if err != nil {
		return reply{}, fmt.Errorf("list open incidents: %w", err)
	}
	if len(open) == 0 {
		return say(e.textFor(o.Actor.ID).Text("list_empty")), nil
	}
	lines := []string{e.textFor(o.Actor.ID).Text("list_head", "count", count(e.textFor(o.Actor.ID), len(open), listMost))}
	for _, inc := range open[:min(len(open), listLines)] {
		lines = append(lines, e.listLine(o.Actor.ID, inc))
	}
	if more := len(open) - listLines; more > 0 {
		lines = append(lines, e.textFor(o.Actor.ID).Text("list_more", "count", count(e.textFor(o.Actor.ID), more, listMost-listLines)))
	}
	return say(strings.Join(lines, "\n")), nil
}

func (e *Edge) listLine(user string, inc incidents.Incident) string {
	where := ""
	if inc.Channel != nil {
		where = "<#" + inc.Channel.ID + ">"
	}
	return strings.TrimSpace(e.textFor(user).Text("list_line",
		"key", inc.Key(), "severity", inc.Severity, "status", inc.Status, "title", cut(inc.Title, listTitle), "channel", templates.Markup(where)))
}

// mayList holds DESIGN's rule: guests read in the channels they are in, and a
// list shows more than that.
func (e *Edge) mayList(actor incidents.Actor) error {
	switch actor.Standing {
	case incidents.Member, incidents.Trusted:
		return nil
	case incidents.Guest, incidents.Stranger:
		return incidents.Errorf(incidents.Forbidden, "Guests see the incidents whose channels they are in, and no list.")
	default:
		return incidents.Errorf(incidents.Unavailable, "Slack did not tell who you are, so nothing was done. Try again in a moment.")
	}
}

func openStatuses() []incidents.Status {
	var open []incidents.Status
	for _, s := range incidents.Statuses() {
		if s.Open() {
			open = append(open, s)
		}
	}
	return open
}

// count says a number that was counted up to most only.
func count(texts *templates.Catalogue, n, most int) string {
	if n >= most {
		return texts.Text("count_at_least", "number", n)
	}
	return strconv.Itoa(n)
}
