package pager

import (
	"context"
	"net/http"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// PagerDuty pages by the Events API v2
// (developer.pagerduty.com/docs/events-api-v2/trigger-events/). The page's key is
// its dedup_key: a second trigger of it is the same incident there. How a page
// stands is told by the webhook, not asked.
type PagerDuty struct { //nolint:revive // the vendor's name, as the other files have theirs
	client client
	url    string
	keys   map[string]string
}

// NewPagerDuty makes a PagerDuty. url is https://events.pagerduty.com or a
// stand-in's; keys are routing keys by target.
func NewPagerDuty(url string, keys map[string]string) *PagerDuty {
	return &PagerDuty{client: newClient("PagerDuty"), url: strings.TrimSuffix(url, "/") + "/v2/enqueue", keys: keys}
}

type pagerDutyEvent struct {
	RoutingKey string            `json:"routing_key"`
	Action     string            `json:"event_action"`
	DedupKey   string            `json:"dedup_key"`
	Payload    *pagerDutyPayload `json:"payload,omitempty"`
	Links      []pagerDutyLink   `json:"links,omitempty"`
	Client     string            `json:"client,omitempty"`
}

type pagerDutyPayload struct {
	Summary  string            `json:"summary"` // at most 1,024 characters
	Source   string            `json:"source"`
	Severity string            `json:"severity"`
	Details  map[string]string `json:"custom_details,omitempty"`
}

type pagerDutyLink struct {
	Href string `json:"href"`
	Text string `json:"text"`
}

// Page triggers an event.
func (p *PagerDuty) Page(ctx context.Context, call Call) (string, error) {
	severity := "critical"
	if call.Severity == incidents.Sev3 || call.Severity == incidents.Sev4 {
		severity = "error"
	}
	event := pagerDutyEvent{Action: "trigger", DedupKey: call.Page.Key, Client: "Houston", Payload: &pagerDutyPayload{
		Summary: cut(call.Summary, 1024), Source: "houston", Severity: severity,
	}}
	if details := strings.TrimSpace(call.Details); details != "" {
		event.Payload.Details = map[string]string{"details": cut(details, 4000)}
	}
	for _, link := range []pagerDutyLink{{call.Link, "Incident"}, {call.Bridge, "Video call"}} {
		if link.Href != "" {
			event.Links = append(event.Links, link)
		}
	}
	return call.Page.Key, p.send(ctx, call.Page.Target, event)
}

// Resolve resolves the event.
func (p *PagerDuty) Resolve(ctx context.Context, page incidents.Page) error {
	return p.send(ctx, page.Target, pagerDutyEvent{Action: "resolve", DedupKey: page.Key})
}

func (p *PagerDuty) send(ctx context.Context, target string, event pagerDutyEvent) error {
	if event.RoutingKey = p.keys[target]; event.RoutingKey == "" {
		return unknownTarget(target)
	}
	return p.client.do(ctx, http.MethodPost, p.url, nil, event, nil)
}
