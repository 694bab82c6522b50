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
		return say(e.text.Text("list_empty")), nil
	}
	lines := []string{e.text.Text("list_head", "count", count(len(open), listMost))}
	for _, inc := range open[:min(len(open), listLines)] {
		lines = append(lines, e.listLine(inc))
	}
	if more := len(open) - listLines; more > 0 {
		lines = append(lines, e.text.Text("list_more", "count", count(more, listMost-listLines)))
	}
	return say(strings.Join(lines, "\n")), nil
}

func (e *Edge) listLine(inc incidents.Incident) string {
	where := ""
	if inc.Channel != nil {
		where = "<#" + inc.Channel.ID + ">"
	}
	title := inc.Title
	if r := []rune(title); len(r) > listTitle {
		title = string(r[:listTitle-1]) + "…"
	}
	return strings.TrimSpace(e.text.Text("list_line",
		"key", inc.Key(), "severity", inc.Severity, "status", inc.Status, "title", title, "channel", templates.Markup(where)))
}

// mayList holds DESIGN's rule: guests read in the channels they are in, and a
// list shows more than that.
func (e *Edge) mayList(actor incidents.Actor) error {
	switch actor.Standing {
	case incidents.Member, incidents.Trusted:
		return nil
	case incidents.Guest, incidents.Stranger:
		return &incidents.Error{Kind: incidents.Forbidden, Message: e.config.Text.Text("list_guest")}
	default:
		return &incidents.Error{Kind: incidents.Unavailable, Message: e.config.Text.Text("unproven")}
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
func count(n, most int) string {
	if n >= most {
		return fmt.Sprintf("at least %d", n)
	}
	return strconv.Itoa(n)
}
