package slack

import (
	"context"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// declare opens an incident at once.
func (e *Edge) declare(ctx context.Context, o order) (reply, error) {
	example := e.config.Command + " " + string(o.verb) + " Checkout answers 500 --severity sev2"
	d, err := parseDeclare(e.plain(o.rest), example)
	if err != nil {
		return reply{}, err
	}
	result, err := e.config.Service.Declare(ctx, incidents.Declare{
		Request: o.Request, Title: d.title, Summary: d.summary, Service: d.service, Severity: d.severity,
		Private: d.private, Drill: o.verb == verbDrill,
	})
	if err != nil {
		return reply{}, err
	}
	return say(e.declared(o.Actor.ID, result.Incident)), nil
}

// soon is how long a channel may take without a word about it.
const soon = 2 * time.Second

// declared tells what was opened. It says the same however often it is asked,
// but for when the channel comes while Slack opens no more of them.
func (e *Edge) declared(user string, inc incidents.Incident) string {
	texts := e.textFor(user)
	var lines []string
	switch {
	case inc.Drill:
		lines = append(lines, texts.Text("declared_drill", "key", inc.Key(), "title", inc.Title, "severity", inc.Severity))
	case inc.Private:
		lines = append(lines, texts.Text("declared_private", "key", inc.Key(), "title", inc.Title, "severity", inc.Severity))
	default:
		lines = append(lines, texts.Text("declared", "key", inc.Key(), "title", inc.Title, "severity", inc.Severity))
	}
	if inc.BridgeURL != "" {
		lines = append(lines, texts.Text("declared_bridge", "url", inc.BridgeURL))
	}
	channel := "#" + strings.ToLower(inc.Key())
	if !inc.Private {
		channel += "-…"
	}
	if wait := e.config.Client.NextChannel(); inc.Channel == nil && wait > soon {
		lines = append(lines, texts.Text("declared_channel_later", "channel", channel, "seconds", 5*int((wait+5*time.Second-1)/(5*time.Second))))
	} else {
		lines = append(lines, texts.Text("declared_channel", "channel", channel))
	}
	return strings.Join(lines, "\n")
}
