package slack

import (
	"slices"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// callbackDeclare names the declare form: the modal, and the global shortcut
// that opens it.
const callbackDeclare = "declare"

// The form's inputs: block_id and action_id are the same.
const (
	inputTitle    = "title"
	inputSeverity = "severity"
	inputSummary  = "summary"
	inputService  = "service"
	inputPrivate  = "private"
)

// form is what the declare form is opened with.
type form struct {
	title, summary string
	service        string
	severity       incidents.Severity // empty: not sure
	private        bool
	origin         origin
	// similar are open incidents that are shown with it; seen are the numbers of
	// those that were shown before.
	similar []incidents.Incident
	seen    []int64
}

// origin says where a form was asked for. It travels in the view's
// private_metadata, which only Slack and Houston see.
type origin struct {
	Channel     string `json:"channel,omitempty"`
	ResponseURL string `json:"response_url,omitempty"`
	Replace     bool   `json:"replace,omitempty"` // the answer takes the place of what was clicked
	TS          string `json:"ts,omitempty"`      // of the message that reports the incident
	Author      string `json:"author,omitempty"`  // who wrote it
	Link        string `json:"link,omitempty"`    // to the message
	Thread      string `json:"thread,omitempty"`  // the first message of its thread
}

// formOf prefills a form from a message: its first line is the title, the whole
// of it the summary.
func formOf(text string, from origin) form {
	text = strings.TrimSpace(text)
	title, _, _ := strings.Cut(text, "\n")
	return form{title: strings.TrimSpace(title), summary: text, origin: from}
}

// formView renders the declare form
// (https://docs.slack.dev/reference/views/modal-views). A title that is too
// long is cut, and stands in the summary as a whole.
func (e *Edge) formView(user string, f form) slackgo.ModalViewRequest {
	title := strings.Join(strings.Fields(f.title), " ")
	if len([]rune(title)) > incidents.MaxTitle && f.summary == "" {
		f.summary = title
	}
	texts := e.textFor(user).Plain()
	meta := formMeta{origin: f.origin, Seen: f.seen}
	var blocks []slackgo.Block
	if len(f.similar) > 0 {
		blocks = append(blocks, e.similarBlock(user, f.similar))
	}
	for _, inc := range f.similar {
		meta.Shown = append(meta.Shown, inc.Number)
		if !slices.Contains(meta.Seen, inc.Number) {
			meta.Seen = append(meta.Seen, inc.Number)
		}
	}
	severity := e.severities(texts)
	for _, option := range severity.Options {
		if option.Value == string(f.severity) {
			severity.InitialOption = option
		}
	}
	hidden := slackgo.NewCheckboxGroupsBlockElement(inputPrivate, slackgo.NewOptionBlockObject(inputPrivate, e.label(texts.Text("form_private")), nil))
	if f.private {
		hidden.InitialOptions = hidden.Options
	}
	return slackgo.ModalViewRequest{
		Type: slackgo.VTModal, CallbackID: callbackDeclare, PrivateMetadata: meta.encode(),
		Title:  e.label(texts.Text("form_title")),
		Submit: e.label(texts.Text("form_submit")),
		Close:  e.label(texts.Text("form_cancel")),
		Blocks: slackgo.Blocks{BlockSet: append(blocks,
			e.titleInput(texts, cut(title, incidents.MaxTitle)),
			e.input(inputSeverity, texts.Text("form_input_severity"), "", severity),
			e.input(inputSummary, texts.Text("form_input_summary"), texts.Text("form_hint_summary"), &slackgo.PlainTextInputBlockElement{
				Type: slackgo.METPlainTextInput, ActionID: inputSummary, Multiline: true,
				InitialValue: cut(f.summary, incidents.MaxText), MaxLength: incidents.MaxText,
			}),
			e.input(inputService, texts.Text("form_input_service"), "", &slackgo.PlainTextInputBlockElement{
				Type: slackgo.METPlainTextInput, ActionID: inputService, InitialValue: cut(f.service, incidents.MaxTitle), MaxLength: incidents.MaxTitle,
			}),
			e.input(inputPrivate, texts.Text("form_input_private"), "", hidden),
		)},
	}
}

// input is a block around an element; only the title is required.
func (e *Edge) input(id, label, hint string, element slackgo.BlockElement) *slackgo.InputBlock {
	block := slackgo.NewInputBlock(id, e.label(label), nil, element)
	block.Optional = id != inputTitle
	if hint != "" {
		block.Hint = e.label(hint)
	}
	return block
}

func (e *Edge) severities(texts *templates.Catalogue) *slackgo.SelectBlockElement {
	labels := map[incidents.Severity]string{
		incidents.Sev1: texts.Text("form_sev1"), incidents.Sev2: texts.Text("form_sev2"),
		incidents.Sev3: texts.Text("form_sev3"), incidents.Sev4: texts.Text("form_sev4"),
	}
	var options []*slackgo.OptionBlockObject
	for _, s := range incidents.Severities() {
		options = append(options, slackgo.NewOptionBlockObject(string(s), e.label(labels[s]), nil))
	}
	menu := slackgo.NewOptionsSelectBlockElement(slackgo.OptTypeStatic, nil, inputSeverity, options...)
	menu.InitialOption = options[2] // sev3: not sure
	return menu
}

func (e *Edge) label(text string) *slackgo.TextBlockObject {
	return slackgo.NewTextBlockObject(slackgo.PlainTextType, text, false, false)
}
