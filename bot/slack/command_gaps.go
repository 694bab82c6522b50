package slack

import (
	"context"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// gaps is the verb: alone it lists the incident's monitoring gaps; "add <signal>"
// adds one, "accept <number> <reason>" leaves one as it is.
func (e *Edge) gaps(ctx context.Context, o order) (reply, error) {
	word, rest := splitWord(o.rest)
	switch strings.ToLower(word) {
	case "":
		return e.listGaps(ctx, o)
	case "add", "neu":
		return e.did(ctx, o.number, incidents.AddGap{Request: o.Request, Signal: e.plain(rest)}, func(inc incidents.Incident) string {
			return e.textFor(o.Actor.ID).Text("done_gap", "key", inc.Key(), "number", len(inc.Gaps))
		})
	case "accept", "hinnehmen":
		number, reason := splitWord(rest)
		if id, err := strconv.ParseInt(number, 10, 64); err == nil {
			accepted, why := incidents.GapAccepted, e.plain(reason)
			return e.did(ctx, o.number, incidents.ChangeGap{Request: o.Request, ID: id, State: &accepted, Reason: &why}, func(inc incidents.Incident) string {
				return e.textFor(o.Actor.ID).Text("done_gap_accepted", "key", inc.Key(), "number", id)
			})
		}
	}
	return say(e.textFor(o.Actor.ID).Text("gaps_usage", "command", e.config.Command)), nil
}

func (e *Edge) listGaps(ctx context.Context, o order) (reply, error) {
	return e.hint(ctx, o.Request, o.number, func(inc incidents.Incident) string {
		t := e.textFor(o.Actor.ID)
		if len(inc.Gaps) == 0 {
			return t.Text("gaps_none", "key", inc.Key(), "command", e.config.Command)
		}
		lines := []string{t.Text("gaps_head", "key", inc.Key())}
		for _, g := range inc.Gaps {
			closing := t.Text("gap_no_action")
			if item, ok := inc.ClosedBy(g); ok {
				closing = t.Text("gap_action", "number", item.ID, "state", item.Stands())
			}
			lines = append(lines, "• "+t.Text("gap_line", "number", g.ID, "signal", cut(g.Signal, 200), "state", g.State)+" · "+closing)
		}
		return strings.Join(lines, "\n")
	})
}
