package webhook

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// decodeZendesk reads a customer's ticket. It takes both ways of Zendesk: an
// event of type ticket.created and its like, with the ticket in detail, and a
// trigger's webhook, whose body is written by hand; Houston asks for
//
//	{"ticket":{"id":"{{ticket.id}}","title":"{{ticket.title}}","status":"{{ticket.status}}",
//	"priority":"{{ticket.priority}}","url":"{{ticket.link}}","tags":"{{ticket.tags}}",
//	"organization":"{{ticket.organization.name}}","description":"{{ticket.description}}"}}
//
// A ticket is an alert that fires until it is solved or closed; an incident that
// comes of it was detected by a customer. Which tickets arrive is decided by
// Zendesk's trigger, and what one does by a route, for instance on
// source="zendesk" and priority.
// https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/
func decodeZendesk(r request) (intake, error) {
	var message struct {
		ID     text          `json:"id"`
		Type   text          `json:"type"`
		Ticket zendeskTicket `json:"ticket"`
		Detail zendeskTicket `json:"detail"`
	}
	if err := decodeObject(r.body, &message); err != nil {
		return intake{}, err
	}
	ticket := message.Ticket
	if ticket.ID == "" {
		ticket = message.Detail
		if message.Type != "" && !strings.HasPrefix(string(message.Type), "zen:event-type:ticket.") {
			return ignore(fmt.Sprintf("an event of type %.60s", message.Type))
		}
	}
	if ticket.ID == "" {
		return intake{}, malformed("ticket.id is missing, and detail.id too")
	}
	id := r.header.Get("X-Zendesk-Webhook-Invocation-Id")
	if id == "" {
		id = string(message.ID)
	}
	alert := ticket.alert()
	return intake{id: id, alerts: []incidents.Delivery{{
		Source: r.source, Receiver: "zendesk", SentBy: "Zendesk", GroupKey: alert.Fingerprint, Labels: map[string]string{"alertname": alert.Labels["alertname"]},
		Alerts: []incidents.Alert{alert}, ReceivedAt: r.now, Body: r.body, Detection: incidents.ByCustomer,
	}}}, nil
}

type zendeskTicket struct {
	ID           text   `json:"id"`
	Title        text   `json:"title"`
	Subject      text   `json:"subject"` // its name in an event
	Description  text   `json:"description"`
	Status       text   `json:"status"`
	Priority     text   `json:"priority"`
	URL          text   `json:"url"`
	Tags         words  `json:"tags"`
	Organization text   `json:"organization"`
	CreatedAt    moment `json:"created_at"`
}

func (t zendeskTicket) alert() incidents.Alert {
	title := string(t.Title)
	if title == "" {
		title = string(t.Subject)
	}
	if title == "" {
		title = "Ticket " + string(t.ID)
	}
	labels := map[string]string{"alertname": title, "source": "zendesk", "ticket": string(t.ID)}
	if t.Priority != "" {
		labels["priority"] = strings.ToLower(string(t.Priority))
	}
	for _, tag := range t.Tags {
		labels["tag_"+tag] = "true"
	}
	alert := incidents.Alert{
		Fingerprint: incidents.FingerprintOf(map[string]string{"zendesk": string(t.ID)}), Labels: labels,
		StartsAt: t.CreatedAt.Time, URL: webAddress(string(t.URL)), Annotations: map[string]string{},
	}
	switch strings.ToLower(string(t.Status)) {
	case "solved", "closed":
	default:
		alert.Firing = true
	}
	summary := "Ticket " + string(t.ID)
	if t.Organization != "" {
		summary += " of " + string(t.Organization)
	}
	if alert.URL != "" {
		summary += " " + alert.URL
	}
	if t.Description != "" {
		summary += "\n" + string(t.Description)
	}
	alert.Annotations["summary"] = summary
	return alert
}

// webAddress completes an address that Zendesk's placeholders give without its
// scheme, and is empty for what is none.
func webAddress(address string) string {
	switch {
	case strings.HasPrefix(address, "https://"), strings.HasPrefix(address, "http://"):
		return address
	case strings.Contains(address, ".") && !strings.ContainsAny(address, ": \n"):
		return "https://" + strings.TrimPrefix(address, "//")
	default:
		return ""
	}
}

// words takes a list of words, or a text with white space between them.
type words []string

// UnmarshalJSON never fails.
func (w *words) UnmarshalJSON(raw []byte) error {
	var list []text
	if json.Unmarshal(raw, &list) != nil {
		list = nil
		for word := range strings.FieldsSeq(textOf(raw)) {
			list = append(list, text(word))
		}
	}
	*w = nil
	for _, word := range list {
		if word != "" && len(*w) < 50 {
			*w = append(*w, string(word))
		}
	}
	return nil
}
