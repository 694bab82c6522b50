package sandbox

import (
	"encoding/json"
	"html"
	"html/template"
	"regexp"
	"strings"
)

// textObject is Block Kit's text: {"type":"mrkdwn"|"plain_text","text"}, or a bare
// string where a block has that.
type textObject struct {
	Type, Text string
}

func (t *textObject) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &t.Text) //nolint:wrapcheck // encoding/json wraps it
	}
	var o struct{ Type, Text string }
	err := json.Unmarshal(raw, &o)
	t.Type, t.Text = o.Type, o.Text
	return err //nolint:wrapcheck // encoding/json wraps it
}

// block is any block, with the fields of all kinds.
type block struct {
	Type        string       `json:"type"`
	ID          string       `json:"block_id"`
	Text        *textObject  `json:"text"`
	Fields      []textObject `json:"fields"`
	Accessory   *element     `json:"accessory"`
	Elements    []element    `json:"elements"`
	Element     *element     `json:"element"`
	Label       *textObject  `json:"label"`
	Hint        *textObject  `json:"hint"`
	Title       *textObject  `json:"title"`
	Optional    bool         `json:"optional"`
	Dispatch    bool         `json:"dispatch_action"`
	ImageURL    string       `json:"image_url"`
	AltText     string       `json:"alt_text"`
	Rows        [][]cell     `json:"rows"`
	Level       any          `json:"level"`
	Subtitle    *textObject  `json:"subtitle"`
	Body        *textObject  `json:"body"`
	Actions     []element    `json:"actions"`
	ExternalID  string       `json:"external_id"`
	Description *textObject  `json:"description"`
}

// cell is a cell of a table: raw_text, or rich_text with elements.
type cell struct {
	Type     string     `json:"type"`
	Text     textObject `json:"text"`
	Elements []element  `json:"elements"`
}

// element is any element of a block, or a part of a rich_text block.
type element struct {
	Type        string          `json:"type"`
	ActionID    string          `json:"action_id"`
	Text        textObject      `json:"text"`
	Value       string          `json:"value"`
	URL         string          `json:"url"`
	Style       json.RawMessage `json:"style"` // a button's "primary", or a rich text's {"bold":true}
	ImageURL    string          `json:"image_url"`
	AltText     string          `json:"alt_text"`
	Label       string          `json:"accessibility_label"`
	Placeholder textObject      `json:"placeholder"`
	Confirm     *confirmDialog  `json:"confirm"`

	Options       []choiceObject `json:"options"`
	OptionGroups  []choiceGroup  `json:"option_groups"`
	InitialOption *choiceObject  `json:"initial_option"`
	InitialMany   []choiceObject `json:"initial_options"`
	InitialValue  string         `json:"initial_value"`
	InitialUser   string         `json:"initial_user"`
	InitialUsers  []string       `json:"initial_users"`
	InitialChan   string         `json:"initial_channel"`
	InitialConv   string         `json:"initial_conversation"`
	InitialDate   string         `json:"initial_date"`
	InitialTime   string         `json:"initial_time"`
	InitialMoment int64          `json:"initial_date_time"` // Unix seconds
	Multiline     bool           `json:"multiline"`
	MinLength     int            `json:"min_length"`
	MaxLength     int            `json:"max_length"`
	FocusOnLoad   bool           `json:"focus_on_load"`

	Elements    []element   `json:"elements"`
	Name        string      `json:"name"`
	UserID      string      `json:"user_id"`
	ChannelID   string      `json:"channel_id"`
	UsergroupID string      `json:"usergroup_id"`
	Range       string      `json:"range"`
	Timestamp   json.Number `json:"timestamp"`
	Format      string      `json:"format"`
	Fallback    string      `json:"fallback"`
}

type choiceObject struct {
	Text        textObject `json:"text"`
	Value       string     `json:"value"`
	Description textObject `json:"description"`
	URL         string     `json:"url"`
}

type choiceGroup struct {
	Label   textObject     `json:"label"`
	Options []choiceObject `json:"options"`
}

// confirmDialog asks before an element acts.
type confirmDialog struct {
	Title   textObject `json:"title"`
	Text    textObject `json:"text"`
	Confirm textObject `json:"confirm"`
	Deny    textObject `json:"deny"`
	Style   string     `json:"style"`
}

