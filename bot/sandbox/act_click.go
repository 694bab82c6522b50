package sandbox

import (
	"context"
	"encoding/json"
	"maps"
	"strconv"
	"strings"
)

// Click is a person using a button, menu or picker of a message or a view.
type Click struct {
	User      string // ID
	Channel   string // ID or name; not for views
	MessageTS string // a message, or an ephemeral message that User was shown
	ViewID    string // instead of a message
	ActionID  string
	BlockID   string // only when several blocks have the action
	Value     string // a button's value if several match; the option, user, channel or date chosen in a menu or picker

	// Values are what the other inputs of a view hold by then, as in SubmitView.
	Values map[string]string
}

// Click uses an element and waits for the app's ack. It fails with an ActError
// when the message has no such element (action_not_found) or User cannot see it,
// and as Command does.
func (w *Workspace) Click(ctx context.Context, click Click) (Reply, error) {
	r, err := w.press(click)
	return w.deliverAct(ctx, r, err)
}

func (w *Workspace) press(click Click) (Reply, error) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	u, err := w.st.person(click.User)
	if err != nil {
		return Reply{}, err
	}
	r := Reply{w: w, TS: click.MessageTS}
	payload := object{"type": "block_actions"}
	var blocks json.RawMessage
	var chosen held
	if click.ViewID != "" {
		v := w.st.views[click.ViewID]
		if v == nil || !v.Open || v.User != u.ID {
			return r, &ActError{Code: "view_not_found"}
		}
		blocks, chosen = v.Blocks, v.held
		payload["container"] = object{"type": "view", "view_id": v.ID}
	} else if blocks, err = w.pressOn(u, click, payload, &r); err != nil {
		return r, err
	} else {
		chosen = w.st.heldIn(click.MessageTS, u.ID)
	}
	element, block := findElement(blocks, click)
	if element == nil {
		return r, &ActError{Code: "action_not_found"}
	}
	if element["type"] == "plain_text_input" && block["dispatch_action"] != true {
		return r, &ActError{Code: "action_not_found"} // typing is told to nobody then
	}
	action, choice, ok := actionOf(element, block, click.Value)
	if !ok {
		return r, &ActError{Code: "option_not_found"}
	}
	if choice != nil {
		blockID, _ := block["block_id"].(string)
		chosen.keep(blockID, click.ActionID, choice)
	}
	values, err := filling{held: chosen, values: click.Values}.state(blocks)
	if err != nil {
		return r, err
	}
	action["action_ts"] = formatTS(w.st.now().UnixMicro())
	r.TriggerID = w.st.newTrigger(u.ID, click.ViewID)
	payload["trigger_id"], payload["actions"] = r.TriggerID, []object{action}
	if click.ViewID != "" {
		payload["view"] = w.st.viewWire(w.st.views[click.ViewID], values)
	} else {
		payload["state"] = object{"values": values}
	}
	d, err := w.interaction(u, payload)
	if err != nil {
		return r, err
	}
	r.deliveries = []*delivery{d}
	return r, nil
}

// pressOn puts the message, its container and a response_url into the payload.
func (w *Workspace) pressOn(u *User, click Click, payload object, r *Reply) (json.RawMessage, error) {
	c, err := w.st.placeFor(u, click.Channel)
	if err != nil {
		return nil, err
	}
	m, hidden := c.message(click.MessageTS), false
	if m == nil {
		m, hidden = c.whispered(click.MessageTS), true
	}
	if m == nil || hidden && m.For != u.ID {
		return nil, &ActError{Code: "message_not_found"}
	}
	container := object{"type": "message", "message_ts": m.TS, "channel_id": c.ID, "is_ephemeral": hidden}
	if m.ThreadTS != "" {
		container["thread_ts"] = m.ThreadTS
	}
	r.ResponseURL = w.newResponse(responseURL{channel: c.ID, user: u.ID, original: m.TS, ephemeral: hidden})
	payload["container"], payload["channel"], payload["response_url"] = container, channelRef(c), r.ResponseURL
	if !hidden { // an ephemeral message is not in the payload
		payload["message"] = w.st.messageWire(c, m, false)
	}
	blocks := m.Blocks
	var attachments []struct{ Blocks json.RawMessage }
	if json.Unmarshal(m.Attachments, &attachments) == nil {
		for _, a := range attachments {
			blocks = append(append(json.RawMessage{}, blocks...), a.Blocks...)
		}
	}
	return blocks, nil
}

