package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// surfaces that blocks are shown on.
const (
	surfaceMessage = "message"
	surfaceModal   = "modal"
	surfaceHome    = "home"
)

// ValidateBlocks checks the blocks of a message given as JSON, against Block Kit's
// limits (docs.slack.dev/reference/block-kit). The problems read as Slack's
// response_metadata.messages, each with a JSON pointer; none means valid. JSON
// that is no list is one problem.
func ValidateBlocks(raw []byte) []string {
	var blocks []any
	if err := json.Unmarshal(raw, &blocks); err != nil {
		return []string{"[ERROR] must provide a list of blocks [json-pointer:/blocks]"}
	}
	return validateBlocks(blocks, surfaceMessage, "/blocks")
}

// ValidateView checks a decoded modal or home tab the same way.
func ValidateView(body map[string]any) []string {
	c := newChecker()
	c.view(body)
	return c.problems
}

func validateBlocks(blocks []any, surface, path string) []string {
	c := newChecker()
	c.blocks(blocks, surface, path)
	return c.problems
}

// checker collects what is wrong with blocks.
type checker struct {
	problems  []string
	blockIDs  map[string]bool
	actionIDs map[string]bool
	markdown  int // characters of all markdown blocks
	hasInput  bool
}

func newChecker() *checker {
	return &checker{blockIDs: map[string]bool{}, actionIDs: map[string]bool{}}
}

func (c *checker) problem(path, format string, args ...any) {
	c.problems = append(c.problems, "[ERROR] "+fmt.Sprintf(format, args...)+" [json-pointer:"+path+"]")
}

func (c *checker) view(body map[string]any) {
	const path = "/view"
	kind, _ := body["type"].(string)
	switch kind {
	case surfaceModal:
		c.known(body, path, "type", "title", "blocks", "close", "submit", "private_metadata", "callback_id", "clear_on_close", "notify_on_close", "external_id", "submit_disabled")
		c.plain(body, path, "title", 24, true)
		c.plain(body, path, "close", 24, false)
		c.plain(body, path, "submit", 24, false)
	case surfaceHome:
		c.known(body, path, "type", "blocks", "private_metadata", "callback_id", "external_id")
	default:
		c.problem(path+"/type", "must be modal or home")
		return
	}
	c.str(body, path, "private_metadata", 0, 3000, false)
	c.str(body, path, "callback_id", 0, 255, false)
	c.str(body, path, "external_id", 0, 255, false)
	blocks, ok := body["blocks"].([]any)
	if !ok {
		c.problem(path, "missing required field: blocks")
		return
	}
	if len(blocks) == 0 {
		c.problem(path+"/blocks", "no less than 1 items allowed")
	}
	c.blocks(blocks, kind, path+"/blocks")
	if c.hasInput && kind == surfaceModal && body["submit"] == nil {
		c.problem(path, "missing required field: submit")
	}
}

func (c *checker) blocks(blocks []any, surface, path string) {
	limit := 100
	if surface == surfaceMessage {
		limit = 50
	}
	if len(blocks) > limit {
		c.problem(path, "no more than %d items allowed", limit)
	}
	tables := 0
	for i, item := range blocks {
		at := fmt.Sprintf("%s/%d", path, i)
		b, ok := item.(map[string]any)
		if !ok {
			c.problem(at, "must be an object")
			continue
		}
		if b["type"] == "table" {
			tables++
		}
		c.block(b, surface, at)
	}
	if tables > 1 {
		c.problem(path, "no more than 1 table allowed")
	}
	if c.markdown > 12_000 {
		c.problem(path, "must be less than 12001 characters of markdown in all")
	}
}

func (c *checker) block(b map[string]any, surface, path string) {
	c.str(b, path, "block_id", 0, 255, false)
	if id, _ := b["block_id"].(string); id != "" {
		if c.blockIDs[id] {
			c.problem(path+"/block_id", "`block_id` %q already exists", id)
		}
		c.blockIDs[id] = true
	}
	kind, _ := b["type"].(string)
	check := blockChecks()[kind]
	if check == nil {
		c.problem(path, "unsupported type: %s", kind)
		return
	}
	check(c, b, path)
	if kind == "input" {
		c.hasInput = true
	}
	onlyMessages := []string{"markdown", "table", "file", "context_actions", "data_table", "data_visualization", "card", "carousel", "alert", "plan", "task_card", "container"}
	if surface != surfaceMessage && slices.Contains(onlyMessages[:4], kind) {
		c.problem(path, "unsupported type: %s", kind)
	}
}

