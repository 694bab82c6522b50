package slack

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// view is what Houston reads of a view that was submitted
// (https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload).
type view struct {
	ID              string          `json:"id"`
	Hash            string          `json:"hash"`
	CallbackID      string          `json:"callback_id"`
	PrivateMetadata string          `json:"private_metadata"`
	Blocks          json.RawMessage `json:"blocks"`
	State           struct {
		Values map[string]map[string]viewValue `json:"values"`
	} `json:"state"`
}

// viewValue is what an input holds.
type viewValue struct {
	Value    string       `json:"value"`
	Selected viewOption   `json:"selected_option"`
	Checked  []viewOption `json:"selected_options"`
	User     string       `json:"selected_user"`
	Date     string       `json:"selected_date"` // YYYY-MM-DD
}

type viewOption struct {
	Value string `json:"value"`
}

// input gives what the input of a name holds; its block and its action have the
// same name.
func (v view) input(name string) viewValue { return v.State.Values[name][name] }

// viewErrors keeps a form open and shows what is wrong beside its inputs.
type viewErrors struct {
	Action string            `json:"response_action"`
	Errors map[string]string `json:"errors"`
}

// submission does what a form says, once for each view and hash, and gives
// Slack's answer: empty, which closes the form, or a response_action.
type submission func(e *Edge, ctx context.Context, in interaction) []byte

// submissions is the table of all forms, by callback id.
func submissions() map[string]submission {
	all := map[string]submission{
		callbackDeclare: (*Edge).submitDeclare,
		formChoose:      (*Edge).submitChoice,
		formNoticeView:  (*Edge).submitNotice,
		callbackWaive:   (*Edge).submitWaive,
	}
	for callback := range incidentForms() {
		all[callback] = (*Edge).submitIncident
	}
	return all
}

func (e *Edge) submit(ctx context.Context, in interaction) []byte {
	if submit, ok := submissions()[in.View.CallbackID]; ok {
		return submit(e, ctx, in)
	}
	return nil // of another version
}

func (e *Edge) submitDeclare(ctx context.Context, in interaction) []byte {
	var from formMeta
	if err := json.Unmarshal([]byte(in.View.PrivateMetadata), &from); err != nil && in.View.PrivateMetadata != "" {
		e.config.Log.WarnContext(ctx, "a form's origin could not be read", "error", err)
	}
	command := incidents.Declare{
		Request: incidents.Request{
			Actor: e.config.Directory.Actor(ctx, in.User.ID, firstOf(in.User.Name, in.User.Username)),
			In:    from.Channel,
			Once:  incidents.Once{Key: strings.Join([]string{"view", in.View.ID, in.View.Hash}, "/"), Keep: keepOnce},
		},
		Title:    e.plain(in.View.input(inputTitle).Value),
		Summary:  e.plain(in.View.input(inputSummary).Value),
		Service:  e.plain(in.View.input(inputService).Value),
		Severity: incidents.Severity(in.View.input(inputSeverity).Selected.Value),
		Private:  len(in.View.input(inputPrivate).Checked) > 0,
	}
	if at, ok := momentOf(from.TS); ok {
		command.Detection, command.Detected = incidents.ByEmployee, earlier(at, e.config.Clock.Now())
		command.With = []string{from.Author}
		command.Report = &incidents.Message{Channel: from.Channel, TS: firstOf(from.Thread, from.TS)}
	}
	if similar := unseen(e.similar(ctx, command.Actor, command.Title, command.Service), from.Seen); len(similar) > 0 {
		return e.askAgain(in.User.ID, command, from, similar)
	}
	result, err := e.config.Service.Declare(ctx, command)
	if err != nil {
		return e.refuse(ctx, command, err)
	}
	if !result.Repeated {
		answer := say(e.declared(in.User.ID, result.Incident))
		answer.replace = from.Replace
		e.answerTo(ctx, in.User.ID, from.ResponseURL, answer)
	}
	return nil
}

// refuse keeps the form open, with all that was typed, and says what is wrong
// beside the input it is about.
func (e *Edge) refuse(ctx context.Context, c incidents.Declare, err error) []byte {
	block := inputTitle
	switch {
	case incidents.KindOf(err) != incidents.Invalid:
	case strings.TrimSpace(c.Title) == "" || len([]rune(c.Title)) > incidents.MaxTitle:
	case len([]rune(c.Summary)) > incidents.MaxText:
		block = inputSummary
	case len([]rune(c.Service)) > incidents.MaxTitle:
		block = inputService
	}
	texts := e.textFor(c.Actor.ID).Plain() // an error of a form is plain text
	text, ok := sentence(texts, err)
	if !ok {
		text = e.explain(ctx, c.Actor.ID, err, "form")
	}
	if strings.TrimSpace(c.Title) == "" {
		text = texts.Text("form_needs_title")
	}
	raw, _ := json.Marshal(viewErrors{Action: "errors", Errors: map[string]string{block: text}}) // strings always encode
	return raw
}

// momentOf reads a message's time stamp, seconds and microseconds, as a time.
func momentOf(ts string) (time.Time, bool) {
	seconds, micros, ok := strings.Cut(ts, ".")
	if !ok || len(micros) != 6 {
		return time.Time{}, false
	}
	s, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	us, err := strconv.ParseInt(micros, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	return time.Unix(s, us*1000).UTC(), true
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
