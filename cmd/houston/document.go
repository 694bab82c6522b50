package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// document writes an incident's postmortem in one of [incidents.ExportFormats];
// name is what readers see above the file.
func (a *app) document(ctx context.Context, number int64, format string) (name string, data []byte, err error) {
	inc, err := a.store.Incident(ctx, number)
	if err != nil {
		return "", nil, fmt.Errorf("load %s for its postmortem: %w", incidents.Key(number), err)
	}
	events, err := a.store.Events(ctx, number)
	if err != nil {
		return "", nil, fmt.Errorf("load events of %s for its postmortem: %w", inc.Key(), err)
	}
	facts := postmortem.FactsOf(inc, events)
	var b bytes.Buffer
	switch format {
	case "json":
		err = export.JSON(&b, facts)
	default:
		err = export.Markdown(&b, facts, a.zone)
	}
	if err != nil {
		return "", nil, fmt.Errorf("write the postmortem of %s: %w", inc.Key(), err)
	}
	return "Postmortem " + inc.Key(), b.Bytes(), nil
}
