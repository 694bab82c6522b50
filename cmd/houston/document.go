package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
	"github.com/houston-sre/houston/templates"
)

// newPostmortems makes the service for postmortems.
func newPostmortems(config Config, service *incidents.Service, store *sqlstore.Store, clock incidents.Clock, zone *time.Location, text *templates.Catalogue) *postmortem.Service {
	language, err := postmortem.ParseLanguage(config.Language)
	if err != nil {
		language = postmortem.English
	}
	return postmortem.NewService(postmortem.Config{
		Incidents: service, Store: store, Clock: clock, Zone: zone, Language: language, Speaker: speaker{text.Plain()},
		StatusPage: config.statusPageURL(),
	})
}

// speaker says the events' sentences by the catalogues.
type speaker struct{ *templates.Catalogue }

func (s speaker) Say(l postmortem.Language, p incidents.Phrase) string {
	return s.In(string(l)).Say(p)
}

func (s speaker) Because(l postmortem.Language, reason string) string {
	return s.In(string(l)).Say(incidents.Phrase{Format: "%s", Args: []any{templates.Reason(reason)}})
}

// document writes an incident's postmortem in one of [incidents.ExportFormats]
// and names its file. Who may have it was decided when it was asked for.
func (a *app) document(ctx context.Context, number int64, format string) (name string, data []byte, err error) {
	if format == "ics" {
		return a.meeting(ctx, number)
	}
	doc, err := a.postmortems.Current(ctx, number, incidents.Request{Actor: incidents.Houston()})
	if err != nil {
		return "", nil, fmt.Errorf("load the postmortem of %s: %w", incidents.Key(number), err)
	}
	return a.render(format, doc)
}

// render writes a document with the files that are kept.
func (a *app) render(format string, doc postmortem.Document) (name string, data []byte, err error) {
	return export.Exporter{Files: kept(a.files), Own: a.own}.Render(format, doc)
}

// kept gives the bytes of captured files to the exports.
func kept(files *bot.Files) export.Files {
	return func(digest string) ([]byte, bool) {
		file, err := files.Open(digest)
		if err != nil {
			return nil, false
		}
		defer func() { _ = file.Close() }()
		data, err := io.ReadAll(file) // no larger than what is fetched from Slack
		return data, err == nil
	}
}

// meeting writes the review meeting of an incident for calendars.
func (a *app) meeting(ctx context.Context, number int64) (name string, data []byte, err error) {
	inc, err := a.store.Incident(ctx, number)
	if err != nil {
		return "", nil, fmt.Errorf("load %s for its review: %w", incidents.Key(number), err)
	}
	m := export.Meeting{Incident: inc, Now: a.clock.Now()}
	if url := strings.TrimRight(a.config.PublicURL, "/"); url != "" {
		m.URL = url + "/incidents/" + inc.Key() + "/postmortem"
	}
	return export.ICS(m)
}
