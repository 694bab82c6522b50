package sandbox_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestBlocksValidate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	const (
		fine = `{"type":"section","text":{"type":"mrkdwn","text":"hi"}}`
		view = `{"type":"modal","title":{"type":"plain_text","text":"T"},"blocks":[` + fine + `]}`
	)
	long := strings.Replace(fine, "hi", strings.Repeat("a", 3001), 1)
	for _, tt := range []struct {
		name    string
		args    map[string]string
		want    string
		pointer string
	}{
		{"blocks", map[string]string{"blocks": "[" + fine + "]"}, "", ""},
		{"a view", map[string]string{"view": view}, "", ""},
		{"a message", map[string]string{"message": `{"text":"x","blocks":[` + fine + `]}`}, "", ""},
		{"a message of text", map[string]string{"message": `{"text":"x"}`}, "", ""},
		{"nothing", nil, "invalid_arguments", ""},
		{"two", map[string]string{"blocks": "[" + fine + "]", "view": view}, "invalid_arguments", ""},
		{"too much", map[string]string{"blocks": "[" + strings.Repeat(" ", 100_000) + "]"}, "invalid_arguments", ""},
		{"long blocks", map[string]string{"blocks": "[" + fine + "," + long + "]"}, "invalid_blocks", "/blocks/1/text/text"},
		{"no list", map[string]string{"blocks": fine}, "invalid_blocks", "/blocks"},
		{"a view without its title", map[string]string{"view": `{"type":"modal","blocks":[` + fine + `]}`}, "invalid_view", "/view"},
		{"no view", map[string]string{"view": `null `}, "invalid_view", "/view"},
		{"a bad message", map[string]string{"message": `{"blocks":[` + long + `]}`}, "invalid_message", "/message/blocks/0/text/text"},
		{"an empty message", map[string]string{"message": `{}`}, "invalid_message", "/message"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			body, err := json.Marshal(tt.args)
			if err != nil {
				t.Fatal(err)
			}
			got := w.call("blocks.validate", "application/json", string(body), nil) // no token
			w.wantError(got, tt.want)
			list, _ := got["errors"].([]any)
			if tt.pointer == "" {
				if len(list) > 0 {
					t.Errorf("errors %v", list)
				}
				return
			}
			if len(list) != 1 || list[0].(map[string]any)["pointer"] != tt.pointer {
				t.Errorf("errors %v, want one at %s", list, tt.pointer)
			}
		})
	}
	got := w.call("blocks.validate", "application/json", `{"blocks":[`+long+`]}`, nil)
	want := []any{map[string]any{
		"code": "invalid", "message": "must be less than 3001 characters", "pointer": "/blocks/0/text/text", "constraint": 3001.0,
	}}
	if diff := cmp.Diff(want, got["errors"]); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}
