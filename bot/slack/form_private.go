package slack

import (
	"context"
	"slices"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// stillInTimeout bounds the question who is in a private channel: Slack waits three
// seconds for the answer to a form.
const stillInTimeout = 2 * time.Second

// stillIn holds a form to who is in its channel when it is submitted. It says
// where it was opened, which shows a private incident to those who are in there;
// whoever was taken out since is treated as anybody outside.
func (e *Edge) stillIn(ctx context.Context, req *incidents.Request) error {
	inc, found, err := e.incidentIn(ctx, req.In)
	if err != nil || !found || !inc.Private {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, stillInTimeout)
	defer cancel()
	channels, err := e.members.PrivateChannels(ctx, req.Actor.ID)
	if err != nil {
		e.config.Log.WarnContext(ctx, "Slack does not tell who is in a private channel", "error", err)
		return incidents.Errorf(incidents.Unavailable, "Slack did not tell who you are, so nothing was done. Try again in a moment.")
	}
	if !slices.Contains(channels, req.In) {
		req.In = ""
	}
	return nil
}
