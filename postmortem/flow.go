package postmortem

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// Move takes a postmortem to another state: in_review, approved, published,
// waived, or draft again.
type Move struct {
	incidents.Request

	To     incidents.PostmortemState
	Reason string // why it is waived, sent back or reopened
	// Rev is the revision that the mover has seen; nil: the one that is now.
	Rev *int64
}

// GateError says what a document lacks for a state. Its sentence names all of it.
type GateError struct{ Findings []Finding }

func (e *GateError) Error() string { return e.Unwrap().Error() }

// Unwrap gives the sentences for people.
func (e *GateError) Unwrap() error {
	lines := make([]string, len(e.Findings))
	for i, f := range e.Findings {
		lines[i] = "• " + f.Text
	}
	return incidents.Errorf(incidents.Conflict, "Before that, this is to do:\n%s", strings.Join(lines, "\n"))
}

// Move takes a postmortem on. What it lacks for that is a [GateError]: it is
// judged on the incident as it is inside the transaction, again when something
// else happened to the incident meanwhile.
func (s *Service) Move(ctx context.Context, number int64, c Move) (incidents.Incident, error) {
	const tries = 5 // each loses only to an event that came through
	for try := 1; ; try++ {
		meanwhile := false
		inc, err := s.move(ctx, number, c, &meanwhile)
		if !meanwhile || try == tries {
			return inc, err
		}
	}
}

// move tries once; it notes in meanwhile that it lost to another event.
func (s *Service) move(ctx context.Context, number int64, c Move, meanwhile *bool) (incidents.Incident, error) {
	inc, err := s.config.Incidents.Incident(ctx, number, c.Request)
	if err != nil {
		return incidents.Incident{}, err
	}
	rev := inc.Postmortem.Rev
	if c.Rev != nil {
		rev = *c.Rev
	}
	if rev < 0 || rev > inc.Postmortem.Rev {
		return incidents.Incident{}, incidents.Errorf(incidents.Invalid, "The postmortem of %s has no revision %d yet.", inc.Key(), rev)
	}
	events, err := s.config.Store.Events(ctx, number)
	if err != nil {
		return incidents.Incident{}, err
	}
	alerts, err := s.config.Store.Alerts(ctx, number, alertsJudged)
	if err != nil {
		return incidents.Incident{}, err
	}
	written, err := s.written(ctx, number, rev)
	if err != nil {
		return incidents.Incident{}, err
	}
	made := making{service: s, events: events, alerts: alerts, written: written, now: s.config.Clock.Now()}
	result, err := s.config.Incidents.Do(ctx, number, incidents.MovePostmortem{
		Request: c.Request, To: c.To, Reason: c.Reason, Rev: rev,
		Gate: func(now incidents.Incident) error {
			if now.Seq != inc.Seq && now.Seq != events[len(events)-1].Seq {
				*meanwhile = true
				return incidents.Errorf(incidents.Conflict, "%s was changed at this moment. Try again.", now.Key())
			}
			return gate(made.document(now), c)
		},
		Freeze: func(now incidents.Incident, edition int64) ([]byte, string, error) {
			doc := made.document(now)
			doc.State, doc.Edition = incidents.PostmortemPublished, edition
			for i := range doc.Sections {
				doc.Sections[i].Question = "" // what was not answered then is not asked of readers
			}
			raw, err := doc.Marshal()
			if err != nil {
				return nil, "", err
			}
			return raw, Hash(raw), nil
		},
	})
	return result.Incident, err
}

// Hash is the fingerprint of a frozen document: SHA-256 in hex.
func Hash(document []byte) string {
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:])
}

func gate(doc Document, c Move) error {
	missing := Missing(doc, c.To)
	if c.To == incidents.PostmortemApproved && doc.Owner != nil && incidents.SamePerson(c.Actor.Person, *doc.Owner) {
		missing = append(missing, Finding{Field: "approver", Before: c.To, Text: doc.Language.words().gates["approver"]})
	}
	if len(missing) > 0 {
		return &GateError{Findings: missing}
	}
	return nil
}
