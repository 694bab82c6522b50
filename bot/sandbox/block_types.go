package sandbox

import (
	"fmt"
	"slices"
)

func (c *checker) section(b map[string]any, path string) {
	c.known(b, path, "type", "block_id", "text", "fields", "accessory", "expand")
	if b["text"] == nil && b["fields"] == nil {
		c.problem(path, "missing required field: text or fields")
	}
	c.textField(b, path, "text", 3000, false, "plain_text", "mrkdwn")
	for i, f := range c.items(b, path, "fields", 1, 10, false) {
		c.text(f, fmt.Sprintf("%s/fields/%d", path, i), 2000, "plain_text", "mrkdwn")
	}
	if b["accessory"] != nil {
		c.element(b["accessory"], path+"/accessory", inSection())
	}
}

func (c *checker) header(b map[string]any, path string) {
	c.known(b, path, "type", "block_id", "text", "level")
	c.plain(b, path, "text", 150, true)
}

func (c *checker) divider(b map[string]any, path string) {
	c.known(b, path, "type", "block_id")
}

func (c *checker) context(b map[string]any, path string) {
	c.known(b, path, "type", "block_id", "elements")
	for i, e := range c.items(b, path, "elements", 1, 10, true) {
		at := fmt.Sprintf("%s/elements/%d", path, i)
		switch e["type"] {
		case "image":
			c.imageSource(e, at)
		case "plain_text", "mrkdwn":
			c.text(e, at, 3000, "plain_text", "mrkdwn")
		default:
			c.problem(at, "unsupported type: %v", e["type"])
		}
	}
}

func (c *checker) actions(b map[string]any, path string) {
	c.known(b, path, "type", "block_id", "elements")
	for i, e := range c.items(b, path, "elements", 1, 25, true) {
		c.element(e, fmt.Sprintf("%s/elements/%d", path, i), inActions())
	}
}

func (c *checker) image(b map[string]any, path string) {
	c.known(b, path, "type", "block_id", "image_url", "slack_file", "alt_text", "title")
	c.plain(b, path, "title", 2000, false)
	c.imageSource(b, path)
}

// imageSource checks what image blocks and elements share: exactly one source.
func (c *checker) imageSource(o map[string]any, path string) {
	c.str(o, path, "alt_text", 1, 2000, true)
	c.str(o, path, "image_url", 1, 3000, false)
	if (o["image_url"] == nil) == (o["slack_file"] == nil) {
		c.problem(path, "must provide exactly one of image_url, slack_file")
	}
}

func (c *checker) input(b map[string]any, path string) {
	c.known(b, path, "type", "block_id", "label", "element", "hint", "optional", "dispatch_action")
	c.plain(b, path, "label", 2000, true)
	c.plain(b, path, "hint", 2000, false)
	if b["element"] == nil {
		c.problem(path, "missing required field: element")
		return
	}
	c.element(b["element"], path+"/element", inInput())
}

func (c *checker) markdownBlock(b map[string]any, path string) {
	c.known(b, path, "type", "block_id", "text")
	c.str(b, path, "text", 1, 12_000, true)
	s, _ := b["text"].(string)
	c.markdown += len([]rune(s))
}

// richText is checked loosely: which parts there may be, not what is in them.
func (c *checker) richText(b map[string]any, path string) {
	c.known(b, path, "type", "block_id", "elements")
	parts := []string{"rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote"}
	for i, e := range c.items(b, path, "elements", 0, 1000, true) {
		kind, _ := e["type"].(string)
		at := fmt.Sprintf("%s/elements/%d", path, i)
		if !slices.Contains(parts, kind) {
			c.problem(at, "unsupported type: %s", kind)
			continue
		}
		c.items(e, at, "elements", 0, 1000, true)
	}
}

func (c *checker) video(b map[string]any, path string) {
	c.known(b, path, "type", "block_id", "alt_text", "author_name", "description", "provider_icon_url", "provider_name", "title", "title_url", "thumbnail_url", "video_url")
	c.str(b, path, "alt_text", 1, 200, true)
	c.str(b, path, "author_name", 0, 50, false)
	c.str(b, path, "provider_name", 0, 50, false)
	c.plain(b, path, "title", 200, true)
	c.plain(b, path, "description", 200, false)
	c.str(b, path, "thumbnail_url", 1, 3000, true)
	c.str(b, path, "video_url", 1, 3000, true)
}

func (c *checker) alert(b map[string]any, path string) {
	c.textField(b, path, "text", 200, true, "plain_text", "mrkdwn")
	c.oneOf(b, path, "level", "default", "info", "warning", "error", "success")
}

func (c *checker) card(b map[string]any, path string) {
	c.textField(b, path, "title", 150, false, "plain_text", "mrkdwn")
	c.textField(b, path, "subtitle", 150, false, "plain_text", "mrkdwn")
	c.textField(b, path, "body", 200, false, "plain_text", "mrkdwn")
	c.textField(b, path, "subtext", 200, false, "plain_text", "mrkdwn")
	for i, e := range c.items(b, path, "actions", 0, 3, false) {
		c.element(e, fmt.Sprintf("%s/actions/%d", path, i), []string{"button"})
	}
}

func (c *checker) carousel(b map[string]any, path string) {
	for i, e := range c.items(b, path, "elements", 1, 10, true) {
		at := fmt.Sprintf("%s/elements/%d", path, i)
		if e["type"] != "card" {
			c.problem(at, "unsupported type: %v", e["type"])
			continue
		}
		c.block(e, surfaceMessage, at)
	}
}

func (c *checker) container(b map[string]any, path string) {
	c.textField(b, path, "title", 150, false, "plain_text", "mrkdwn")
	c.textField(b, path, "subtitle", 150, false, "plain_text", "mrkdwn")
	for i, child := range c.items(b, path, "child_blocks", 0, 10, true) {
		c.block(child, surfaceMessage, fmt.Sprintf("%s/child_blocks/%d", path, i))
	}
}

func (c *checker) contextActions(b map[string]any, path string) {
	for i, e := range c.items(b, path, "elements", 1, 5, true) {
		at := fmt.Sprintf("%s/elements/%d", path, i)
		c.str(e, at, "action_id", 0, 255, false)
		switch e["type"] {
		case "feedback_buttons":
			for _, side := range []string{"positive_button", "negative_button"} {
				button, _ := e[side].(map[string]any)
				c.plain(button, at+"/"+side, "text", 75, true)
				c.str(button, at+"/"+side, "value", 0, 2000, false)
				c.str(button, at+"/"+side, "accessibility_label", 0, 75, false)
			}
		case "icon_button":
			c.plain(e, at, "text", 75, true)
			if users, _ := e["visible_to_user_ids"].([]any); len(users) > 10 {
				c.problem(at+"/visible_to_user_ids", "no more than 10 items allowed")
			}
		default:
			c.problem(at, "unsupported type: %v", e["type"])
		}
	}
}

// loose takes a block as it is.
func (c *checker) loose(map[string]any, string) {}
