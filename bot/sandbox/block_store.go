package sandbox

import (
	"encoding/json"
	"strings"
)

// storeBlocks checks blocks and gives them as Slack keeps them; nil for an empty
// list.
func storeBlocks(s *state, blocks []any, surface string) (json.RawMessage, []string) {
	if problems := validateBlocks(blocks, surface, "/blocks"); len(problems) > 0 {
		return nil, problems
	}
	return store(s, blocks), nil
}

// store gives blocks and elements the IDs they lack and rewrites their text.
func store(s *state, blocks []any) json.RawMessage {
	if len(blocks) == 0 {
		return nil
	}
	for _, item := range blocks {
		b, _ := item.(map[string]any)
		if id, _ := b["block_id"].(string); id == "" {
			b["block_id"] = secret(3)
		}
		s.complete(b)
	}
	raw, err := json.Marshal(blocks)
	if err != nil {
		s.defect("encode blocks: %v", err)
	}
	return raw
}

// complete walks a block: text objects are rewritten, elements get an action_id.
func (s *state) complete(v any) {
	switch v := v.(type) {
	case []any:
		for _, child := range v {
			s.complete(child)
		}
	case map[string]any:
		kind, _ := v["type"].(string)
		text, isText := v["text"].(string)
		if isText && (kind == "mrkdwn" || kind == "plain_text") {
			v["text"] = s.text.rewrite(text, kind == "mrkdwn" && v["verbatim"] != true)
		}
		if id, _ := v["action_id"].(string); id == "" && interactive(kind) {
			v["action_id"] = secret(3)
		}
		for _, child := range v {
			s.complete(child)
		}
	}
}

func interactive(kind string) bool {
	switch kind {
	case "button", "overflow", "checkboxes", "radio_buttons", "datepicker", "timepicker", "datetimepicker", "workflow_button":
		return true
	default:
		return strings.HasSuffix(kind, "_select") || strings.HasSuffix(kind, "_input")
	}
}
