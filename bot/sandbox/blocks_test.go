package sandbox_test

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents/proctest"
)

type m = map[string]any

func txt(s string) m { return m{"type": "plain_text", "text": s} }

func mrk(s string) m { return m{"type": "mrkdwn", "text": s} }

func a(n int) string { return strings.Repeat("a", n) }

func many(n int, item func(int) any) []any {
	out := []any{}
	for i := range n {
		out = append(out, item(i))
	}
	return out
}

func opt(text string) m { return m{"text": txt(text), "value": text} }

func opts(n int) []any { return many(n, func(i int) any { return opt(strconv.Itoa(i)) }) }

func with(o m, pairs ...any) m {
	out := m{}
	maps.Copy(out, o)
	for i := 0; i < len(pairs); i += 2 {
		key, _ := pairs[i].(string)
		out[key] = pairs[i+1]
	}
	return out
}

func btn(pairs ...any) m {
	return with(m{"type": "button", "text": txt("b"), "action_id": "b"}, pairs...)
}

func act(elements ...any) m { return m{"type": "actions", "elements": elements} }

func inp(element m) m { return m{"type": "input", "label": txt("l"), "element": element} }

func sel(pairs ...any) m {
	return act(with(m{"type": "static_select", "action_id": "s"}, pairs...))
}

func cell(s string) m { return m{"type": "raw_text", "text": s} }

func row(n int) []any { return many(n, func(int) any { return cell("x") }) }

func rows(n, columns int) []any { return many(n, func(int) any { return row(columns) }) }

func table(pairs ...any) m { return with(m{"type": "data_table", "rows": rows(2, 2)}, pairs...) }

func pie(segments []any) m {
	return m{"type": "data_visualization", "title": "t", "chart": m{"type": "pie", "segments": segments}}
}

func segment(label string, value float64) m { return m{"label": label, "value": value} }

func point(label string) m { return m{"label": label, "value": 1.0} }

func series(name string, points int) m {
	return m{"name": name, "data": many(points, func(int) any { return point("p") })}
}

func line(list []any, axis m) m {
	return m{"type": "data_visualization", "title": "t", "chart": m{"type": "line", "series": list, "axis_config": axis}}
}

func axis(pairs ...any) m { return with(m{"categories": []any{"p"}}, pairs...) }

func card(pairs ...any) m { return with(m{"type": "card", "title": mrk("t")}, pairs...) }

func video(pairs ...any) m {
	return with(m{"type": "video", "alt_text": "a", "title": txt("t"), "thumbnail_url": "https://x.de/t.png", "video_url": "https://x.de/v.mp4"}, pairs...)
}

func feedback(pairs ...any) m {
	good := with(m{"text": txt("Good"), "value": "g"}, pairs...)
	return m{"type": "context_actions", "elements": []any{m{"type": "feedback_buttons", "action_id": "f", "positive_button": good, "negative_button": good}}}
}

func modal(pairs ...any) m {
	return with(m{"type": "modal", "title": txt("t"), "submit": txt("s"), "close": txt("c"), "blocks": []any{m{"type": "divider"}}}, pairs...)
}

func confirm(pairs ...any) m {
	return act(btn("confirm", with(m{"title": txt("t"), "text": txt("t"), "confirm": txt("y"), "deny": txt("n")}, pairs...)))
}

func section(pairs ...any) m {
	return with(m{"type": "section", "text": mrk("t")}, pairs...)
}

