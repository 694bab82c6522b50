package slack

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

const (
	verbRedact verb = "redact"

	// ActionRedact is the menu of entries that can be redacted; an option names
	// the incident and the entry, like INC-1/12.
	ActionRedact = "redact_entry"

	redactChoices = 20 // entries offered
	optionText    = 75 // characters of an option (docs.slack.dev, option object)
)

// redact hides an entry of the timeline: "<number of the entry> [reason]",
// "last [reason]" for the last that one wrote oneself, and without words a menu
// of the last entries.
func (e *Edge) redact(ctx context.Context, o order) (reply, error) {
	word, reason := splitWord(e.plain(o.rest))
	if word == "" {
		return e.redactMenu(ctx, o)
	}
	command := incidents.Redact{Request: o.Request, Reason: reason}
	if !slices.Contains([]string{"last", "letzten", "letzte"}, strings.ToLower(word)) {
		seq, err := strconv.ParseInt(strings.TrimPrefix(word, "#"), 10, 64)
		if err != nil || seq < 1 {
			return reply{}, incidents.Errorf(incidents.Invalid, "%q is no entry's number. Write it like: redact 12, or redact last", word)
		}
		command.Seq = seq
	}
	return e.redacted(ctx, o.number, command)
}

func (e *Edge) redacted(ctx context.Context, number int64, command incidents.Redact) (reply, error) {
	result, seq, err := e.config.Service.Redact(ctx, number, command)
	if err != nil {
		return reply{}, err
	}
	text := e.textFor(command.Actor.ID).Text("done_redact", "key", result.Incident.Key(), "seq", seq)
	exported, err := e.exported(ctx, number)
	if err != nil {
		return reply{}, err
	}
	if exported {
		text += "\n" + e.textFor(command.Actor.ID).Text("redact_exported")
	}
	return say(text), nil
}

// exported reports whether a postmortem was put into the channel as a file:
// Houston does not take back what people have downloaded.
func (e *Edge) exported(ctx context.Context, number int64) (bool, error) {
	events, err := e.config.Service.Store().Events(ctx, number)
	if err != nil {
		return false, fmt.Errorf("load events of %s: %w", incidents.Key(number), err)
	}
	return slices.ContainsFunc(events, func(e incidents.Event) bool {
		_, ok := e.Data.(incidents.ExportAsked)
		return ok
	}), nil
}

// redactMenu offers the last entries to choose from.
func (e *Edge) redactMenu(ctx context.Context, o order) (reply, error) {
	inc, err := e.config.Service.Incident(ctx, o.number, o.Request)
	if err != nil {
		return reply{}, err
	}
	events, err := e.config.Service.Store().Events(ctx, o.number)
	if err != nil {
		return reply{}, fmt.Errorf("load events of %s: %w", inc.Key(), err)
	}
	texts, zone := e.textFor(o.Actor.ID), e.config.Directory.Zone(o.Actor.ID)
	var options []*slackgo.OptionBlockObject
	entries := incidents.Timeline(events)
	slices.Reverse(entries)
	for _, entry := range entries[:min(len(entries), redactChoices)] {
		label := cut(fmt.Sprintf("%d · %s · %s", entry.Seq, e.when(entry.At, zone), oneLine(told(texts, entry))), optionText)
		options = append(options, slackgo.NewOptionBlockObject(fmt.Sprintf("%s/%d", inc.Key(), entry.Seq), e.label(label), nil))
	}
	text := texts.Text("which_redact", "command", e.config.Command)
	if len(options) == 0 {
		return say(text), nil
	}
	menu := slackgo.NewOptionsSelectBlockElement(slackgo.OptTypeStatic, e.label(texts.Text("redact_choose")), ActionRedact, options...)
	return reply{text: text, button: slackgo.NewActionBlock("redact", menu)}, nil
}

// pressRedact is the choice of an entry from the menu.
func (e *Edge) pressRedact(ctx context.Context, c click) (reply, error) {
	number, ids, ok := keyAnd(c.action.Selected.Value, 1)
	if !ok || ids[0] < 1 {
		return e.oldButton(c.Actor.ID), nil
	}
	r, err := e.redacted(ctx, number, incidents.Redact{Request: c.Request, Seq: ids[0]})
	r.replace = err == nil
	return r, err
}