// styleName is a style that is one word.
func (e element) styleName() string {
	var name string
	_ = json.Unmarshal(e.Style, &name) // a rich text's style is an object and has no name
	return name
}

// styled says whether rich text has a mark.
func (e element) styled(mark string) bool {
	var marks map[string]bool
	_ = json.Unmarshal(e.Style, &marks) // a button's style is a word and has no marks
	return marks[mark]
}

// readBlocks reads stored blocks; a block that cannot be read is left out, the
// rest is shown.
func (u *ui) readBlocks(raw json.RawMessage, where string, problems map[string]string) (out []BlockView) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	for _, item := range list {
		var b block
		if err := json.Unmarshal(item, &b); err != nil {
			u.p.w.log.Warn("sandbox page cannot show a block", "error", err)
			b = block{Type: "unknown"}
		}
		out = append(out, BlockView{U: u, block: b, Where: where, Problem: problems[b.ID]})
	}
	return out
}

// BlockView is a block on the page. Where tells the page's surfaces apart, so
// that IDs are unique.
type BlockView struct {
	U *ui
	block
	Where, Problem string
}

// DOMID is the block's id on the page.
func (b BlockView) DOMID() string { return b.Where + "-" + b.ID }

// HTML draws a text object.
func (u *ui) HTML(t textObject) template.HTML {
	if t.Type == "mrkdwn" {
		return u.mrkdwn(t.Text)
	}
	return u.plain(t.Text)
}

// plain draws plain text: nothing but emoji and line breaks means anything.
func (u *ui) plain(text string) template.HTML {
	var b strings.Builder
	for i, line := range strings.Split(unescapeText(text), "\n") {
		if i > 0 {
			b.WriteString("<br>")
		}
		for len(line) > 0 {
			if line[0] == ':' {
				if n := u.shortcode(&b, line); n > 0 {
					line = line[n:]
					continue
				}
			}
			next := strings.IndexByte(line[1:], ':') + 1
			if next == 0 {
				next = len(line)
			}
			b.WriteString(html.EscapeString(line[:next]))
			line = line[next:]
		}
	}
	return template.HTML(b.String()) //nolint:gosec // every piece was escaped
}

// Words is plain text for places that take no HTML, such as an option.
func (u *ui) Words(t textObject) string {
	return regexp.MustCompile(`:[a-z0-9_+'-]+:`).ReplaceAllStringFunc(unescapeText(t.Text), func(code string) string {
		return u.emoji(strings.Trim(code, ":")).Char
	})
}

// Markdown draws a markdown block's text.
func (b BlockView) Markdown() template.HTML { return b.U.markdown(unescapeText(b.Text.Text)) }

// Rich draws a rich_text block.
func (b BlockView) Rich() template.HTML { return b.U.richParts(b.block.Elements) }

// Cells draws a table.
func (b BlockView) Cells() (rows [][]template.HTML) {
	for _, row := range b.Rows {
		var cells []template.HTML
		for _, c := range row {
			if c.Type == "rich_text" {
				cells = append(cells, b.U.richParts(c.Elements))
			} else {
				cells = append(cells, b.U.plain(c.Text.Text))
			}
		}
		rows = append(rows, cells)
	}
	return rows
}

// Elements are the block's elements.
func (b BlockView) Elements() (out []ElementView) {
	list := b.block.Elements
	if len(list) == 0 {
		list = b.Actions
	}
	for _, e := range list {
		out = append(out, b.view(e))
	}
	return out
}

// Accessory is the element beside a section; nil when there is none.
func (b BlockView) Accessory() []ElementView { return b.one(b.block.Accessory) }

// Input is the element of an input block.
func (b BlockView) Input() []ElementView { return b.one(b.Element) }

func (b BlockView) one(e *element) []ElementView {
	if e == nil {
		return nil
	}
	return []ElementView{b.view(*e)}
}

func (b BlockView) view(e element) ElementView {
	return ElementView{U: b.U, element: e, B: b}
}

// IsText says whether a context block's element is text.
func (e element) IsText() bool { return e.Type == "mrkdwn" || e.Type == "plain_text" }

// AsText is a context block's text.
func (e element) AsText() textObject { return textObject{e.Type, e.Text.Text} }
