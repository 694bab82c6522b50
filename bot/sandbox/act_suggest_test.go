package sandbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestSuggest(t *testing.T) {
	t.Parallel()
	const one = `{"text":{"type":"plain_text","text":"Offers"},"value":"offers"}`
	for _, tt := range []struct {
		name, typed, answer string
		want                []sandbox.Option
		code                string
	}{
		{"options", "off", `{"options":[` + one + `]}`, []sandbox.Option{{Text: "Offers", Value: "offers"}}, ""},
		{
			"groups", "off", `{"option_groups":[{"label":{"type":"plain_text","text":"Lending"},"options":[` + one + `]}]}`,
			[]sandbox.Option{{Text: "Offers", Value: "offers", Group: "Lending"}},
			"",
		},
		{"nothing found", "off", `{"options":[]}`, nil, ""},
		{"too little typed", "o", `{"options":[` + one + `]}`, nil, "no_suggestions"},
		{"neither", "off", `{}`, nil, "invalid_options"},
		{"too many", "off", `{"options":[` + strings.Repeat(one+",", 100) + one + `]}`, nil, "invalid_options"},
		{"no JSON", "off", `offers`, nil, "invalid_options"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{})
			a := newApp(t, w.Workspace, func(rw http.ResponseWriter, _ request) {
				rw.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprint(rw, tt.answer)
			})
			id := w.create("c", false)
			w.Join(w.ann.ID, id)
			least := 2
			menu := &slack.SelectBlockElement{Type: slack.OptTypeExternal, ActionID: "service", MinQueryLength: &least}
			ts := w.post(id, slack.MsgOptionBlocks(slack.NewActionBlock("acts", menu)))
			got, err := w.Suggest(t.Context(), sandbox.Suggest{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "service", Value: tt.typed})
			if code, _, _ := strings.Cut(codeOf(err), ":"); code != tt.code {
				t.Errorf("got %v, want %q", err, tt.code)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("options (-want +got):\n%s", diff)
			}
			if tt.code == "no_suggestions" {
				return
			}
			r := a.next(t, "/interactivity")
			verify(t, w, r)
			p := r.payload(t)
			if p["type"] != "block_suggestion" || p["value"] != tt.typed || p["action_id"] != "service" || p["block_id"] != "acts" || p["response_url"] != nil {
				t.Errorf("payload %v", p)
			}
		})
	}
}
