package sandbox

import (
	"fmt"
	"slices"
	"strings"
)

// Which elements may stand where.
func pickers() []string {
	return []string{
		"checkboxes", "datepicker", "radio_buttons", "timepicker",
		"static_select", "external_select", "users_select", "conversations_select", "channels_select",
		"multi_static_select", "multi_external_select", "multi_users_select", "multi_conversations_select", "multi_channels_select",
	}
}

func inSection() []string {
	return append(pickers(), "button", "image", "overflow", "workflow_button")
}

func inActions() []string {
	return append(pickers(), "button", "overflow", "workflow_button", "datetimepicker", "rich_text_input")
}

func inInput() []string {
	return append(pickers(), "datetimepicker", "email_text_input", "file_input", "number_input", "plain_text_input", "rich_text_input", "url_text_input")
}

// element checks one element of a block.
func (c *checker) element(v any, path string, allowed []string) {
	e, ok := v.(map[string]any)
	if !ok {
		c.problem(path, "must be an object")
		return
	}
	kind, _ := e["type"].(string)
	if !slices.Contains(allowed, kind) {
		c.problem(path, "unsupported type: %s", kind)
		return
	}
	if kind == "image" {
		c.known(e, path, "type", "image_url", "slack_file", "alt_text")
		c.imageSource(e, path)
		return
	}
	c.actionID(e, path)
	c.plain(e, path, "placeholder", 150, false)
	if e["confirm"] != nil {
		c.confirm(e["confirm"], path+"/confirm")
	}
	switch {
	case kind == "button" || kind == "workflow_button":
		c.button(e, path)
	case kind == "overflow":
		c.options(e, path, 5)
	case kind == "checkboxes" || kind == "radio_buttons":
		c.options(e, path, 10)
	case strings.HasSuffix(kind, "static_select"):
		c.staticSelect(e, path)
	case kind == "plain_text_input":
		c.known(e, path, "type", "action_id", "placeholder", "initial_value", "multiline", "min_length", "max_length", "dispatch_action_config", "focus_on_load")
		c.number(e, path, "min_length", 0, 3000)
		c.number(e, path, "max_length", 1, 3000)
		c.inverted(e, path, "min_length", "max_length")
	case kind == "number_input":
		c.inverted(e, path, "min_value", "max_value")
	case kind == "file_input":
		c.number(e, path, "max_files", 1, 10)
	}
}

// actionID must be unique within the message or view.
func (c *checker) actionID(e map[string]any, path string) {
	c.str(e, path, "action_id", 0, 255, false)
	id, _ := e["action_id"].(string)
	if id == "" {
		return
	}
	if c.actionIDs[id] {
		c.problem(path+"/action_id", "`action_id` %q already exists", id)
	}
	c.actionIDs[id] = true
}

func (c *checker) button(e map[string]any, path string) {
	c.known(e, path, "type", "action_id", "text", "url", "value", "style", "confirm", "accessibility_label", "workflow", "icon")
	c.plain(e, path, "text", 75, true)
	c.str(e, path, "url", 1, 3000, false)
	c.str(e, path, "value", 0, 2000, false)
	c.str(e, path, "accessibility_label", 0, 75, false)
	c.oneOf(e, path, "style", "primary", "danger")
}

func (c *checker) confirm(v any, path string) {
	o, ok := v.(map[string]any)
	if !ok {
		c.problem(path, "must be an object")
		return
	}
	c.known(o, path, "title", "text", "confirm", "deny", "style")
	c.plain(o, path, "title", 100, true)
	c.textField(o, path, "text", 300, true, "plain_text", "mrkdwn")
	c.plain(o, path, "confirm", 30, true)
	c.plain(o, path, "deny", 30, true)
	c.oneOf(o, path, "style", "primary", "danger")
}

func (c *checker) staticSelect(e map[string]any, path string) {
	if (e["options"] == nil) == (e["option_groups"] == nil) {
		c.problem(path, "must provide exactly one of options, option_groups")
	}
	if e["options"] != nil {
		c.options(e, path, 100)
	}
	for i, g := range c.items(e, path, "option_groups", 1, 100, false) {
		at := fmt.Sprintf("%s/option_groups/%d", path, i)
		c.plain(g, at, "label", 75, true)
		c.options(g, at, 100)
	}
}

func (c *checker) options(e map[string]any, path string, most int) {
	for i, o := range c.items(e, path, "options", 1, most, true) {
		at := fmt.Sprintf("%s/options/%d", path, i)
		c.known(o, at, "text", "value", "description", "url")
		c.textField(o, at, "text", 75, true, "plain_text", "mrkdwn")
		c.str(o, at, "value", 0, 150, true)
		c.textField(o, at, "description", 75, false, "plain_text", "mrkdwn")
		c.str(o, at, "url", 1, 3000, false)
	}
	c.initial(e, path)
}

// initial options must be among the options.
func (c *checker) initial(e map[string]any, path string) {
	var values []any
	options, _ := e["options"].([]any)
	for _, o := range options {
		m, _ := o.(map[string]any)
		values = append(values, m["value"])
	}
	var chosen []any
	if e["initial_option"] != nil {
		chosen = append(chosen, e["initial_option"])
	}
	list, _ := e["initial_options"].([]any)
	for _, o := range append(chosen, list...) {
		m, _ := o.(map[string]any)
		if !slices.Contains(values, m["value"]) {
			c.problem(path, "initial option must be one of the options")
		}
	}
}

func (c *checker) number(e map[string]any, path, key string, least, most float64) {
	if e[key] == nil {
		return
	}
	n, ok := e[key].(float64)
	if !ok || n < least || n > most {
		c.problem(path+"/"+key, "must be between %v and %v", least, most)
	}
}

// inverted refuses a minimum above its maximum; number inputs have them as text.
func (c *checker) inverted(e map[string]any, path, low, high string) {
	if e[low] == nil || e[high] == nil {
		return
	}
	var a, b float64
	_, err1 := fmt.Sscan(fmt.Sprint(e[low]), &a)
	_, err2 := fmt.Sscan(fmt.Sprint(e[high]), &b)
	if err1 != nil || err2 != nil || a > b {
		c.problem(path+"/"+low, "must be no more than %s", high)
	}
}
