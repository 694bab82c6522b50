package slack

import (
	"context"
	"fmt"

	"github.com/houston-sre/houston/incidents"
)

func (e *Edge) readClose(_ context.Context, o order) (incidents.Command, sayer, error) {
	return incidents.Close{Request: o.Request, Text: e.plain(o.rest)}, e.sayStatus(o.Actor.ID, incidents.Closed), nil
}

func (e *Edge) readPrivate(_ context.Context, o order) (incidents.Command, sayer, error) {
	return incidents.MakePrivate{Request: o.Request}, func(inc incidents.Incident) string {
		return e.textFor(o.Actor.ID).Text("done_private", "key", inc.Key())
	}, nil
}

// merge merges the incident into the one that is named.
func (e *Edge) merge(ctx context.Context, o order) (reply, error) {
	into, err := other(o, "merge")
	if err != nil {
		return reply{}, err
	}
	result, err := e.config.Service.Merge(ctx, incidents.Merge{Request: o.Request, Number: o.number, Into: into})
	if err != nil {
		return reply{}, err
	}
	return say(e.textFor(o.Actor.ID).Text("done_merge", "key", result.Incident.Key(), "into", incidents.Key(into))), nil
}

// link links the incident to the one that is named.
func (e *Edge) link(ctx context.Context, o order) (reply, error) {
	to, err := other(o, "link")
	if err != nil {
		return reply{}, err
	}
	result, err := e.config.Service.Link(ctx, incidents.Link{Request: o.Request, Number: o.number, To: to})
	if err != nil {
		return reply{}, err
	}
	return say(e.textFor(o.Actor.ID).Text("done_link", "key", result.Incident.Key(), "other", incidents.Key(to))), nil
}

// other reads the incident that a command names beside its own.
func other(o order, verb string) (int64, error) {
	key, rest := splitKey(o.rest)
	if key == "" || rest != "" {
		return 0, incidents.Errorf(incidents.Invalid, "Name the other incident and nothing else, like: %s INC-12", verb)
	}
	return incidents.ParseKey(key)
}

// takeChannel notes what people did to an incident's channel: another name, into
// the archive or out of it
// (https://docs.slack.dev/reference/events/channel_rename, channel_archive).
func (e *Edge) takeChannel(ctx context.Context, d eventDelivery) error {
	var event struct {
		Type    string     `json:"type"`
		Channel channelRef `json:"channel"`
		TS      string     `json:"event_ts"`
	}
	if err := decodeEvent(d, &event); err != nil {
		return err
	}
	inc, found, err := e.incidentIn(ctx, event.Channel.ID)
	if !found {
		return err
	}
	note := incidents.NoteChannel{
		Request: incidents.Request{Actor: incidents.Houston(), Once: d.once()}, Channel: event.Channel.ID, Name: event.Channel.Name, At: event.TS,
	}
	switch event.Type {
	case "channel_archive", "group_archive":
		note.Archived = new(true)
	case "channel_unarchive", "group_unarchive":
		note.Archived = new(false)
	default: // a new name
	}
	if _, err := e.config.Service.Do(ctx, inc.Number, note); err != nil {
		return fmt.Errorf("note what became of the channel of %s: %w", inc.Key(), err)
	}
	return nil
}
