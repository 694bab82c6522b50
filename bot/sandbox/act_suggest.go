package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
)

// Suggest is a person typing into a menu whose options come from the app
// (external_select).
type Suggest struct {
	User      string // ID
	Channel   string // ID or name; not for views
	MessageTS string
	ViewID    string // instead of a message
	ActionID  string
	BlockID   string // only when several blocks have the action
	Value     string // as typed so far
}

// Option is one option of a menu.
type Option struct {
	Text, Value string
	Group       string // the label of its group, if it has one
}

// Suggest asks the app for options, a block_suggestion payload to its
// interactivity URL, and gives those it offers. It fails with an ActError:
// action_not_found when there is no such menu, no_suggestions while fewer
// characters are typed than the menu wants, invalid_options for an answer that
// Slack would not show (docs.slack.dev, select menu of external data source).
func (w *Workspace) Suggest(ctx context.Context, s Suggest) ([]Option, error) {
	r, err := w.suggest(s)
	if r, err = w.deliverAct(ctx, r, err); err != nil {
		return nil, err
	}
	return readOptions(r.Body)
}

func (w *Workspace) suggest(s Suggest) (Reply, error) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	u, err := w.st.person(s.User)
	if err != nil {
		return Reply{}, err
	}
	r := Reply{w: w}
	payload := object{"type": "block_suggestion", "action_id": s.ActionID, "value": s.Value}
	var blocks json.RawMessage
	if s.ViewID != "" {
		v := w.st.views[s.ViewID]
		if v == nil || !v.Open || v.User != u.ID {
			return r, &ActError{Code: "view_not_found"}
		}
		blocks = v.Blocks
		payload["container"], payload["view"] = object{"type": "view", "view_id": v.ID}, w.st.viewWire(v, nil)
	} else if blocks, err = w.pressOn(u, Click{Channel: s.Channel, MessageTS: s.MessageTS}, payload, &r); err != nil {
		return r, err
	}
	delete(payload, "response_url")
	e, block := findElement(blocks, Click{ActionID: s.ActionID, BlockID: s.BlockID})
	if e == nil || e["type"] != "external_select" && e["type"] != "multi_external_select" {
		return r, &ActError{Code: "action_not_found"}
	}
	least, given := e["min_query_length"].(float64)
	if !given {
		least = 3
	}
	if float64(len([]rune(s.Value))) < least {
		return r, &ActError{Code: "no_suggestions"}
	}
	payload["block_id"] = block["block_id"]
	d, err := w.interaction(u, payload)
	if err != nil {
		return r, err
	}
	r.deliveries = []*delivery{d}
	return r, nil
}

// readOptions reads and checks the app's answer: options or option_groups, a
// hundred at most.
func readOptions(body []byte) ([]Option, error) {
	var answer map[string]any
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, &ActError{Code: "invalid_options", Err: err}
	}
	c := newChecker()
	if none, ok := answer["options"].([]any); !ok || len(none) > 0 { // an empty list says that nothing was found
		c.staticSelect(answer, "")
	}
	if len(c.problems) > 0 {
		return nil, &ActError{Code: "invalid_options", Err: fmt.Errorf("%v", c.problems)}
	}
	out := optionsIn(answer, "")
	groups, _ := answer["option_groups"].([]any)
	for _, item := range groups {
		g, _ := item.(map[string]any)
		out = append(out, optionsIn(g, textOf(g["label"]))...)
	}
	return out, nil
}

func optionsIn(o map[string]any, group string) []Option {
	var out []Option
	list, _ := o["options"].([]any)
	for _, item := range list {
		m, _ := item.(map[string]any)
		value, _ := m["value"].(string)
		out = append(out, Option{Text: textOf(m["text"]), Value: value, Group: group})
	}
	return out
}