// findElement finds the element that a click is on. Blocks may be several JSON
// lists in a row.
func findElement(blocks json.RawMessage, click Click) (element, block map[string]any) {
	for _, b := range readBlocks(blocks) {
		for _, e := range elementsOf(b) {
			value, _ := e["value"].(string)
			switch {
			case e["action_id"] != click.ActionID:
			case click.BlockID != "" && b["block_id"] != click.BlockID:
			case click.Value != "" && e["type"] == "button" && value != click.Value:
			default:
				return e, b
			}
		}
	}
	return nil, nil
}

// elementsOf gathers everything in a block that may be used.
func elementsOf(block map[string]any) []map[string]any {
	var out []map[string]any
	for _, key := range []string{"accessory", "element"} {
		if e, ok := block[key].(map[string]any); ok {
			out = append(out, e)
		}
	}
	for _, key := range []string{"elements", "actions"} {
		list, _ := block[key].([]any)
		for _, item := range list {
			if e, ok := item.(map[string]any); ok {
				out = append(out, e)
			}
		}
	}
	children, _ := block["child_blocks"].([]any)
	for _, child := range children {
		if b, ok := child.(map[string]any); ok {
			out = append(out, elementsOf(b)...)
		}
	}
	return out
}

// actionOf is the action of a block_actions payload, and what the element holds
// from now on, nil for buttons and overflow menus; ok is false when a menu has no
// such option.
func actionOf(e, block map[string]any, value string) (action, choice object, ok bool) {
	action = object{"type": e["type"], "action_id": e["action_id"], "block_id": block["block_id"]}
	if e["type"] == "button" {
		action["text"] = e["text"]
		for _, key := range []string{"value", "style", "url"} {
			if e[key] != nil {
				action[key] = e[key]
			}
		}
		return action, nil, true
	}
	choice, ok = choose(e, value)
	maps.Copy(action, choice)
	if kind, _ := e["type"].(string); !stateful(kind) {
		choice = nil
	}
	return action, choice, ok
}

// choose is what a menu, picker or input holds once value was put into it:
// several values are separated by commas. ok is false when there is no such
// option.
func choose(e map[string]any, value string) (held object, ok bool) {
	kind, _ := e["type"].(string)
	values := strings.Split(value, ",")
	if value == "" {
		values = []string{}
	}
	switch kind {
	case "static_select", "radio_buttons", "overflow", "external_select":
		if value == "" {
			return object{"selected_option": nil}, true
		}
		o := option(e, value)
		return object{"selected_option": o}, o != nil
	case "checkboxes", "multi_static_select", "multi_external_select":
		list := []object{}
		for _, v := range values {
			o := option(e, v)
			if o == nil {
				return nil, false
			}
			list = append(list, o)
		}
		return object{"selected_options": list}, true
	case "users_select", "conversations_select", "channels_select":
		return object{"selected_" + strings.TrimSuffix(strings.TrimSuffix(kind, "_select"), "s"): orNull(value)}, true
	case "multi_users_select", "multi_conversations_select", "multi_channels_select":
		return object{"selected_" + strings.TrimSuffix(strings.TrimPrefix(kind, "multi_"), "_select"): values}, true
	case "datepicker":
		return object{"selected_date": orNull(value)}, true
	case "timepicker":
		return object{"selected_time": orNull(value)}, true
	case "datetimepicker":
		if value == "" {
			return object{"selected_date_time": nil}, true
		}
		_, err := strconv.ParseInt(value, 10, 64)
		return object{"selected_date_time": json.Number(value)}, err == nil
	default:
		return object{"value": orNull(value)}, true
	}
}

// orNull is what Slack sends for a value: null for none.
func orNull(value string) any {
	if value == "" {
		return nil
	}
	return value
}

// option finds an option by its value; external selects have any.
func option(e map[string]any, value string) object {
	kind, _ := e["type"].(string)
	if strings.HasSuffix(kind, "external_select") {
		return object{"text": object{"type": "plain_text", "text": value}, "value": value}
	}
	lists := []any{e["options"]}
	groups, _ := e["option_groups"].([]any)
	for _, g := range groups {
		m, _ := g.(map[string]any)
		lists = append(lists, m["options"])
	}
	for _, l := range lists {
		options, _ := l.([]any)
		for _, o := range options {
			if m, _ := o.(map[string]any); m["value"] == value {
				return m
			}
		}
	}
	return nil
}
