package webhook

import (
	"fmt"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// decodePagerDuty reads PagerDuty's v3 webhooks
// (developer.pagerduty.com/docs/webhooks-overview). An incident of theirs is an
// alert of ours: it fires from triggered or reopened to resolved. One that is a
// page of ours is no alert, but tells how the page stands. What else they
// tell is none of our business and answered with success, or they would send it
// again for two days.
func decodePagerDuty(r request) (intake, error) {
	var message struct {
		Event *struct {
			ID         text   `json:"id"`
			Type       text   `json:"event_type"`
			OccurredAt moment `json:"occurred_at"`
			Agent      struct {
				Summary text `json:"summary"`
			} `json:"agent"`
			Data pagerDutyIncident `json:"data"`
		} `json:"event"`
	}
	if err := decodeObject(r.body, &message); err != nil {
		return intake{}, err
	}
	event := message.Event
	if event == nil || event.Type == "" {
		return intake{}, malformed("event is missing, or has no event_type")
	}
	if incidents.OwnPage(string(event.Data.Key)) {
		signal := incidents.PageSignal{Key: string(event.Data.Key), By: string(event.Agent.Summary), At: event.OccurredAt.Time}
		switch event.Type {
		case "incident.acknowledged":
			signal.State = incidents.PageAcknowledged
		case "incident.resolved":
			signal.State = incidents.PageResolved
		default:
			return ignore(fmt.Sprintf("an event of type %.60s about Houston's own page", event.Type))
		}
		return intake{id: string(event.ID), pages: []incidents.PageSignal{signal}}, nil
	}
	alert := event.Data.alert()
	switch event.Type {
	case "incident.triggered", "incident.reopened", "incident.unacknowledged":
		alert.Firing = true
	case "incident.resolved":
		alert.EndsAt = event.OccurredAt.Time
	default:
		return ignore(fmt.Sprintf("an event of type %.60s", event.Type))
	}
	if event.Data.ID == "" {
		return intake{}, malformed("event.data.id is missing")
	}
	return intake{id: string(event.ID), alerts: []incidents.Delivery{{
		Source: r.source, Receiver: "pagerduty", SentBy: "PagerDuty", GroupKey: alert.Fingerprint,
		Labels: map[string]string{"alertname": alert.Labels["alertname"]},
		Alerts: []incidents.Alert{alert}, ReceivedAt: r.now, Body: r.body,
	}}}, nil
}

type pagerDutyIncident struct {
	ID        text   `json:"id"`
	URL       text   `json:"html_url"`
	Key       text   `json:"incident_key"`
	Title     text   `json:"title"`
	CreatedAt moment `json:"created_at"`
	Urgency   text   `json:"urgency"`
	Service   struct {
		Summary text `json:"summary"`
	} `json:"service"`
	Priority struct {
		Summary text `json:"summary"`
	} `json:"priority"`
}

// alert makes an alert of the incident, for routes to match by. P1 and SEV1 are
// critical; an urgency alone opens nothing by itself, since it already wakes
// people up over there.
func (p pagerDutyIncident) alert() incidents.Alert {
	labels := map[string]string{"alertname": string(p.Title), "pagerduty_id": string(p.ID)}
	for name, value := range map[string]text{"service": p.Service.Summary, "urgency": p.Urgency, "priority": p.Priority.Summary} {
		if value != "" {
			labels[name] = string(value)
		}
	}
	switch strings.ToLower(string(p.Priority.Summary)) {
	case "p1", "sev1", "sev-1":
		labels["severity"] = "critical"
	}
	fingerprint := "pagerduty-" + string(p.ID)
	if len(fingerprint) > maxFingerprint {
		fingerprint = incidents.FingerprintOf(map[string]string{"id": fingerprint})
	}
	return incidents.Alert{
		Fingerprint: fingerprint, Labels: labels, StartsAt: p.CreatedAt.Time, URL: string(p.URL),
	}
}
