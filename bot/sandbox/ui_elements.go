package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ElementView is an element on the page.
type ElementView struct {
	U *ui
	element
	B BlockView
}

// Kind groups the elements that are drawn alike.
func (e ElementView) Kind() string {
	switch {
	case e.Type == "workflow_button":
		return "button"
	case strings.HasPrefix(e.Type, "multi_") && e.Type != "multi_external_select":
		return "multi"
	case e.Type == "external_select" || e.Type == "multi_external_select":
		return "free"
	case strings.HasSuffix(e.Type, "_select"):
		return "select"
	case e.Type == "plain_text_input" && e.Multiline, e.Type == "rich_text_input":
		return "area"
	case strings.HasSuffix(e.Type, "_text_input"), e.Type == "number_input",
		e.Type == "datepicker", e.Type == "timepicker", e.Type == "datetimepicker":
		return "line"
	default:
		return e.Type
	}
}

// InputType is the HTML input's type.
func (e ElementView) InputType() string {
	return cmp.Or(map[string]string{
		"datepicker": "date", "timepicker": "time", "datetimepicker": "datetime-local",
		"number_input": "number", "email_text_input": "email", "url_text_input": "url",
	}[e.Type], "text")
}

// StyleName is a button's style.
func (e ElementView) StyleName() string { return e.styleName() }

// InInput says whether the element stands in an input block, whose value is sent
// on submission; others act when used.
func (e ElementView) InInput() bool { return e.B.Type == "input" }

// Picks says whether changing the element acts at once.
func (e ElementView) Picks() bool { return !e.InInput() || e.B.Dispatch }

// Field is the name of the form field.
func (e ElementView) Field() string {
	switch e.Type {
	case "datetimepicker":
		return "d:" + e.B.ID
	case "file_input":
		return "f:" + e.B.ID
	default:
		return "v:" + e.B.ID
	}
}

// DOMID is the element's id on the page.
func (e ElementView) DOMID() string { return e.B.DOMID() + "-" + e.ActionID }

// Press is what using the element sends, without the value chosen.
func (e ElementView) Press() (string, error) { return e.press(e.Value) }

// PressOption is what choosing an option of an overflow menu sends.
func (e ElementView) PressOption(value string) (string, error) { return e.press(value) }

func (e ElementView) press(value string) (string, error) {
	raw, err := json.Marshal(press{e.B.ID, e.ActionID, value})
	if err != nil {
		return "", fmt.Errorf("encode what a click sends: %w", err)
	}
	return string(raw), nil
}

// Asks is the confirmation dialog as the page's script reads it; empty for none.
func (e ElementView) Asks() (string, error) {
	if e.Confirm == nil {
		return "", nil
	}
	c := e.Confirm
	raw, err := json.Marshal(map[string]string{
		"title": e.U.Words(c.Title), "text": unescapeText(plainWords(c.Text.Text)), "yes": e.U.Words(c.Confirm), "no": e.U.Words(c.Deny), "style": c.Style,
	})
	if err != nil {
		return "", fmt.Errorf("encode a confirmation: %w", err)
	}
	return string(raw), nil
}

// plainWords takes the marks out of mrkdwn for a place without HTML.
func plainWords(s string) string { return strings.NewReplacer("*", "", "`", "").Replace(s) }

// Choice is an option of a menu.
type Choice struct {
	Group, Label, Description, Value, URL string
	Chosen                                bool
}

// Choices are the element's options: its own, or the workspace's people and
// channels.
func (e ElementView) Choices() (out []Choice) {
	switch strings.TrimPrefix(e.Type, "multi_") {
	case "users_select":
		for _, user := range e.U.people {
			out = append(out, Choice{Label: e.U.name(user.ID), Value: user.ID, Chosen: e.chosen(user.ID)})
		}
	case "channels_select", "conversations_select":
		for _, c := range e.U.sorted(func(c Channel) bool { return e.U.mayRead(c) && !c.Archived }) {
			out = append(out, Choice{Label: "#" + c.Name, Value: c.ID, Chosen: e.chosen(c.ID)})
		}
	default:
		groups := append([]choiceGroup{{Options: e.Options}}, e.OptionGroups...)
		for _, g := range groups {
			for _, o := range g.Options {
				out = append(out, Choice{
					Group: e.U.Words(g.Label), Label: e.U.Words(o.Text), Description: e.U.Words(o.Description), Value: o.Value, URL: o.URL, Chosen: e.chosen(o.Value),
				})
			}
		}
	}
	return out
}

// Groups are the choices by group, in order.
func (e ElementView) Groups() (out [][]Choice) {
	for _, c := range e.Choices() {
		if n := len(out); n > 0 && out[n-1][0].Group == c.Group {
			out[n-1] = append(out[n-1], c)
		} else {
			out = append(out, []Choice{c})
		}
	}
	return out
}

func (e ElementView) chosen(value string) bool {
	if e.InitialOption != nil && e.InitialOption.Value == value {
		return true
	}
	return value == e.InitialUser || value == e.InitialChan || value == e.InitialConv || slices.Contains(e.InitialUsers, value) ||
		slices.ContainsFunc(e.InitialMany, func(o choiceObject) bool { return o.Value == value })
}

// NoneChosen says whether a menu starts empty.
func (e ElementView) NoneChosen() bool {
	return !slices.ContainsFunc(e.Choices(), func(c Choice) bool { return c.Chosen })
}

// Initial is what a line or an area holds at first.
func (e ElementView) Initial() string {
	return cmp.Or(e.InitialValue, e.InitialDate, e.InitialTime, e.initialMoment())
}

func (e ElementView) initialMoment() string {
	if e.InitialMoment == 0 {
		return ""
	}
	return time.Unix(e.InitialMoment, 0).In(e.U.loc).Format("2006-01-02T15:04")
}

// Required says whether the person must fill the element in.
func (e ElementView) Required() bool { return e.InInput() && !e.B.Optional }
