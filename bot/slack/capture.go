package slack

import (
	"context"
	"fmt"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// maxLooks bounds how often one job follows somebody who changes his mind.
const maxLooks = 4

// CaptureMessage works on the job of that name. What counts is what the message
// shows when the job runs: the jobs of a pin and of its removal may come in any
// order, and any number of times. After the record it looks once more, since
// both may be under way at once.
func (e *Edge) CaptureMessage(ctx context.Context, job incidents.CaptureMessage) error {
	inc, found, err := e.incidentIn(ctx, job.Channel)
	if !found {
		return err
	}
	profile, known := e.config.Directory.Profile(ctx, job.User)
	switch {
	case !known:
		return incidents.Errorf(incidents.Unavailable, "Slack does not tell who pinned a message.")
	case profile.Bot:
		return nil
	}
	before := ""
	for range maxLooks {
		m, there, err := e.fetch(ctx, job.Channel, job.TS)
		if err != nil {
			return e.settled(ctx, err, "capture a message")
		}
		wanted := job.Added
		if job.Pin {
			wanted = there && pinned(m, job.User, job.Added)
		}
		now := fmt.Sprint(wanted, there, m.Text)
		if now == before {
			return nil
		}
		before = now
		if err := e.capture(ctx, inc.Number, job, m, wanted && there); err != nil {
			return e.settled(ctx, err, "capture a message")
		}
	}
	return nil
}

// capture records that a person has, or has no longer, a message captured.
func (e *Edge) capture(ctx context.Context, number int64, job incidents.CaptureMessage, m slackgo.Message, wanted bool) error {
	req := incidents.Request{Actor: e.config.Directory.Actor(ctx, job.User, job.User), In: job.Channel}
	message := incidents.Message{Channel: job.Channel, TS: job.TS}
	if !wanted {
		_, err := e.config.Service.Do(ctx, number, incidents.Release{Request: req, Message: message})
		return err
	}
	link, err := e.config.Client.API().GetPermalinkContext(ctx, &slackgo.PermalinkParameters{Channel: job.Channel, Ts: job.TS})
	if err != nil {
		if err := e.settled(ctx, fmt.Errorf("ask for a permalink: %w", err), "capture a message"); err != nil {
			return err
		}
	}
	at, ok := momentOf(job.TS)
	if !ok {
		at = e.config.Clock.Now()
	}
	result, err := e.config.Service.Do(ctx, number, incidents.Capture{
		Request: req, Message: message, Author: e.author(ctx, m), Text: e.said(m), At: at, Permalink: link,
	})
	if err != nil {
		return err
	}
	return e.edited(ctx, result.Incident, message, e.said(m), "")
}

// FollowMessage works on the job of that name: the entry of a captured message
// says what the message says now.
func (e *Edge) FollowMessage(ctx context.Context, job incidents.FollowMessage) error {
	inc, found, err := e.incidentIn(ctx, job.Channel)
	if !found {
		return err
	}
	m, there, err := e.fetch(ctx, job.Channel, job.TS)
	if err != nil {
		return e.settled(ctx, err, "follow a message")
	}
	text := ""
	if there {
		text = e.said(m)
	}
	err = e.edited(ctx, inc, incidents.Message{Channel: job.Channel, TS: job.TS}, text, job.Event)
	return e.settled(ctx, err, "follow a message")
}

// edited amends a captured message's entry unless it says the same already, as
// when Slack has only unfolded a link. An empty text is a message deleted.
func (e *Edge) edited(ctx context.Context, inc incidents.Incident, m incidents.Message, text, event string) error {
	captured, ok := inc.CapturedAs(m)
	if !ok {
		return nil
	}
	events, err := e.config.Service.Store().Events(ctx, inc.Number)
	if err != nil {
		return fmt.Errorf("load events of %s: %w", inc.Key(), err)
	}
	for _, entry := range incidents.Timeline(events) {
		if entry.Seq == captured.Seq && entry.Text == text {
			return nil
		}
	}
	req := incidents.Request{Actor: incidents.Houston(), In: m.Channel}
	if event != "" {
		req.Once = incidents.Once{Key: "follow/" + event, Keep: keepOnce}
	}
	_, err = e.config.Service.Do(ctx, inc.Number, incidents.Edited{Request: req, Message: m, Text: text})
	return err
}