// broken makes, for each case of the shared list of invalid Block Kit, the thing
// that must be refused, and beside it what is just within the limit where there
// is one. Cases are named as in the list.
func broken() map[string][2]m {
	image := m{"type": "image", "image_url": "https://x.de/i.png", "alt_text": "a"}
	group := func(label string, n int) m { return m{"label": txt(label), "options": opts(n)} }
	line1 := []any{series("s", 1)}
	ends := func(n int) []any { return many(n, func(int) any { return "p" }) }
	return map[string][2]m{
		"text-empty":                                   {section("text", mrk("")), section("text", mrk("a"))},
		"text-too-long":                                {m{"type": "context", "elements": []any{mrk(a(3001))}}, m{"type": "context", "elements": []any{mrk(a(3000))}}},
		"button-action-id-too-long":                    {act(btn("action_id", a(256))), act(btn("action_id", a(255)))},
		"button-text-too-long":                         {act(btn("text", txt(a(76)))), act(btn("text", txt(a(75))))},
		"button-url-too-long":                          {act(btn("url", a(3001))), act(btn("url", a(3000)))},
		"button-value-too-long":                        {act(btn("value", a(2001))), act(btn("value", a(2000)))},
		"confirmation-title-too-long":                  {confirm("title", txt(a(101))), confirm("title", txt(a(100)))},
		"confirmation-text-too-long":                   {confirm("text", txt(a(301))), confirm("text", txt(a(300)))},
		"confirmation-confirm-too-long":                {confirm("confirm", txt(a(31))), confirm("confirm", txt(a(30)))},
		"confirmation-deny-too-long":                   {confirm("deny", txt(a(31))), confirm("deny", txt(a(30)))},
		"option-text-too-long":                         {sel("options", []any{opt(a(76))}), sel("options", []any{opt(a(75))})},
		"option-value-too-long":                        {sel("options", []any{with(opt("x"), "value", a(151))}), sel("options", []any{with(opt("x"), "value", a(150))})},
		"option-url-too-long":                          {act(m{"type": "overflow", "options": []any{with(opt("x"), "url", strings.Repeat("😀", 3001))}}), act(m{"type": "overflow", "options": []any{with(opt("x"), "url", strings.Repeat("😀", 3000))}})},
		"option-description-too-long":                  {sel("options", []any{with(opt("x"), "description", txt(a(76)))}), sel("options", []any{with(opt("x"), "description", txt(a(75)))})},
		"option-group-label-too-long":                  {sel("option_groups", []any{group(a(76), 1)}), sel("option_groups", []any{group(a(75), 1)})},
		"option-group-empty":                           {sel("option_groups", []any{group("g", 0)}), sel("option_groups", []any{group("g", 1)})},
		"option-group-too-many-options":                {sel("option_groups", []any{group("g", 101)}), sel("option_groups", []any{group("g", 100)})},
		"select-placeholder-too-long":                  {sel("options", opts(1), "placeholder", txt(a(151))), sel("options", opts(1), "placeholder", txt(a(150)))},
		"select-too-many-options":                      {sel("options", opts(101)), sel("options", opts(100))},
		"select-too-many-option-groups":                {sel("option_groups", many(101, func(int) any { return group("g", 1) })), sel("option_groups", many(100, func(int) any { return group("g", 1) }))},
		"overflow-empty":                               {act(m{"type": "overflow", "options": opts(0)}), act(m{"type": "overflow", "options": opts(1)})},
		"overflow-too-many-options":                    {act(m{"type": "overflow", "options": opts(6)}), act(m{"type": "overflow", "options": opts(5)})},
		"checkboxes-empty":                             {act(m{"type": "checkboxes", "options": opts(0)}), act(m{"type": "checkboxes", "options": opts(1)})},
		"checkboxes-too-many-options":                  {act(m{"type": "checkboxes", "options": opts(11)}), act(m{"type": "checkboxes", "options": opts(10)})},
		"radio-buttons-empty":                          {act(m{"type": "radio_buttons", "options": opts(0)}), act(m{"type": "radio_buttons", "options": opts(1)})},
		"radio-buttons-too-many-options":               {act(m{"type": "radio_buttons", "options": opts(11)}), act(m{"type": "radio_buttons", "options": opts(10)})},
		"table-too-many-rows":                          {m{"type": "table", "rows": rows(101, 2)}, m{"type": "table", "rows": rows(100, 2)}},
		"table-ragged-rows":                            {m{"type": "table", "rows": []any{row(2), row(1)}}, m{"type": "table", "rows": []any{row(2), row(2)}}},
		"table-column-settings-mismatch":               {m{"type": "table", "rows": rows(1, 2), "column_settings": []any{m{}}}, m{"type": "table", "rows": rows(1, 2), "column_settings": []any{m{}, m{}}}},
		"file-input-max-files-too-small":               {inp(m{"type": "file_input", "max_files": 0.0}), inp(m{"type": "file_input", "max_files": 1.0})},
		"file-input-max-files-too-large":               {inp(m{"type": "file_input", "max_files": 11.0}), inp(m{"type": "file_input", "max_files": 10.0})},
		"plain-text-input-max-length-too-large":        {inp(m{"type": "plain_text_input", "max_length": 3001.0}), inp(m{"type": "plain_text_input", "max_length": 3000.0})},
		"actions-too-many-elements":                    {act(many(26, func(i int) any { return btn("action_id", strconv.Itoa(i)) })...), act(many(25, func(i int) any { return btn("action_id", strconv.Itoa(i)) })...)},
		"context-too-many-elements":                    {m{"type": "context", "elements": many(11, func(int) any { return mrk("x") })}, m{"type": "context", "elements": many(10, func(int) any { return mrk("x") })}},
		"header-text-too-long":                         {m{"type": "header", "text": txt(a(151))}, m{"type": "header", "text": txt(a(150))}},
		"image-url-too-long":                           {with(image, "image_url", a(3001)), with(image, "image_url", a(3000))},
		"image-alt-text-too-long":                      {with(image, "alt_text", a(2001)), with(image, "alt_text", a(2000))},
		"input-label-too-long":                         {with(inp(m{"type": "plain_text_input"}), "label", txt(a(2001))), with(inp(m{"type": "plain_text_input"}), "label", txt(a(2000)))},
		"input-hint-too-long":                          {with(inp(m{"type": "plain_text_input"}), "hint", txt(a(2001))), with(inp(m{"type": "plain_text_input"}), "hint", txt(a(2000)))},
		"markdown-empty":                               {m{"type": "markdown", "text": ""}, m{"type": "markdown", "text": "a"}},
		"markdown-too-long":                            {m{"type": "markdown", "text": a(12_001)}, m{"type": "markdown", "text": a(12_000)}},
		"section-text-too-long":                        {section("text", mrk(a(3001))), section("text", mrk(a(3000)))},
		"section-too-many-fields":                      {section("fields", many(11, func(int) any { return mrk("x") })), section("fields", many(10, func(int) any { return mrk("x") }))},
		"section-field-too-long":                       {section("fields", []any{mrk(a(2001))}), section("fields", []any{mrk(a(2000))})},
		"video-alt-text-empty":                         {video("alt_text", ""), video()},
		"video-alt-text-too-long":                      {video("alt_text", a(201)), video("alt_text", a(200))},
		"video-title-too-long":                         {video("title", txt(a(201))), video("title", txt(a(200)))},
		"video-author-name-too-long":                   {video("author_name", a(51)), video("author_name", a(50))},
		"video-description-too-long":                   {video("description", txt(a(201))), video("description", txt(a(200)))},
		"video-provider-name-too-long":                 {video("provider_name", a(51)), video("provider_name", a(50))},
		"view-missing-blocks":                          {modal("blocks", []any{}), modal()},
		"view-too-many-blocks":                         {modal("blocks", many(101, func(int) any { return m{"type": "divider"} })), modal("blocks", many(100, func(int) any { return m{"type": "divider"} }))},
		"view-private-metadata-too-long":               {modal("private_metadata", a(3001)), modal("private_metadata", a(3000))},
		"view-callback-id-too-long":                    {modal("callback_id", a(256)), modal("callback_id", a(255))},
		"view-title-too-long":                          {modal("title", txt(a(25))), modal("title", txt(a(24)))},
		"view-close-too-long":                          {modal("close", txt(a(25))), modal("close", txt(a(24)))},
		"view-submit-too-long":                         {modal("submit", txt(a(25))), modal("submit", txt(a(24)))},
		"section-missing-content":                      {m{"type": "section"}, section()},
		"static-select-options-and-groups":             {sel("options", opts(1), "option_groups", []any{group("g", 1)}), sel("options", opts(1))},
		"image-url-and-slack-file":                     {with(image, "slack_file", m{"id": "F1"}), image},
		"number-input-inverted-range":                  {inp(m{"type": "number_input", "min_value": "10", "max_value": "9"}), inp(m{"type": "number_input", "min_value": "9", "max_value": "10"})},
		"context-invalid-element":                      {m{"type": "context", "elements": []any{btn()}}, m{"type": "context", "elements": []any{mrk("x")}}},
		"input-invalid-element":                        {inp(btn()), inp(m{"type": "plain_text_input"})},
		"block-id-too-long":                            {section("block_id", a(256)), section("block_id", a(255))},
		"button-accessibility-label-too-long":          {act(btn("accessibility_label", a(76))), act(btn("accessibility_label", a(75)))},
		"alert-text-too-long":                          {m{"type": "alert", "text": mrk(a(201))}, m{"type": "alert", "text": mrk(a(200))}},
		"card-title-too-long":                          {card("title", mrk(a(151))), card("title", mrk(a(150)))},
		"card-subtitle-too-long":                       {card("subtitle", mrk(a(151))), card("subtitle", mrk(a(150)))},
		"card-body-too-long":                           {card("body", mrk(a(201))), card("body", mrk(a(200)))},
		"card-subtext-too-long":                        {card("subtext", mrk(a(201))), card("subtext", mrk(a(200)))},
		"card-too-many-actions":                        {card("actions", many(4, func(i int) any { return btn("action_id", strconv.Itoa(i)) })), card("actions", many(3, func(i int) any { return btn("action_id", strconv.Itoa(i)) }))},
		"carousel-empty":                               {m{"type": "carousel", "elements": []any{}}, m{"type": "carousel", "elements": []any{card()}}},
		"carousel-too-many-cards":                      {m{"type": "carousel", "elements": many(11, func(int) any { return card() })}, m{"type": "carousel", "elements": many(10, func(int) any { return card() })}},
		"container-title-too-long":                     {m{"type": "container", "title": txt(a(151)), "child_blocks": []any{section()}}, m{"type": "container", "title": txt(a(150)), "child_blocks": []any{section()}}},
		"container-subtitle-too-long":                  {m{"type": "container", "subtitle": txt(a(151)), "child_blocks": []any{section()}}, m{"type": "container", "subtitle": txt(a(150)), "child_blocks": []any{section()}}},
		"container-too-many-child-blocks":              {m{"type": "container", "child_blocks": many(11, func(int) any { return section() })}, m{"type": "container", "child_blocks": many(10, func(int) any { return section() })}},
		"context-actions-too-many-elements":            {m{"type": "context_actions", "elements": many(6, iconButton)}, m{"type": "context_actions", "elements": many(5, iconButton)}},
		"feedback-button-text-too-long":                {feedback("text", txt(a(76))), feedback("text", txt(a(75)))},
		"feedback-button-value-too-long":               {feedback("value", a(2001)), feedback("value", a(2000))},
		"feedback-button-accessibility-label-too-long": {feedback("accessibility_label", a(76)), feedback("accessibility_label", a(75))},
		"icon-button-too-many-visible-users":           {m{"type": "context_actions", "elements": []any{m{"type": "icon_button", "icon": "trash", "text": txt("x"), "visible_to_user_ids": ends(11)}}}, m{"type": "context_actions", "elements": []any{m{"type": "icon_button", "icon": "trash", "text": txt("x"), "visible_to_user_ids": ends(10)}}}},
		"data-table-too-few-rows":                      {table("rows", rows(1, 2)), table()},
		"data-table-too-many-rows":                     {table("rows", rows(202, 2)), table("rows", rows(201, 2))},
		"data-table-too-few-columns":                   {table("rows", rows(2, 0)), table("rows", rows(2, 1))},
		"data-table-too-many-columns":                  {table("rows", rows(2, 21)), table("rows", rows(2, 20))},
		"data-table-page-size-too-small":               {table("page_size", 0.0), table("page_size", 1.0)},
		"data-table-page-size-too-large":               {table("page_size", 101.0), table("page_size", 100.0)},
		"data-table-cell-text-empty":                   {table("rows", []any{row(1), []any{cell("")}}), table("rows", []any{row(1), []any{cell("x")}})},
		"data-table-content-too-long":                  {table("rows", []any{row(1), []any{cell(a(20_000))}}), table("rows", []any{row(1), []any{cell(a(19_999))}})},
		"data-visualization-title-too-long":            {with(pie([]any{segment("s", 1)}), "title", a(51)), with(pie([]any{segment("s", 1)}), "title", a(50))},
		"pie-chart-empty":                              {pie([]any{}), pie([]any{segment("s", 1)})},
		"pie-chart-too-many-segments":                  {pie(many(13, func(int) any { return segment("s", 1) })), pie(many(12, func(int) any { return segment("s", 1) }))},
		"chart-segment-label-too-long":                 {pie([]any{segment(a(21), 1)}), pie([]any{segment(a(20), 1)})},
		"chart-segment-value-not-positive":             {pie([]any{segment("s", 0)}), pie([]any{segment("s", 0.1)})},
		"chart-series-empty":                           {line([]any{}, axis()), line(line1, axis())},
		"chart-too-many-series":                        {line(many(13, func(int) any { return series("s", 1) }), axis()), line(many(12, func(int) any { return series("s", 1) }), axis())},
		"data-series-name-too-long":                    {line([]any{series(a(21), 1)}, axis()), line([]any{series(a(20), 1)}, axis())},
		"data-series-empty":                            {line([]any{series("s", 0)}, axis()), line(line1, axis())},
		"data-series-too-many-points":                  {line([]any{series("s", 21)}, axis()), line([]any{series("s", 20)}, axis())},
		"data-point-label-too-long":                    {line([]any{m{"name": "s", "data": []any{point(a(21))}}}, axis()), line([]any{m{"name": "s", "data": []any{point(a(20))}}}, axis())},
		"axis-categories-empty":                        {line(line1, axis("categories", ends(0))), line(line1, axis())},
		"axis-too-many-categories":                     {line(line1, axis("categories", ends(21))), line(line1, axis("categories", ends(20)))},
		"axis-category-label-too-long":                 {line(line1, axis("categories", []any{a(21)})), line(line1, axis("categories", []any{a(20)}))},
		"axis-label-too-long":                          {line(line1, axis("x_label", a(51))), line(line1, axis("x_label", a(50)))},
	}
}

