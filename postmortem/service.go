package postmortem

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// alertsJudged is how many of an incident's alerts a draft looks at for when the
// first one began to fire; when the first was received is in the log anyway.
const alertsJudged = 1000

// Store is what a [Service] reads. Everything is written by incidents.Service,
// in the transaction of the event that says so.
type Store interface {
	Events(ctx context.Context, number int64) ([]incidents.Event, error)
	Alerts(ctx context.Context, number int64, limit int) ([]incidents.Alert, error)
	// Revision and Publication answer NotFound when there is none.
	Revision(ctx context.Context, number, rev int64) (incidents.Revision, error)
	Revisions(ctx context.Context, number int64) ([]incidents.Revision, error)
	Publication(ctx context.Context, number, edition int64) (incidents.Publication, error)
	// Publications lists those of one incident (0: of all that are not private),
	// the newest first.
	Publications(ctx context.Context, number int64, limit int) ([]incidents.Publication, error)
	ActionItems(ctx context.Context, q incidents.ActionQuery) ([]incidents.ListedAction, error)
	Gaps(ctx context.Context, q incidents.GapQuery) ([]incidents.ListedGap, error)
	Postmortems(ctx context.Context, q incidents.PostmortemQuery) ([]incidents.Incident, error)
}

// Config of a [Service]. Incidents, Store and Clock are required.
type Config struct {
	Incidents *incidents.Service
	Store     Store
	Clock     incidents.Clock
	Zone      *time.Location // of documents; nil: UTC
	Language  Language       // of documents nobody chose one for; empty: English
	Speaker   Speaker        // nil: what the events say stays English
	// StatusPage is the address of the page on which notices are published; empty:
	// documents lead to none.
	StatusPage string
}

// Service is the one door for work on postmortems: edges call its methods, each
// of which checks who asks.
type Service struct{ config Config }

// NewService makes a Service.
func NewService(config Config) *Service {
	if config.Language == "" {
		config.Language = English
	}
	return &Service{config: config}
}

// Store gives the reading side.
func (s *Service) Store() Store { return s.config.Store }

// Sheet is a document with what an editor needs besides.
type Sheet struct {
	Incident incidents.Incident
	Document Document
	// Written is what people wrote; [Document] has it laid over the draft.
	Written  Written
	Findings []Finding
}

// Sheet loads the postmortem of an incident that the asker may see, as it stands
// now.
func (s *Service) Sheet(ctx context.Context, number int64, req incidents.Request) (Sheet, error) {
	inc, err := s.config.Incidents.Incident(ctx, number, req)
	if err != nil {
		return Sheet{}, err
	}
	return s.sheet(ctx, inc, inc.Postmortem.Rev)
}

// SheetAt is Sheet with what people had written at a revision; 0 is the draft.
func (s *Service) SheetAt(ctx context.Context, number, rev int64, req incidents.Request) (Sheet, error) {
	inc, err := s.config.Incidents.Incident(ctx, number, req)
	if err != nil {
		return Sheet{}, err
	}
	return s.sheet(ctx, inc, rev)
}

func (s *Service) sheet(ctx context.Context, inc incidents.Incident, rev int64) (Sheet, error) {
	events, err := s.config.Store.Events(ctx, inc.Number)
	if err != nil {
		return Sheet{}, err
	}
	alerts, err := s.config.Store.Alerts(ctx, inc.Number, alertsJudged)
	if err != nil {
		return Sheet{}, err
	}
	written, err := s.written(ctx, inc.Number, rev)
	if err != nil {
		return Sheet{}, err
	}
	made := making{service: s, events: events, alerts: alerts, written: written, now: s.config.Clock.Now()}
	doc := made.document(inc)
	doc.Rev = rev
	return Sheet{Incident: inc, Document: doc, Written: written, Findings: Check(doc)}, nil
}

// making makes the document of an incident as it is at some time.
type making struct {
	service *Service
	events  []incidents.Event
	alerts  []incidents.Alert
	written Written
	now     time.Time
}

func (m making) document(inc incidents.Incident) Document {
	language := m.written.Language()
	if language == "" {
		language = m.service.config.Language
	}
	doc := DraftOf(Input{
		Incident: inc, Events: m.events, Alerts: m.alerts, Now: m.now, Zone: m.service.config.Zone, Language: language, Speaker: m.service.config.Speaker,
		StatusPage: m.service.config.StatusPage,
	})
	m.written.Over(&doc)
	for _, e := range m.events {
		if _, ok := e.Data.(incidents.PostmortemWritten); ok && !slices.Contains(doc.Authors, e.Actor.Person) {
			doc.Authors = append(doc.Authors, e.Actor.Person)
		}
	}
	return doc
}

func (s *Service) written(ctx context.Context, number, rev int64) (Written, error) {
	if rev == 0 {
		return Written{}, nil
	}
	revision, err := s.config.Store.Revision(ctx, number, rev)
	if err != nil {
		return nil, err
	}
	written, err := ParseWritten(revision.Content)
	if err != nil {
		return nil, fmt.Errorf("read revision %d of the postmortem of %s: %w", rev, incidents.Key(number), err)
	}
	return written, nil
}

// Published loads an edition as it was frozen; edition 0 is the latest. The
// asker must be allowed to see the incident.
func (s *Service) Published(ctx context.Context, number, edition int64, req incidents.Request) (Document, incidents.Publication, error) {
	inc, err := s.config.Incidents.Incident(ctx, number, req)
	if err != nil {
		return Document{}, incidents.Publication{}, err
	}
	if edition == 0 {
		edition = inc.Postmortem.Edition
	}
	publication, err := s.config.Store.Publication(ctx, number, edition)
	if err != nil {
		return Document{}, publication, err
	}
	var doc Document
	if err := json.Unmarshal(publication.Document, &doc); err != nil {
		return doc, publication, fmt.Errorf("read edition %d of the postmortem of %s: %w", edition, inc.Key(), err)
	}
	return doc, publication, nil
}

// Current is what somebody reads who asks for the postmortem of an incident: the
// frozen edition where it is published, else the document as it stands.
func (s *Service) Current(ctx context.Context, number int64, req incidents.Request) (Document, error) {
	inc, err := s.config.Incidents.Incident(ctx, number, req)
	if err != nil {
		return Document{}, err
	}
	if inc.Postmortem.State == incidents.PostmortemPublished {
		doc, _, err := s.Published(ctx, number, 0, req)
		return doc, err
	}
	sheet, err := s.sheet(ctx, inc, inc.Postmortem.Rev)
	return sheet.Document, err
}

// History lists the revisions of a postmortem, the newest first.
func (s *Service) History(ctx context.Context, number int64, req incidents.Request) ([]incidents.Revision, error) {
	if _, err := s.config.Incidents.Incident(ctx, number, req); err != nil {
		return nil, err
	}
	return s.config.Store.Revisions(ctx, number)
}
