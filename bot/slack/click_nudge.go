package slack

import (
	"context"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// The buttons of questions beside those of the card. The value of a snooze is
// the incident's key and the nudge's name, that of the others the key.
const (
	ActionSnooze             = "nudge_snooze"
	ActionTakeCommunications = "take_communications"
	ActionOpenDraft          = "open_draft"
)

const (
	// snoozeFor is how long a question is put off when nobody says for how long.
	snoozeFor = 30 * time.Minute
	// workingFor is how long nobody is asked again whether an incident is over.
	workingFor = 24 * time.Hour
)

// pressSnooze puts one question off: in a channel for half an hour, of what
// waits for a morning until the next one in the zone of who clicked.
func (e *Edge) pressSnooze(ctx context.Context, c click) (reply, error) {
	key, name, _ := strings.Cut(c.action.Value, " ")
	number, err := incidents.ParseKey(key)
	if err != nil || name == "" {
		return e.oldButton(c.Actor.ID), nil //nolint:nilerr // the error is about the button, not about what the user did
	}
	now, zone := e.config.Clock.Now(), e.config.Directory.Zone(c.Actor.ID)
	until := now.Add(snoozeFor)
	switch kind, _ := incidents.ParseNudge(name); kind {
	case incidents.NudgeStale:
		until = now.Add(workingFor)
	case incidents.NudgeDraft, incidents.NudgeAction, incidents.NudgeWriting, incidents.NudgeReview, incidents.NudgeActionSoon,
		incidents.NudgeVerify, incidents.NudgeOverdue:
		tomorrow := noonOf(now.In(zone), 1, zone)
		until = tomorrow.Add(-3 * time.Hour)
	default: // asked while people work
	}
	return e.did(ctx, number, incidents.Snooze{Request: c.Request, Nudge: name, Until: until}, e.saySnoozed(c.Actor.ID, until, zone))
}

func (e *Edge) saySnoozed(person string, until time.Time, zone *time.Location) sayer {
	return func(inc incidents.Incident) string {
		return e.textFor(person).Text("done_snooze", "key", inc.Key(), "time", e.when(until, zone))
	}
}

func (e *Edge) takeCommunications(ctx context.Context, c click, number int64) (reply, error) {
	command := incidents.Assign{Request: c.Request, Role: incidents.Communications, Person: c.Actor.Person}
	return e.did(ctx, number, command, func(inc incidents.Incident) string {
		return e.textFor(c.Actor.ID).Text("done_communications", "key", inc.Key())
	})
}

// openDraft puts the postmortem's draft into the incident's channel.
func (e *Edge) openDraft(ctx context.Context, c click, number int64) (reply, error) {
	return e.did(ctx, number, incidents.Export{Request: c.Request}, func(inc incidents.Incident) string {
		return e.textFor(c.Actor.ID).Text("done_export", "key", inc.Key())
	})
}