func iconButton(i int) any {
	return m{"type": "icon_button", "icon": "trash", "text": txt("x"), "action_id": strconv.Itoa(i)}
}

// check validates a block, or a view.
func check(t *testing.T, v m) []string {
	t.Helper()
	if v["type"] == "modal" || v["type"] == "home" {
		return sandbox.ValidateView(v)
	}
	raw, err := json.Marshal([]any{v})
	if err != nil {
		t.Fatal(err)
	}
	return sandbox.ValidateBlocks(raw)
}

// TestInvalidBlocks walks the shared list: each case is refused, and what is just
// inside the limit is not.
func TestInvalidBlocks(t *testing.T) {
	t.Parallel()
	var list struct {
		Cases []struct{ ID, Description string } `json:"cases"`
	}
	if err := json.Unmarshal(proctest.Shared(t, "contracts/slack-blocks/invalid.json"), &list); err != nil {
		t.Fatal(err)
	}
	// URL sources stand only in task cards, which are not looked into.
	skipped := map[string]bool{"url-source-url-empty": true, "url-source-url-too-long": true}
	covered := 0
	for _, c := range list.Cases {
		pair, ok := broken()[c.ID]
		if !ok {
			if !skipped[c.ID] {
				t.Errorf("%s is not covered: %s", c.ID, c.Description)
			}
			continue
		}
		covered++
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			problems := check(t, pair[0])
			if len(problems) == 0 {
				t.Errorf("accepted: %s", c.Description)
			}
			for _, p := range problems {
				if !strings.HasPrefix(p, "[ERROR] ") || !strings.Contains(p, "[json-pointer:/") {
					t.Errorf("problem %q does not read like Slack's", p)
				}
			}
			if problems := check(t, pair[1]); len(problems) > 0 {
				t.Errorf("refused what is within the limit: %q", problems)
			}
		})
	}
	t.Logf("%d of %d cases covered", covered, len(list.Cases))
}

