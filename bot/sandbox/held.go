package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// held is what a person has chosen so far in the elements of a message or a
// view, by block_id and action_id. Slack keeps it until the element is gone, over
// updates too, and sends it as state.values (docs.slack.dev,
// block_actions payload).
type held map[[2]string]object

// keep remembers a choice.
func (h held) keep(block, action string, choice object) { h[[2]string{block, action}] = choice }

// heldIn is what a user has chosen in a message. Others see their own choices.
func (s *state) heldIn(ts, user string) held {
	key := [2]string{ts, user}
	if s.chosen[key] == nil {
		s.chosen[key] = held{}
	}
	return s.chosen[key]
}

// stateful says whether an element holds a value that state.values shows.
func stateful(kind string) bool {
	switch kind {
	case "checkboxes", "radio_buttons", "datepicker", "timepicker", "datetimepicker":
		return true
	default:
		return strings.HasSuffix(kind, "_select") || strings.HasSuffix(kind, "_input")
	}
}

// filling is a person filling in the elements of a message or view.
type filling struct {
	held   held
	values map[string]string // by block_id, typed but not sent yet
	submit bool              // required inputs must have something
}

// state gives state.values: what was typed, else what was chosen before, else
// the initial value. It fails with an ActError: missing_input for an empty
// required input of a submission, invalid_input for one that Slack's client
// refuses, option_not_found, block_not_found for values of blocks that are not
// there. Blocks may be several JSON lists in a row.
func (f filling) state(blocks json.RawMessage) (object, error) {
	out, known := object{}, map[string]bool{}
	for _, b := range readBlocks(blocks) {
		id, _ := b["block_id"].(string)
		for _, e := range elementsOf(b) {
			kind, _ := e["type"].(string)
			if !stateful(kind) {
				continue
			}
			known[id] = true
			choice, err := f.choice(b, e)
			if err != nil {
				return nil, err
			}
			choice["type"] = kind
			action, _ := e["action_id"].(string)
			block, _ := out[id].(object)
			if block == nil {
				block = object{}
			}
			block[action] = choice
			out[id] = block
		}
	}
	for id := range f.values {
		if !known[id] {
			return nil, &ActError{Code: "block_not_found", Err: fmt.Errorf("nothing to fill in at block %s", id)}
		}
	}
	return out, nil
}

// choice is what one element holds.
func (f filling) choice(b, e map[string]any) (object, error) {
	id, _ := b["block_id"].(string)
	action, _ := e["action_id"].(string)
	value, typed := f.values[id]
	before, chosen := f.held[[2]string{id, action}]
	if !typed && chosen {
		return maps.Clone(before), nil
	}
	if !typed {
		value = initialValue(e)
	}
	if f.submit && value == "" && b["type"] == "input" && b["optional"] != true {
		return nil, &ActError{Code: "missing_input", Err: fmt.Errorf("block %s is required", id)}
	}
	if problem := refuses(e, value); f.submit && value != "" && problem != "" {
		return nil, &ActError{Code: "invalid_input", Err: fmt.Errorf("block %s %s", id, problem)}
	}
	choice, ok := choose(e, value)
	if !ok {
		return nil, &ActError{Code: "option_not_found", Err: fmt.Errorf("block %s has no option %q", id, value)}
	}
	return choice, nil
}

// readBlocks decodes stored blocks, which may be several JSON lists in a row.
func readBlocks(raw json.RawMessage) []map[string]any {
	var out []map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	for {
		var list []map[string]any
		if decoder.Decode(&list) != nil {
			return out
		}
		out = append(out, list...)
	}
}

// initialValue is what an element holds before a person touches it.
func initialValue(e map[string]any) string {
	for _, key := range []string{"initial_value", "initial_user", "initial_channel", "initial_conversation", "initial_date", "initial_time"} {
		if s, ok := e[key].(string); ok {
			return s
		}
	}
	if n, ok := e["initial_date_time"].(float64); ok {
		return fmt.Sprintf("%.0f", n)
	}
	if o, ok := e["initial_option"].(map[string]any); ok {
		s, _ := o["value"].(string)
		return s
	}
	var values []string
	for _, key := range []string{"initial_options", "initial_users", "initial_channels", "initial_conversations"} {
		list, _ := e[key].([]any)
		for _, item := range list {
			s, isText := item.(string)
			if m, ok := item.(map[string]any); ok && !isText {
				s, _ = m["value"].(string)
			}
			values = append(values, s)
		}
	}
	return strings.Join(values, ",")
}
