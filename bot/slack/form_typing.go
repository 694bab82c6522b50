package slack

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// minTyped is how many letters of a title say something.
const minTyped = 4

// titleInput is the title of the declare form. Houston hears of each letter, so
// that what is open already shows while somebody types
// (https://docs.slack.dev/reference/block-kit/composition-objects/dispatch-action-configuration-object).
func (e *Edge) titleInput(texts *templates.Catalogue, initial string) *slackgo.InputBlock {
	block := e.input(inputTitle, texts.Text("form_input_title"), texts.Text("form_hint_title"), &slackgo.PlainTextInputBlockElement{
		Type: slackgo.METPlainTextInput, ActionID: inputTitle, InitialValue: initial, MaxLength: incidents.MaxTitle,
		DispatchActionConfig: &slackgo.DispatchActionConfig{TriggerActionsOn: []string{"on_character_entered"}},
	})
	block.DispatchAction = true
	return block
}

// typeTitle shows the open incidents that are like the title typed so far, and
// takes them away again, beside the answer. Slack keeps what is in an input over
// an update as long as block_id and action_id stay the same
// (https://docs.slack.dev/reference/views), and refuses the update when the view
// has changed meanwhile. Most letters change nothing, and nothing is updated then.
func (e *Edge) typeTitle(ctx context.Context, c click) (reply, error) {
	view := c.in.View
	if view.CallbackID != callbackDeclare {
		return reply{}, nil
	}
	var meta formMeta
	if err := json.Unmarshal([]byte(view.PrivateMetadata), &meta); err != nil {
		return reply{}, nil //nolint:nilerr // a form of another version stays as it is
	}
	actor := c.Actor
	ctx = context.WithoutCancel(ctx)
	e.answers.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, formTimeout)
		defer cancel()
		f := form{
			title: e.plain(view.input(inputTitle).Value), summary: e.plain(view.input(inputSummary).Value), service: e.plain(view.input(inputService).Value),
			severity: incidents.Severity(view.input(inputSeverity).Selected.Value), private: len(view.input(inputPrivate).Checked) > 0,
			origin: meta.origin, seen: meta.Seen,
		}
		if len([]rune(strings.TrimSpace(f.title))) >= minTyped {
			f.similar = e.similar(ctx, actor, f.title, f.service)
		}
		var numbers []int64
		for _, inc := range f.similar {
			numbers = append(numbers, inc.Number)
		}
		if slices.Equal(numbers, meta.Shown) {
			return
		}
		_, err := e.config.Client.API().UpdateViewContext(ctx, e.formView(actor.ID, f), "", view.Hash, view.ID)
		if err != nil && !refusedAs(err, "not_found") && !refusedAs(err, "hash_conflict") { // closed, or typed on: the next letter comes
			e.config.Log.WarnContext(ctx, "similar incidents could not be shown", "error", err)
		}
	})
	return reply{}, nil
}
