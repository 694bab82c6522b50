package slack

import (
	"context"
	"encoding/json"
	"time"

	"github.com/slack-go/slack"
)

// takeEvent takes a delivery of the Events API
// (https://docs.slack.dev/apis/events-api). Whatever it is, it is acknowledged:
// an event that is not known or can not be read would only come again. What is
// done with events so far may be done any number of times.
func (e *Edge) takeEvent(ctx context.Context, transport string, raw []byte) {
	defer e.observe(transport, kindEvent, time.Now())
	var delivery struct {
		Type  string `json:"type"`
		Event struct {
			Type string          `json:"type"`
			User json.RawMessage `json:"user"` // an object or an id, by the type
		} `json:"event"`
	}
	if err := json.Unmarshal(raw, &delivery); err != nil {
		e.config.Log.WarnContext(ctx, "an event could not be read", "error", err)
		return
	}
	if delivery.Type == "app_rate_limited" {
		e.config.Log.WarnContext(ctx, "Slack holds events back: there are more than it delivers in an hour")
		return
	}
	switch delivery.Event.Type {
	case "user_change", "team_join":
		var user slack.User
		if err := json.Unmarshal(delivery.Event.User, &user); err != nil {
			e.config.Log.WarnContext(ctx, "a person in an event could not be read", "event", delivery.Event.Type, "error", err)
			return
		}
		e.config.Directory.Learn(user)
	default:
		// Not of interest, or not yet.
	}
}
