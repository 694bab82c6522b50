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
// shows when the job runs: the jobs of a reaction and of its removal may come in
// any order, and any number of times. After the record it looks once more, since
// both may be under way at once.
func (e *Edge) CaptureMessage(ctx context.Context, job incidents.CaptureMessage) error {
	if job.Mark == "" {
		job.Mark = incidents.MarkTimeline
	}
	inc, found, err := e.incidentIn(ctx, job.Channel)
	if !found {
		return err
	}
	profile, known := e.config.Directory.Profile(ctx, job.User)
	switch {
	case !known:
		return incidents.Errorf(incidents.Unavailable, "Slack does not tell who marked a message.")
	case profile.Bot:
		return nil
	}
	before := ""
	for range maxLooks {
		m, there, err := e.fetch(ctx, job.Channel, job.TS)
		if err != nil {
			return e.settled(ctx, err, "capture a message")
		}
		if !there && job.Added {
			return nil // deleted: what it had become is a tombstone, see FollowMessage
		}
		wanted := job.Added
		if job.Pin {
			wanted = there && marked(m, job.User, job.Mark, job.Added)
		}
		now := fmt.Sprint(wanted, there, m.Text)
		if now == before {
			break
		}
		before = now
		if inc, err = e.capture(ctx, inc.Number, job, m, wanted); err != nil {
			return e.uncaptured(ctx, job, err)
		}
	}
	return e.acknowledge(ctx, inc, job)
}

// capture records that a person's mark is, or is no longer, on a message.
func (e *Edge) capture(ctx context.Context, number int64, job incidents.CaptureMessage, m slackgo.Message, wanted bool) (incidents.Incident, error) {
	req := incidents.Request{Actor: e.config.Directory.Actor(ctx, job.User, job.User), In: job.Channel}
	message := incidents.Message{Channel: job.Channel, TS: job.TS}
	if !wanted {
		result, err := e.config.Service.Do(ctx, number, incidents.Release{Request: req, Message: message, Mark: job.Mark})
		if err != nil {
			return incidents.Incident{}, err
		}
		return result.Incident, e.kept(ctx, result.Incident, job)
	}
	link, err := e.config.Client.API().GetPermalinkContext(ctx, &slackgo.PermalinkParameters{Channel: job.Channel, Ts: job.TS})
	if err != nil {
		if err := e.settled(ctx, fmt.Errorf("ask for a permalink: %w", err), "capture a message"); err != nil {
			return incidents.Incident{}, err
		}
	}
	at, ok := momentOf(job.TS)
	if !ok {
		at = e.config.Clock.Now()
	}
	result, err := e.config.Service.Do(ctx, number, incidents.Capture{
		Request: req, Message: message, Author: e.author(ctx, m), Text: e.said(m), At: at, Mark: job.Mark, Permalink: link, Files: filesOf(m),
	})
	if err != nil {
		return incidents.Incident{}, err
	}
	return result.Incident, e.edited(ctx, result.Incident, message, e.said(m), "")
}

// kept tells somebody who took the last ✅ from a message that its action item
// stays all the same: others have worked on it.
func (e *Edge) kept(ctx context.Context, inc incidents.Incident, job incidents.CaptureMessage) error {
	captured, _ := inc.CapturedAs(incidents.Message{Channel: job.Channel, TS: job.TS})
	if job.Mark != incidents.MarkAction || captured.Action == 0 || len(captured.Holders(incidents.MarkAction)) > 0 {
		return nil
	}
	return e.whisper(ctx, job, e.textFor(job.User).Text("capture_action_kept", "number", captured.Action))
}

// uncaptured tells a person why his mark counts for nothing; what only a later
// try can mend is given back.
func (e *Edge) uncaptured(ctx context.Context, job incidents.CaptureMessage, err error) error {
	switch incidents.KindOf(err) {
	case incidents.Conflict, incidents.Invalid, incidents.Forbidden:
		if err := e.whisper(ctx, job, e.explain(ctx, job.User, err, "capture a message")); err != nil {
			return err
		}
	default:
	}
	return e.settled(ctx, err, "capture a message")
}

// whisper tells one person something in the channel, once for a job.
func (e *Edge) whisper(ctx context.Context, job incidents.CaptureMessage, text string) error {
	first, err := e.config.Service.Store().Enqueue(ctx, incidents.Once{Key: "whisper/" + job.Event, Keep: keepOnce})
	if err != nil || !first {
		return err
	}
	_, err = e.config.Client.API().PostEphemeralContext(ctx, job.Channel, job.User, words(text).options()...)
	if err != nil {
		e.config.Log.WarnContext(ctx, "a person could not be told what became of his reaction", "error", err)
	}
	return nil
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
	message := incidents.Message{Channel: job.Channel, TS: job.TS}
	if there {
		return e.settled(ctx, e.edited(ctx, inc, message, e.said(m), job.Event), "follow a message")
	}
	_, err = e.config.Service.Do(ctx, inc.Number, incidents.Deleted{Request: followed(message, job.Event), Message: message})
	return e.settled(ctx, err, "follow a message")
}

// edited amends a captured message's entry unless it says the same already, as
// when Slack has only unfolded a link.
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
		if entry.Seq == captured.Seq && (entry.Text == text || entry.Deleted) {
			return nil
		}
	}
	_, err = e.config.Service.Do(ctx, inc.Number, incidents.Edited{Request: followed(m, event), Message: m, Text: text})
	return err
}

// followed is the request of Houston itself, which follows a message.
func followed(m incidents.Message, event string) incidents.Request {
	req := incidents.Request{Actor: incidents.Houston(), In: m.Channel}
	if event != "" {
		req.Once = incidents.Once{Key: "follow/" + event, Keep: keepOnce}
	}
	return req
}

// filesOf lists what is attached to a message.
func filesOf(m slackgo.Message) []incidents.File {
	var files []incidents.File
	for _, f := range m.Files {
		if f.ID != "" && f.Mode != "tombstone" {
			files = append(files, incidents.File{ID: f.ID, Name: firstOf(f.Name, f.Title, f.ID), Type: f.Mimetype, Size: int64(f.Size)})
		}
	}
	return files
}
