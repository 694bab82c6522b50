package slack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// keepOnce is how long it is remembered that something was done.
const keepOnce = 24 * time.Hour

// slashCommand is what Slack sends of a slash command, the same over HTTP (as a
// form) and over Socket Mode (as JSON).
type slashCommand struct {
	Command     string `json:"command"`
	Text        string `json:"text"`
	User        string `json:"user_id"`
	UserName    string `json:"user_name"`
	Channel     string `json:"channel_id"`
	TriggerID   string `json:"trigger_id"`
	ResponseURL string `json:"response_url"`
}

// once names the command whichever way and however often it is delivered.
func (c slashCommand) once() incidents.Once {
	id := c.TriggerID
	if id == "" {
		sum := sha256.Sum256([]byte(strings.Join([]string{c.User, c.Channel, c.Command, c.Text, c.ResponseURL}, "\x00")))
		id = hex.EncodeToString(sum[:])
	}
	return incidents.Once{Key: "command/" + id, Keep: keepOnce}
}

// takeCommand has a command done and gives the answer to send back. When that
// would come too late for Slack, it is sent to the response URL as well.
func (e *Edge) takeCommand(ctx context.Context, transport string, c slashCommand) []byte {
	started := time.Now()
	defer e.observe(transport, kindCommand, started)
	r := e.command(ctx, c)
	if r.text == "" {
		return nil
	}
	if time.Since(started) >= slackWaits {
		e.answerLater(ctx, c.ResponseURL, r)
	}
	return r.encode()
}

// order is a command being carried out.
type order struct {
	incidents.Request

	verb   verb
	typed  string // the whole text, as Slack sent it
	rest   string // what follows the verb (and the incident's key), as Slack sent it
	all    string // the whole text, decoded
	number int64  // of the incident it is about; 0 when it is about none

	trigger string // opens a form; may be empty
	origin  origin // where answers that come later go
}

func (e *Edge) command(ctx context.Context, c slashCommand) reply {
	o := e.orderOf(c.Text)
	o.In, o.trigger, o.origin = c.Channel, c.TriggerID, origin{Channel: c.Channel, ResponseURL: c.ResponseURL}
	if form, number, ok := o.opensForm(); ok && c.TriggerID != "" {
		meta := formMeta{Number: number, origin: o.origin}
		e.openIncidentForm(ctx, formRequest{user: incidents.Person{ID: c.User, Name: c.UserName}, trigger: c.TriggerID, form: form, meta: meta})
		return reply{}
	}
	if e.asksForForm(ctx, c, o) {
		e.openForm(ctx, incidents.Person{ID: c.User, Name: c.UserName}, c.TriggerID, form{title: o.all, origin: o.origin})
		return reply{}
	}
	o.Request = incidents.Request{Actor: e.config.Directory.Actor(ctx, c.User, c.UserName), In: c.Channel, Once: c.once()}
	return e.answered(ctx, o)
}

// opensForm tells which form a command without words opens, and the number of
// the incident it names; 0 is that of the channel.
func (o order) opensForm() (form string, number int64, ok bool) {
	form, ok = verbForms()[o.verb]
	key, rest := splitKey(o.rest)
	if form == formMerge && key != "" {
		return "", 0, false // it names the one to merge into
	}
	number = o.number
	if key != "" {
		number, _ = incidents.ParseKey(key)
	}
	return form, number, ok && strings.TrimSpace(rest) == ""
}

// orderOf reads what was typed. The incident may come first, "INC-3 status
// identified", whichever channel that is typed in; a key alone asks how it stands.
func (e *Edge) orderOf(text string) order {
	o := order{all: e.plain(text), typed: text}
	o.verb, o.rest = splitVerb(text)
	key, rest := splitKey(text)
	number, err := incidents.ParseKey(key)
	if key == "" || err != nil {
		return o
	}
	v, after := splitVerb(rest)
	if rest == "" {
		v = verbCatchup
	}
	if c, ok := find(v); ok && !c.anywhere {
		o.verb, o.rest, o.number = v, after, number
	}
	return o
}

// answered carries a command out and gives the answer in any case.
func (e *Edge) answered(ctx context.Context, o order) reply {
	r, err := e.obey(ctx, o)
	if err == nil {
		return r
	}
	text := e.explain(ctx, o.Actor.ID, err, "command "+string(known(o.verb)))
	if _, ok := find(o.verb); ok && incidents.KindOf(err) == incidents.Invalid {
		text += "\n" + e.writeLike(o)
	}
	return say(text)
}

// known keeps what people typed out of logs.
func known(v verb) verb {
	if _, ok := find(v); ok {
		return v
	}
	return "unknown"
}

// obey does what a command says and gives the answer.
func (e *Edge) obey(ctx context.Context, o order) (reply, error) {
	if o.verb == "" {
		o.verb = verbHelp
	}
	c, ok := find(o.verb)
	if !ok {
		return say(e.unknown(ctx, o)), nil
	}
	if !c.anywhere && o.number == 0 {
		var err error
		switch o.number, o.rest, err = e.target(ctx, o); {
		case errors.Is(err, errNoIncident):
			return e.offerIncidents(ctx, o)
		case err != nil:
			return reply{}, err
		}
	}
	r, err := c.do(e, ctx, o)
	if err != nil {
		return reply{}, err
	}
	return e.asksSince(ctx, o, r), nil
}

// unknown answers what is no command. Nothing is done, and what was typed is
// given back in the form that works.
func (e *Edge) unknown(ctx context.Context, o order) string {
	slip := o.all
	if _, err := e.config.Service.Store().IncidentByChannel(ctx, o.In); err == nil {
		slip = string(o.verb) // in an incident's channel nobody types titles
	}
	if v, ok := nearVerb(slip); ok {
		texts := e.textFor(o.Actor.ID)
		return texts.Text("did_you_mean", "verb", v, "command", e.config.Command, "usage", usage(texts, v))
	}
	return e.textFor(o.Actor.ID).Text("title_alone", "form", e.declareForm(o.all), "command", e.config.Command)
}

// declareForm is the command that declares what was typed.
func (e *Edge) declareForm(title string) string {
	return e.config.Command + " declare " + strings.ReplaceAll(title, "`", "'")
}

// plain decodes text from Slack with the names the directory knows.
func (e *Edge) plain(raw string) string { return plain(raw, e.config.Directory.Name) }
