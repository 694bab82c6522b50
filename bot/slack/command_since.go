package slack

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// actionSince begins the action ids of the buttons that move a key time back;
// how many minutes follows. Their value is the incident's key, the key time and
// the new time in Unix seconds.
const actionSince = "since_"

// sinceMinutes are how far back there is a button for.
func sinceMinutes() []int { return []int{5, 15} }

// asksSince lets what has just been said to be so now have been so for a while:
// the answer has a button for it, instead of a question beforehand.
func (e *Edge) asksSince(ctx context.Context, o order, r reply) reply {
	switch {
	case o.verb == verbMitigated && strings.TrimSpace(o.rest) == "": // else a time was said
		return e.withSince(ctx, o.Request, o.number, incidents.MitigatedAt, r)
	case o.verb == verbResolve && !e.isTime(o):
		return e.withSince(ctx, o.Request, o.number, incidents.ResolvedAt, r)
	default:
		return r
	}
}

// isTime reports whether a time follows the verb and nothing else.
func (e *Edge) isTime(o order) bool {
	_, err := e.since(o, e.plain(o.rest))
	return err == nil
}

// withSince adds the buttons to an answer.
func (e *Edge) withSince(ctx context.Context, req incidents.Request, number int64, key incidents.KeyTime, r reply) reply {
	inc, err := e.config.Service.Incident(ctx, number, req)
	at, known := inc.Times[key]
	if err != nil || !known {
		return r // it is done all the same
	}
	texts := e.textFor(req.Actor.ID).Plain()
	var buttons []slackgo.BlockElement
	for _, minutes := range sinceMinutes() {
		value := fmt.Sprintf("%s %s %d", inc.Key(), key, at.At.Add(-time.Duration(minutes)*time.Minute).Unix())
		label := e.label(texts.Text("since_earlier", "minutes", minutes))
		buttons = append(buttons, slackgo.NewButtonBlockElement(actionSince+strconv.Itoa(minutes), value, label))
	}
	r.button = slackgo.NewActionBlock("since", append(buttons, e.formButton(formFacts, texts.Text("since_other"), inc))...)
	return r
}

// pressSince moves a key time to what a button says.
func (e *Edge) pressSince(ctx context.Context, c click) (reply, error) {
	parts := strings.Fields(c.action.Value)
	if len(parts) != 3 {
		return e.oldButton(c.Actor.ID), nil
	}
	number, err := incidents.ParseKey(parts[0])
	at, timeErr := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || timeErr != nil {
		return e.oldButton(c.Actor.ID), nil //nolint:nilerr // the error is about the button, not about what the user did
	}
	key, moment := incidents.KeyTime(parts[1]), time.Unix(at, 0).UTC()
	command := incidents.EditFacts{Request: c.Request, Times: map[incidents.KeyTime]incidents.Instant{key: {At: moment}}}
	r, err := e.did(ctx, number, command, func(inc incidents.Incident) string {
		texts, zone := e.textFor(c.Actor.ID), e.config.Directory.Zone(c.Actor.ID)
		return texts.Text("done_since", "key", inc.Key(), "what", keyTimeLabel(texts.Plain(), key), "time", clockTime(moment, zone))
	})
	r.replace = err == nil
	return r, err
}
