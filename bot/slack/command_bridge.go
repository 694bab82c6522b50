package slack

import (
	"context"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// bridge shows the video call, or has people meet in another one.
func (e *Edge) bridge(ctx context.Context, o order) (reply, error) {
	texts := e.textFor(o.Actor.ID)
	if strings.TrimSpace(o.rest) != "" {
		return e.did(ctx, o.number, incidents.SetBridge{Request: o.Request, URL: e.plain(o.rest)}, func(inc incidents.Incident) string {
			return texts.Text("declared_bridge", "url", inc.BridgeURL)
		})
	}
	return e.hint(ctx, o.Request, o.number, func(inc incidents.Incident) string {
		if inc.BridgeURL == "" {
			return texts.Text("bridge_none", "key", inc.Key(), "command", e.config.Command)
		}
		return texts.Text("declared_bridge", "url", inc.BridgeURL)
	})
}
