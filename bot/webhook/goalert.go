package webhook

import (
	"fmt"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// decodeGoAlert reads what GoAlert's webhook destination tells of an alert
// (target/goalert, notification/webhook: Type is AlertStatus, LogEntry what is
// written in its log). It can not send a token in a header, so the webhook's
// address holds it as a password: https://goalert:TOKEN@houston.example.com/webhooks/goalert.
func decodeGoAlert(r request) (intake, error) {
	var m struct {
		Type     text `json:"Type"`
		AlertID  text `json:"AlertID"`
		LogEntry text `json:"LogEntry"`
	}
	if err := decodeObject(r.body, &m); err != nil {
		return intake{}, err
	}
	if m.Type == "" {
		return intake{}, malformed("Type is missing")
	}
	if m.Type != "AlertStatus" || m.AlertID == "" {
		return ignore(fmt.Sprintf("a message of type %.40s", m.Type))
	}
	signal := incidents.PageSignal{ID: string(m.AlertID)}
	entry := string(m.LogEntry)
	switch lower := strings.ToLower(entry); {
	case strings.HasPrefix(lower, "acknowledged"):
		signal.State = incidents.PageAcknowledged
	case strings.HasPrefix(lower, "closed"):
		signal.State = incidents.PageResolved
	default:
		return ignore("a log entry that is neither acknowledged nor closed")
	}
	if _, by, ok := strings.Cut(entry, " by "); ok {
		by, _, _ = strings.Cut(by, " via ")
		signal.By = strings.TrimSuffix(strings.TrimSpace(by), ".")
	}
	return intake{pages: []incidents.PageSignal{signal}}, nil
}
