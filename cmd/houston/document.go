package main

import (
	"context"
	"fmt"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// documentAlerts bounds the alerts a document is made from: enough for any
// verdict on what was noticed first, whatever a storm brought.
const documentAlerts = 500

// document writes an incident's postmortem in one of [incidents.ExportFormats]
// and names its file.
func (a *app) document(ctx context.Context, number int64, format string) (name string, data []byte, err error) {
	inc, err := a.store.Incident(ctx, number)
	if err != nil {
		return "", nil, fmt.Errorf("load %s for its postmortem: %w", incidents.Key(number), err)
	}
	events, err := a.store.Events(ctx, number)
	if err != nil {
		return "", nil, fmt.Errorf("load events of %s for its postmortem: %w", inc.Key(), err)
	}
	alerts, err := a.store.Alerts(ctx, number, documentAlerts)
	if err != nil {
		return "", nil, fmt.Errorf("load alerts of %s for its postmortem: %w", inc.Key(), err)
	}
	return export.Render(format, postmortem.DraftOf(inc, events, alerts, a.clock.Now()), a.zone)
}
