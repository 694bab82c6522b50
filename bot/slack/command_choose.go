package slack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// actionChoose is the menu of open incidents, chooseBlock begins the id of the
// block it is in; the kept command's id follows.
const (
	actionChoose = "choose_incident"
	chooseBlock  = "choose/"
)

const (
	// chooseButtons is up to how many incidents there is a button for each: one
	// click less than a menu.
	chooseButtons = 4
	// chooseOptions is what a menu takes; beyond that it searches
	// (https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element).
	chooseOptions = 100
)

// begunCommand is a command that waits for its incident, as it is kept.
type begunCommand struct {
	Text    string `json:"text"` // as Slack sent it
	Channel string `json:"channel"`
}

// offerIncidents keeps a command that says of no incident, and offers the open
// ones to choose from.
func (e *Edge) offerIncidents(ctx context.Context, o order) (reply, error) {
	texts := e.textFor(o.Actor.ID)
	if err := e.mayList(o.Actor); err != nil {
		return reply{}, err
	}
	meant := ""
	if o.rest != "" {
		meant = "\n" + texts.Text("meant_as_title", "form", e.declareForm(o.all))
	}
	open, err := e.openIncidents(ctx, o.Actor, "")
	if err != nil {
		return reply{}, err
	}
	if len(open) == 0 {
		return say(texts.Text("choose_none", "command", e.config.Command, "verb", o.verb) + meant), nil
	}
	body, err := json.Marshal(begunCommand{Text: o.typed, Channel: o.In})
	if err != nil {
		return reply{}, fmt.Errorf("encode a command to keep: %w", err)
	}
	sum := sha256.Sum256([]byte(o.Once.Key))
	kept := incidents.Kept{
		ID: hex.EncodeToString(sum[:16]), Person: o.Actor.ID, Body: string(body), Until: e.config.Clock.Now().Add(keepOnce),
	}
	if err := e.config.Service.Store().Keep(ctx, kept); err != nil {
		return reply{}, err
	}
	return reply{
		text:   texts.Text("choose_incident", "command", e.config.Command, "verb", o.verb) + meant,
		button: slackgo.NewActionBlock(chooseBlock+kept.ID, e.incidentChoice(o.Actor.ID, open)...),
	}, nil
}

// openIncidents lists the open incidents that somebody may see, the newest first
// and one more than a menu takes. With words it lists those whose title and
// service have them.
func (e *Edge) openIncidents(ctx context.Context, actor incidents.Actor, words string) ([]incidents.Incident, error) {
	query := incidents.Query{
		Statuses: openStatuses(), Private: e.config.Service.SeesAllPrivate(actor), Text: words, Limit: chooseOptions + 1,
	}
	open, err := e.config.Service.Store().Incidents(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("list open incidents: %w", err)
	}
	return open, nil
}

// incidentChoice is a button for each of a few incidents, a menu of some, and a
// search among many.
func (e *Edge) incidentChoice(user string, open []incidents.Incident) []slackgo.BlockElement {
	if len(open) > chooseButtons {
		return []slackgo.BlockElement{e.incidentMenu(user, actionChoose, open)}
	}
	var buttons []slackgo.BlockElement
	for i, inc := range open {
		b := slackgo.NewButtonBlockElement(chooseButton(i), inc.Key(), e.label(cut(inc.Key()+" "+inc.Title, maxButton)))
		buttons = append(buttons, b)
	}
	return buttons
}

func chooseButton(i int) string { return fmt.Sprintf("%s_%d", actionChoose, i+1) }

// incidentMenu is a menu of open incidents; of more than it takes it searches.
func (e *Edge) incidentMenu(user, action string, open []incidents.Incident) *slackgo.SelectBlockElement {
	placeholder := e.label(e.textFor(user).Plain().Text("choose_placeholder"))
	if len(open) > chooseOptions {
		menu := slackgo.NewOptionsSelectBlockElement(slackgo.OptTypeExternal, placeholder, action)
		menu.MinQueryLength = new(0)
		return menu
	}
	return slackgo.NewOptionsSelectBlockElement(slackgo.OptTypeStatic, placeholder, action, incidentOptions(e, open)...)
}

func incidentOptions(e *Edge, list []incidents.Incident) []*slackgo.OptionBlockObject {
	options := []*slackgo.OptionBlockObject{}
	for _, inc := range list[:min(len(list), chooseOptions)] {
		options = append(options, slackgo.NewOptionBlockObject(inc.Key(), e.label(cut(inc.Key()+" "+inc.Title, maxButton)), nil))
	}
	return options
}

// chooseIncident does the kept command to the incident that was chosen, once
// whichever is chosen.
func (e *Edge) chooseIncident(ctx context.Context, c click) (reply, error) {
	id, ok := strings.CutPrefix(c.action.BlockID, chooseBlock)
	number, err := incidents.ParseKey(firstOf(c.action.Value, c.action.Selected.Value))
	if !ok || err != nil {
		return e.oldButton(c.Actor.ID), nil //nolint:nilerr // the error is about the button, not about what the user did
	}
	kept, err := e.config.Service.Store().Kept(ctx, id)
	if err != nil {
		return reply{}, err
	}
	if kept.Person != c.Actor.ID {
		return say(e.textFor(c.Actor.ID).Text("chosen_by_another")), nil
	}
	var begun begunCommand
	if err := json.Unmarshal([]byte(kept.Body), &begun); err != nil {
		return reply{}, fmt.Errorf("decode a kept command: %w", err)
	}
	o := e.orderOf(begun.Text)
	o.Request, o.number = c.Request, number
	o.In = begun.Channel
	o.Once = incidents.Once{Key: "kept/" + id, Keep: keepOnce}
	o.trigger, o.origin = c.in.TriggerID, origin{Channel: begun.Channel, ResponseURL: c.in.ResponseURL, Replace: true}
	r := e.answered(ctx, o)
	r.replace = true
	return r, nil
}

// suggestion is the answer to a menu with a search.
type suggestion struct {
	Options []*slackgo.OptionBlockObject `json:"options"`
}

// suggest gives the open incidents that have what was typed, to whoever may see
// them (https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload).
func (e *Edge) suggest(ctx context.Context, in interaction) []byte {
	answer := suggestion{Options: []*slackgo.OptionBlockObject{}}
	actor := e.config.Directory.Actor(ctx, in.User.ID, firstOf(in.User.Name, in.User.Username))
	if err := e.mayList(actor); err == nil {
		open, err := e.openIncidents(ctx, actor, in.Value)
		if err != nil {
			e.config.Log.WarnContext(ctx, "incidents could not be suggested", "error", err)
		}
		answer.Options = incidentOptions(e, open)
	}
	raw, _ := json.Marshal(answer) // strings always encode
	return raw
}
