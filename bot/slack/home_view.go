package slack

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// How many lines each part of the home tab has at most. Together with the heads
// they stay below the 100 blocks of a view.
const (
	homeOverdue = 15
	homeActions = 15
	homeMine    = 15
	homeOpen    = 25
)

// What people can use in the home tab.
const (
	ActionHomeDeclare  = "home_declare"
	ActionHomeLanguage = "home_language"
)

// homeBlocks renders a person's home tab: what waits for him first, what is
// overdue before all.
func (e *Edge) homeBlocks(ctx context.Context, person string, all []incidents.Incident) []slackgo.Block {
	actor := e.config.Directory.Actor(ctx, person, "")
	texts := e.textFor(person)
	blocks := []slackgo.Block{slackgo.NewActionBlock("home", e.homeElements(actor, texts.Plain())...)}
	if actor.Standing != incidents.Member {
		return append(blocks, section(texts.Text("home_guest")))
	}
	var mine, open, overdue, due []string
	today := e.config.Clock.Now().In(e.config.Directory.Zone(person)).Format(time.DateOnly)
	for _, item := range actionsOf(person, all) {
		if item.Due != "" && item.Due < today {
			overdue = append(overdue, homeAction(texts, item))
		} else {
			due = append(due, homeAction(texts, item))
		}
	}
	for _, inc := range all {
		if !e.config.Service.Sees(incidents.Request{Actor: actor}, inc) && roleOf(person, inc) == "" {
			continue
		}
		if role := roleOf(person, inc); (inc.Status.Open() || inc.Status == incidents.Resolved) && (role != "" || inc.Reporter.ID == person) {
			mine = append(mine, homeIncident(texts, inc, role))
		}
		if inc.Status.Open() {
			open = append(open, homeIncident(texts, inc, ""))
		}
	}
	part := func(head string, lines []string, most int, empty string) {
		if len(lines) == 0 && empty == "" {
			return
		}
		blocks = append(blocks, slackgo.NewDividerBlock(), section(head))
		if len(lines) == 0 {
			blocks = append(blocks, section(empty))
		}
		for _, line := range lines[:min(len(lines), most)] {
			blocks = append(blocks, section(line))
		}
		if more := len(lines) - most; more > 0 {
			blocks = append(blocks, section(texts.Text("list_more", "count", more)))
		}
	}
	part(texts.Text("home_overdue"), overdue, homeOverdue, "")
	part(texts.Text("home_actions"), due, homeActions, texts.Text("home_no_actions"))
	part(texts.Text("home_mine"), mine, homeMine, texts.Text("home_no_mine"))
	part(texts.Text("home_open"), open, homeOpen, texts.Text("list_empty"))
	return blocks
}

// homeElements are the button that declares and the choice of the language.
func (e *Edge) homeElements(actor incidents.Actor, texts *templates.Catalogue) []slackgo.BlockElement {
	option := func(value, text string) *slackgo.OptionBlockObject {
		return slackgo.NewOptionBlockObject(value, e.label(text), nil)
	}
	options := []*slackgo.OptionBlockObject{
		option("auto", texts.Text("home_language_auto")), option("en", "English"), option("de", "Deutsch"),
	}
	menu := slackgo.NewOptionsSelectBlockElement(slackgo.OptTypeStatic, nil, ActionHomeLanguage, options...)
	menu.InitialOption = options[0]
	for _, o := range options {
		if o.Value == e.config.Directory.Chosen(actor.ID) {
			menu.InitialOption = o
		}
	}
	if actor.Standing != incidents.Member {
		return []slackgo.BlockElement{menu}
	}
	return []slackgo.BlockElement{
		button(ActionHomeDeclare, texts.Text("button_home_declare"), "declare", slackgo.StylePrimary), menu,
	}
}

// dueAction is an action item with the incident it belongs to.
type dueAction struct {
	incidents.ActionItem

	inc incidents.Incident
}

// actionsOf lists what a person has to do, the earliest due first.
func actionsOf(person string, all []incidents.Incident) []dueAction {
	var list []dueAction
	for _, inc := range all {
		for _, item := range inc.Actions {
			if item.Owner.ID == person && !item.Proposed && item.Unfinished() {
				list = append(list, dueAction{item, inc})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b dueAction) int {
		return cmp.Or(cmp.Compare(cmp.Or(a.Due, "9999"), cmp.Or(b.Due, "9999")), cmp.Compare(a.inc.Number, b.inc.Number))
	})
	return list
}

// homeAction is one action item. Of a private incident only its number is shown.
func homeAction(texts *templates.Catalogue, a dueAction) string {
	text := templates.Markup(cutEscaped(oneLine(a.Text), 400))
	if a.inc.Private {
		text = templates.Markup(texts.Text("home_private_action"))
	}
	due := a.Due
	if due == "" {
		due = texts.Plain().Text("home_no_due")
	}
	return texts.Text("home_action", "key", a.inc.Key(), "number", a.ID, "text", text, "due", due)
}

// homeIncident is one incident. The title of a private one stands nowhere
// outside of its channel.
func homeIncident(texts *templates.Catalogue, inc incidents.Incident, role incidents.Role) string {
	title := templates.Markup(cutEscaped(inc.Title, 300))
	if inc.Private {
		title = templates.Markup(texts.Text("card_private"))
	}
	line := texts.Text("home_incident", "sign", templates.Markup(statusEmoji(inc)), "key", inc.Key(),
		"severity", inc.Severity, "status", inc.Status, "title", title)
	if inc.Channel != nil {
		line += " <#" + inc.Channel.ID + ">"
	}
	if role != "" {
		line += " · " + texts.Text("home_role", "role", role)
	}
	return strings.TrimSpace(line)
}

// roleOf gives the first role that a person has in an incident, "" for none.
func roleOf(person string, inc incidents.Incident) incidents.Role {
	for _, role := range incidents.Roles() {
		if inc.Roles[role].ID == person {
			return role
		}
	}
	return ""
}

// pressHomeDeclare opens the declare form.
func (e *Edge) pressHomeDeclare(ctx context.Context, c click) (reply, error) {
	e.openForm(ctx, c.in.person(), c.in.TriggerID, form{})
	return reply{}, nil
}

// chooseLanguage keeps the language a person chose, and shows his home tab in it.
func (e *Edge) chooseLanguage(ctx context.Context, c click) (reply, error) {
	language := c.action.Selected.Value
	switch language {
	case "auto":
		language = ""
	case "en", "de":
	default:
		return reply{}, nil
	}
	if err := e.config.Directory.Choose(ctx, c.in.User.ID, language); err != nil {
		return reply{}, err
	}
	_, err := e.config.Service.Store().Enqueue(ctx, c.Once, incidents.ShowHome{Person: c.in.User.ID, Event: c.Once.Key})
	return reply{}, err
}
