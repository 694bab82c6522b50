package sandbox

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

const (
	maxText      = 40_000 // characters of text before Slack cuts (chat.postMessage)
	maxUpdate    = 4_000  // characters of text in chat.update
	maxBlockText = 13_200 // characters of all blocks together; seen, not documented (bolt-js #2509)
	maxMetadata  = 16_000 // bytes of a metadata payload; the page gives no figure
)

// content is what a message says, checked and as Slack stores it.
type content struct {
	text        string
	blocks      json.RawMessage
	attachments json.RawMessage
	blockText   int // characters in all the blocks
}

// content reads text, blocks and attachments and wants at least one of them.
func (c *call) content() (content, error) {
	body, err := c.parts()
	if err != nil {
		return body, err
	}
	if strings.TrimSpace(body.text) == "" && body.blocks == nil && body.attachments == nil {
		return body, fail("no_text")
	}
	return body, nil
}

// parts reads what is there.
func (c *call) parts() (content, error) {
	var body content
	if md := c.args["markdown_text"]; md != "" {
		if c.args["text"] != "" || c.args["blocks"] != "" {
			return body, fail("markdown_text_conflict")
		}
		body.text = c.st.rewriteText(md)
		blocks, problems := storeBlocks(c.st, []any{map[string]any{"type": "markdown", "text": md}}, surfaceMessage)
		if problems != nil {
			return body, failWith("invalid_blocks", problems...)
		}
		body.blocks = blocks
		return body, nil
	}
	body.text = c.st.rewriteText(c.args["text"])
	if raw := c.args["blocks"]; raw != "" {
		var blocks []any
		if json.Unmarshal([]byte(raw), &blocks) != nil {
			return body, fail("invalid_blocks_format")
		}
		stored, problems := storeBlocks(c.st, blocks, surfaceMessage)
		if problems != nil {
			return body, failWith("invalid_blocks", problems...)
		}
		body.blocks = stored
		body.blockText = utf8.RuneCountInString(strings.ReplaceAll(unescaped(textOnly(blocks)), "\n", ""))
	}
	return body, c.attachments(&body)
}

func (c *call) attachments(body *content) error {
	raw := c.args["attachments"]
	if raw == "" {
		return nil
	}
	var list []map[string]any
	if json.Unmarshal([]byte(raw), &list) != nil {
		return invalidArguments("must be a list of attachments [json-pointer:/attachments]")
	}
	if len(list) > 100 {
		return fail("too_many_attachments")
	}
	for i, attachment := range list {
		blocks, ok := attachment["blocks"].([]any)
		if !ok {
			continue
		}
		stored, problems := storeBlocks(c.st, blocks, surfaceMessage)
		if problems != nil {
			return failWith("invalid_blocks", problems...)
		}
		list[i]["blocks"] = stored
	}
	if len(list) > 0 {
		body.attachments, _ = json.Marshal(list)
	}
	return nil
}

// textOnly keeps the text fields of blocks, which is what counts against the
// total.
func textOnly(v any) json.RawMessage {
	var texts []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, child := range v {
				if s, ok := child.(string); ok && key == "text" {
					texts = append(texts, s)
				}
				walk(child)
			}
		case []any:
			for _, child := range v {
				walk(child)
			}
		}
	}
	walk(v)
	raw, _ := json.Marshal(texts)
	return raw
}

// metadata reads the metadata argument; nil when there is none.
func (c *call) metadata() (*Metadata, error) {
	raw := c.args["metadata"]
	if raw == "" {
		return nil, nil //nolint:nilnil // none was sent
	}
	if len(raw) > maxMetadata {
		return nil, fail("metadata_too_large")
	}
	var md Metadata
	var payload map[string]any
	if json.Unmarshal([]byte(raw), &md) != nil || md.EventType == "" || json.Unmarshal(md.EventPayload, &payload) != nil || payload == nil {
		return nil, fail("invalid_metadata_format")
	}
	return &md, nil
}

func cut(text string, characters int) string {
	if utf8.RuneCountInString(text) <= characters {
		return text
	}
	return string([]rune(text)[:characters])
}