// blockChecks holds one check for each type of block. Types that Houston's
// neighbours rarely use are checked for their limits only.
func blockChecks() map[string]func(*checker, map[string]any, string) {
	return map[string]func(*checker, map[string]any, string){
		"section": (*checker).section, "header": (*checker).header, "context": (*checker).context, "actions": (*checker).actions,
		"divider": (*checker).divider, "image": (*checker).image, "input": (*checker).input, "markdown": (*checker).markdownBlock,
		"rich_text": (*checker).richText, "table": (*checker).table, "video": (*checker).video, "alert": (*checker).alert,
		"card": (*checker).card, "carousel": (*checker).carousel, "container": (*checker).container,
		"context_actions": (*checker).contextActions, "data_table": (*checker).dataTable,
		"data_visualization": (*checker).dataVisualization, "file": (*checker).loose, "plan": (*checker).loose, "task_card": (*checker).loose,
	}
}

// known refuses fields that the object does not have.
func (c *checker) known(o map[string]any, path string, fields ...string) {
	for key := range o {
		if !slices.Contains(fields, key) {
			c.problem(path, "invalid additional property: %s", key)
		}
	}
}

// str checks a string field's presence and its length in characters.
func (c *checker) str(o map[string]any, path, key string, least, most int, required bool) {
	v, there := o[key]
	if !there || v == nil {
		if required {
			c.problem(path, "missing required field: %s", key)
		}
		return
	}
	s, ok := v.(string)
	if !ok {
		c.problem(path+"/"+key, "must be a string")
		return
	}
	c.length(s, path+"/"+key, least, most)
}

func (c *checker) length(s, path string, least, most int) {
	n := utf8.RuneCountInString(s)
	if n < least {
		c.problem(path, "must be more than %d characters", least-1)
	}
	if n > most {
		c.problem(path, "must be less than %d characters", most+1)
	}
}

// items checks a list field and gives its objects.
func (c *checker) items(o map[string]any, path, key string, least, most int, required bool) []map[string]any {
	v, there := o[key]
	if !there || v == nil {
		if required {
			c.problem(path, "missing required field: %s", key)
		}
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		c.problem(path+"/"+key, "must be a list")
		return nil
	}
	if len(list) < least {
		c.problem(path+"/"+key, "no less than %d items allowed", least)
	}
	if len(list) > most {
		c.problem(path+"/"+key, "no more than %d items allowed", most)
	}
	var out []map[string]any
	for i, item := range list {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		} else {
			c.problem(fmt.Sprintf("%s/%s/%d", path, key, i), "must be an object")
			out = append(out, map[string]any{})
		}
	}
	return out
}

func (c *checker) oneOf(o map[string]any, path, key string, values ...string) {
	if s, ok := o[key].(string); o[key] != nil && (!ok || !slices.Contains(values, s)) {
		c.problem(path+"/"+key, "must be one of %s", strings.Join(values, ", "))
	}
}

// text checks a text object: plain_text or mrkdwn, 1 to most characters.
func (c *checker) text(v any, path string, most int, kinds ...string) {
	o, ok := v.(map[string]any)
	if !ok {
		c.problem(path, "must provide an object")
		return
	}
	kind, _ := o["type"].(string)
	if !slices.Contains(kinds, kind) {
		c.problem(path+"/type", "must be one of %s", strings.Join(kinds, ", "))
		return
	}
	if kind == "plain_text" {
		c.known(o, path, "type", "text", "emoji")
	} else {
		c.known(o, path, "type", "text", "verbatim")
	}
	c.str(o, path, "text", 1, most, true)
}

// plain checks a field that holds a plain_text object.
func (c *checker) plain(o map[string]any, path, key string, most int, required bool) {
	c.textField(o, path, key, most, required, "plain_text")
}

func (c *checker) textField(o map[string]any, path, key string, most int, required bool, kinds ...string) {
	if o[key] == nil {
		if required {
			c.problem(path, "missing required field: %s", key)
		}
		return
	}
	c.text(o[key], path+"/"+key, most, kinds...)
}

// textOf is the text of a text object.
func textOf(v any) string {
	o, _ := v.(map[string]any)
	s, _ := o["text"].(string)
	return s
}