// TestValidBlocks takes every valid block, element, message and view of the
// shared list.
func TestValidBlocks(t *testing.T) {
	t.Parallel()
	var list map[string]m
	if err := json.Unmarshal(proctest.Shared(t, "contracts/slack-blocks/valid.json"), &list); err != nil {
		t.Fatal(err)
	}
	covered := 0
	for name, v := range list {
		kind, _, _ := strings.Cut(name, "/")
		switch kind {
		case "blocks", "views":
		case "elements":
			v = hold(v)
		case "attachments", "messages":
			if strings.HasPrefix(name, "messages/webhook_message_") {
				continue // two blocks of one block_id, which Slack refuses
			}
		default:
			continue // parts of blocks
		}
		if v == nil {
			continue
		}
		covered++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, list := range blockLists(v) {
				raw, err := json.Marshal(list)
				if err != nil {
					t.Fatal(err)
				}
				if problems := sandbox.ValidateBlocks(raw); len(problems) > 0 {
					t.Errorf("refused: %q", problems)
				}
			}
			if v["type"] != nil {
				if problems := check(t, v); len(problems) > 0 {
					t.Errorf("refused: %q", problems)
				}
			}
		})
	}
	t.Logf("%d of %d covered", covered, len(list))
}

// blockLists gives the lists of blocks in a message and its attachments.
func blockLists(v m) (out []any) {
	if v["type"] == nil && v["blocks"] != nil {
		out = append(out, v["blocks"])
	}
	attachments, _ := v["attachments"].([]any)
	for _, item := range attachments {
		if attachment, ok := item.(m); ok {
			out = append(out, attachment["blocks"])
		}
	}
	return out
}

