package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// eventDelivery is a delivery of the Events API
// (https://docs.slack.dev/apis/events-api).
type eventDelivery struct {
	Type    string          `json:"type"`
	EventID string          `json:"event_id"`
	Event   json.RawMessage `json:"event"`
}

// once names an event however often and whichever way it is delivered.
func (d eventDelivery) once() incidents.Once {
	return incidents.Once{Key: "event/" + d.EventID, Keep: keepOnce}
}

// takeEvent takes a delivery. An event that is not known or can not be read is
// acknowledged: it would only come again. One that asks for work is acknowledged
// when the work is durable; the error says that it is not, so that Slack has to
// send it again.
func (e *Edge) takeEvent(ctx context.Context, transport string, raw []byte) error {
	defer e.observe(transport, kindEvent, time.Now())
	var delivery eventDelivery
	if err := json.Unmarshal(raw, &delivery); err != nil {
		e.config.Log.WarnContext(ctx, "an event could not be read", "error", err)
		return nil
	}
	if delivery.Type == "app_rate_limited" {
		e.config.Log.WarnContext(ctx, "Slack holds events back: there are more than it delivers in an hour")
		return nil
	}
	var known struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(delivery.Event, &known) != nil {
		return nil // no event at all
	}
	var err error
	switch known.Type {
	case "user_change", "team_join":
		err = e.takePerson(delivery)
	case "channel_rename", "group_rename", "channel_archive", "group_archive", "channel_unarchive", "group_unarchive":
		err = e.takeChannel(ctx, delivery)
	case "subteam_updated":
		err = e.takeGroup(delivery)
	case "reaction_added", "reaction_removed":
		err = e.takeReaction(ctx, delivery)
	case "message", "app_mention":
		err = e.takeMessage(ctx, delivery)
	default:
		// Not of interest, or not yet.
	}
	if unreadable(err) {
		e.config.Log.WarnContext(ctx, "an event could not be read", "event", known.Type, "error", err)
		return nil
	}
	if err != nil {
		e.config.Log.ErrorContext(ctx, "an event could not be stored", "event", known.Type, "error", err)
	}
	return err
}

func (e *Edge) takePerson(d eventDelivery) error {
	var event struct {
		User slack.User `json:"user"`
	}
	if err := decodeEvent(d, &event); err != nil {
		return err
	}
	e.config.Directory.Learn(event.User)
	return nil
}

// unreadableError says that an event is not of the form that Slack documents.
type unreadableError struct{ error }

func unreadable(err error) bool {
	_, ok := err.(unreadableError) //nolint:errorlint // it is never wrapped
	return ok
}

func decodeEvent(d eventDelivery, into any) error {
	if err := json.Unmarshal(d.Event, into); err != nil {
		return unreadableError{err}
	}
	return nil
}

// takeReaction has a mark set on a message, or taken from it, when it is in an
// incident's channel (https://docs.slack.dev/reference/events/reaction_added).
func (e *Edge) takeReaction(ctx context.Context, d eventDelivery) error {
	var event struct {
		Type     string `json:"type"`
		User     string `json:"user"`
		Reaction string `json:"reaction"`
		TS       string `json:"event_ts"`
		Item     struct {
			Type    string `json:"type"`
			Channel string `json:"channel"`
			TS      string `json:"ts"`
		} `json:"item"`
	}
	if err := decodeEvent(d, &event); err != nil {
		return err
	}
	mark, ok := markOf(event.Reaction)
	if !ok || event.Item.Type != "message" || event.User == "" {
		return nil
	}
	if d.EventID == "" {
		d.EventID = strings.Join([]string{event.Type, event.Item.Channel, event.Item.TS, event.User, event.TS}, "/")
	}
	if _, found, err := e.incidentIn(ctx, event.Item.Channel); !found {
		return err
	}
	return e.enqueue(ctx, d, incidents.CaptureMessage{
		Channel: event.Item.Channel, TS: event.Item.TS, User: event.User, Added: event.Type == "reaction_added", Pin: true, Mark: mark, Event: d.EventID,
	})
}

// takeMessage follows the edits of captured messages, and offers to declare what
// a person writes in the announce channel or to the bot
// (https://docs.slack.dev/reference/events/message).
func (e *Edge) takeMessage(ctx context.Context, d eventDelivery) error {
	var event struct {
		Type      string      `json:"type"`
		Subtype   string      `json:"subtype"`
		Channel   string      `json:"channel"`
		User      string      `json:"user"`
		BotID     string      `json:"bot_id"`
		TS        string      `json:"ts"`
		ThreadTS  string      `json:"thread_ts"`
		EventTS   string      `json:"event_ts"`
		DeletedTS string      `json:"deleted_ts"`
		Message   chatMessage `json:"message"`
	}
	if err := decodeEvent(d, &event); err != nil {
		return err
	}
	if d.EventID == "" {
		d.EventID = strings.Join([]string{event.Type, event.Subtype, event.Channel, event.TS, event.User, event.EventTS}, "/")
	}
	switch event.Subtype {
	case "message_changed":
		return e.follow(ctx, d, incidents.Message{Channel: event.Channel, TS: event.Message.TS})
	case "message_deleted":
		return e.follow(ctx, d, incidents.Message{Channel: event.Channel, TS: event.DeletedTS})
	case "", "file_share":
		reply := event.ThreadTS != "" && event.ThreadTS != event.TS
		if event.BotID != "" || event.User == "" || reply {
			return nil
		}
		return e.offer(ctx, d, incidents.OfferDeclaring{
			Channel: event.Channel, TS: event.TS, User: event.User, Mention: event.Type == "app_mention", Event: d.EventID,
		})
	default:
		return nil // joins, topics, bots, broadcasts of thread replies
	}
}

// follow has the entry of a message follow it, when it has one.
func (e *Edge) follow(ctx context.Context, d eventDelivery, m incidents.Message) error {
	inc, found, err := e.incidentIn(ctx, m.Channel)
	if !found {
		return err
	}
	if _, captured := inc.CapturedAs(m); !captured {
		return nil
	}
	return e.enqueue(ctx, d, incidents.FollowMessage{Channel: m.Channel, TS: m.TS, Event: d.EventID})
}

// offer has the author asked whether his message is an incident. Messages of
// other channels than the announce channel cost nothing, once that is known.
func (e *Edge) offer(ctx context.Context, d eventDelivery, job incidents.OfferDeclaring) error {
	if !job.Mention {
		if e.config.Announce == nil {
			return nil
		}
		if announce := e.config.Announce.Announced(); announce != "" && announce != job.Channel {
			return nil
		}
	}
	if _, found, err := e.incidentIn(ctx, job.Channel); found || err != nil {
		return err
	}
	return e.enqueue(ctx, d, job)
}

// incidentIn finds the incident whose channel this is, if it is one's.
func (e *Edge) incidentIn(ctx context.Context, channel string) (incidents.Incident, bool, error) {
	inc, err := e.config.Service.Store().IncidentByChannel(ctx, channel)
	switch {
	case incidents.KindOf(err) == incidents.NotFound:
		return incidents.Incident{}, false, nil
	case err != nil:
		return incidents.Incident{}, false, fmt.Errorf("find the incident of channel %s: %w", channel, err)
	}
	return inc, true, nil
}

func (e *Edge) enqueue(ctx context.Context, d eventDelivery, job incidents.Job) error {
	if _, err := e.config.Service.Store().Enqueue(ctx, d.once(), job); err != nil {
		return fmt.Errorf("enqueue %s: %w", job.Kind(), err)
	}
	return nil
}
