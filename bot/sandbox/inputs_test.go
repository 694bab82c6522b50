package sandbox_test

import (
	"strings"
	"testing"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestInputsAreCheckedBeforeTheAppHears submits values that Slack's client
// refuses by itself.
func TestInputsAreCheckedBeforeTheAppHears(t *testing.T) {
	t.Parallel()
	short := slack.NewPlainTextInputBlockElement(nil, "x").WithMinLength(2).WithMaxLength(4)
	whole := slack.NewNumberInputBlockElement(nil, "x", false).WithMinValue("1").WithMaxValue("10")
	decimal := slack.NewNumberInputBlockElement(nil, "x", true)
	for _, tt := range []struct {
		name, value string
		element     slack.BlockElement
		fine        bool
	}{
		{"text", "äöü", short, true},
		{"text too short", "a", short, false},
		{"text too long", "abcde", short, false},
		{"text of any length", strings.Repeat("a", 3000), slack.NewPlainTextInputBlockElement(nil, "x"), true},
		{"text beyond the input's own limit", strings.Repeat("a", 3001), slack.NewPlainTextInputBlockElement(nil, "x"), false},
		{"number", "10", whole, true},
		{"number too large", "11", whole, false},
		{"number too small", "0", whole, false},
		{"no number", "ten", whole, false},
		{"fraction where none may be", "1.5", whole, false},
		{"fraction", "1.5", decimal, true},
		{"address", "ann@example.com", slack.NewEmailTextInputBlockElement(nil, "x"), true},
		{"no address", "ann", slack.NewEmailTextInputBlockElement(nil, "x"), false},
		{"link", "https://example.com/a", slack.NewURLTextInputBlockElement(nil, "x"), true},
		{"no link", "example", slack.NewURLTextInputBlockElement(nil, "x"), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{})
			a := newApp(t, w.Workspace, nil)
			w.open(slack.ModalViewRequest{
				Type: slack.VTModal, Title: plain("T"), Submit: plain("Go"),
				Blocks: slack.Blocks{BlockSet: []slack.Block{slack.NewInputBlock("x", plain("X"), nil, tt.element)}},
			})
			a.next(t, "/commands")
			_, err := w.SubmitView(t.Context(), sandbox.SubmitView{User: w.ann.ID, Values: map[string]string{"x": tt.value}})
			want := "invalid_input"
			if tt.fine {
				want = ""
			}
			wantCode(t, err, want)
			if told := len(a.got) > 0; told != tt.fine {
				t.Errorf("the app was told: %v", told)
			}
		})
	}
}