// hold puts an element into a block that may hold it.
func hold(e m) m {
	kind, _ := e["type"].(string)
	switch {
	case kind == "url":
		return nil
	case kind == "image":
		return m{"type": "context", "elements": []any{e}}
	case strings.HasSuffix(kind, "button") || kind == "overflow":
		return act(e)
	default:
		return inp(e)
	}
}

func TestBlocksTogether(t *testing.T) {
	t.Parallel()
	divider := func(int) any { return m{"type": "divider"} }
	for _, tt := range []struct {
		name   string
		blocks []any
		want   string // in the first problem; empty: fine
	}{
		{"50 blocks", many(50, divider), ""},
		{"51 blocks", many(51, divider), "no more than 50 items allowed [json-pointer:/blocks]"},
		{"block_id twice", []any{section("block_id", "x"), section("block_id", "x")}, "[json-pointer:/blocks/1/block_id]"},
		{"action_id twice", []any{act(btn()), section("accessory", btn())}, "[json-pointer:/blocks/1/accessory/action_id]"},
		{"two tables", []any{m{"type": "table", "rows": rows(1, 1)}, m{"type": "table", "rows": rows(1, 1)}}, "no more than 1 table"},
		{"markdown in all", []any{m{"type": "markdown", "text": a(6001)}, m{"type": "markdown", "text": a(6000)}}, "12001"},
		{"unknown type", []any{m{"type": "shout"}}, "unsupported type: shout [json-pointer:/blocks/0]"},
		{"unknown field", []any{section("colour", "red")}, "invalid additional property: colour [json-pointer:/blocks/0]"},
		{"mrkdwn in a header", []any{m{"type": "header", "text": mrk("x")}}, "[json-pointer:/blocks/0/text/type]"},
		{"button style", []any{act(btn("style", "loud"))}, "must be one of primary, danger"},
		{"initial option unknown", []any{sel("options", opts(2), "initial_option", opt("7"))}, "initial option"},
		{"not an object", []any{"x"}, "must be an object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			raw, err := json.Marshal(tt.blocks)
			if err != nil {
				t.Fatal(err)
			}
			got := sandbox.ValidateBlocks(raw)
			if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) == 0 || !strings.Contains(got[0], tt.want)) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// FuzzValidateBlocks looks for blocks that break the checker itself.
func FuzzValidateBlocks(f *testing.F) {
	f.Add([]byte(`[{"type":"section","text":{"type":"mrkdwn","text":"x"},"accessory":{"type":"button"}}]`))
	f.Add([]byte(`[{"type":"context_actions","elements":[{"type":"feedback_buttons"}]},{"type":"data_visualization"}]`))
	f.Add([]byte(`{"type":"section"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, p := range sandbox.ValidateBlocks(raw) {
			if !strings.HasPrefix(p, "[ERROR] ") {
				t.Errorf("problem %q", p)
			}
		}
	})
}
