package slack

import (
	"encoding/json"
	"slices"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// nextView answers a submission with another view
// (https://docs.slack.dev/surfaces/modals#updating_views).
type nextView struct {
	Action string                   `json:"response_action"` // "push" or "update"
	View   slackgo.ModalViewRequest `json:"view"`
}

func (v nextView) encode() []byte {
	raw, _ := json.Marshal(v) // strings and blocks always encode
	return raw
}

// clearViews answers a submission by closing all views.
func clearViews() []byte { return []byte(`{"response_action":"clear"}`) }

// blocks lists the ids and types of a view's blocks.
func (v view) blocks() []viewBlock {
	var blocks []viewBlock
	_ = json.Unmarshal(v.Blocks, &blocks) // Slack sends back what it took
	return blocks
}

type viewBlock struct {
	ID   string `json:"block_id"`
	Type string `json:"type"`
}

// shown gives what an input held as its form was opened: Slack sends the view's
// blocks back with what was filled into it.
func (v view) shown(name string) viewValue {
	var blocks []struct {
		ID      string `json:"block_id"`
		Element struct {
			Value    string     `json:"initial_value"`
			Selected viewOption `json:"initial_option"`
			User     string     `json:"initial_user"`
		} `json:"element"`
	}
	_ = json.Unmarshal(v.Blocks, &blocks) // Slack sends back what it took
	for _, b := range blocks {
		if b.ID == name {
			return viewValue{Value: b.Element.Value, Selected: b.Element.Selected, User: b.Element.User}
		}
	}
	return viewValue{}
}

// firstInput is where an error stands that is about the form as a whole.
func (v view) firstInput() string {
	for _, b := range v.blocks() {
		if b.Type == "input" {
			return b.ID
		}
	}
	return ""
}

// has reports whether a view has an input of a name.
func (v view) has(name string) bool {
	return slices.Contains(v.blocks(), viewBlock{ID: name, Type: "input"})
}

// textInput is a line to type into, lines when most is that of a text.
func (e *Edge) textInput(id, label, hint, initial string, most int) *slackgo.InputBlock {
	block := e.input(id, label, hint, &slackgo.PlainTextInputBlockElement{
		Type: slackgo.METPlainTextInput, ActionID: id, Multiline: most == incidents.MaxText, InitialValue: cut(initial, most), MaxLength: most,
	})
	block.Optional = true
	return block
}

// needed marks an input that Slack does not let anybody leave empty.
func needed(block *slackgo.InputBlock) *slackgo.InputBlock {
	block.Optional = false
	return block
}

// choice is one entry of a menu.
type choice struct{ value, label string }

// menuInput is a menu of a few fixed entries; initial may be empty.
func (e *Edge) menuInput(id, label string, choices []choice, initial string) *slackgo.InputBlock {
	var options []*slackgo.OptionBlockObject
	menu := slackgo.NewOptionsSelectBlockElement(slackgo.OptTypeStatic, nil, id)
	for _, c := range choices {
		option := slackgo.NewOptionBlockObject(c.value, e.label(cut(c.label, maxButton)), nil)
		options = append(options, option)
		if c.value == initial {
			menu.InitialOption = option
		}
	}
	menu.Options = options
	block := e.input(id, label, "", menu)
	block.Optional = true
	return block
}

// personInput is a menu of the people of the workspace; it searches by itself.
func (e *Edge) personInput(id, label string, initial incidents.Person) *slackgo.InputBlock {
	menu := slackgo.NewOptionsSelectBlockElement(slackgo.OptTypeUser, nil, id)
	menu.InitialUser = initial.ID
	block := e.input(id, label, "", menu)
	block.Optional = true
	return block
}

// choicesOf makes the entries of a menu from words of the domain.
func choicesOf[T interface {
	~string
	templates.Word
}](texts *templates.Catalogue, words ...T) []choice {
	var choices []choice
	for _, w := range words {
		choices = append(choices, choice{value: string(w), label: texts.Name(w)})
	}
	return choices
}
