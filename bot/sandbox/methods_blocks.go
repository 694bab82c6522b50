package sandbox

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxValidated is how many characters blocks.validate takes.
const maxValidated = 100_000

func blockMethods() map[string]*method {
	return map[string]*method{
		"blocks.validate": {json: true, open: true, errors: []string{"invalid_blocks", "invalid_message", "invalid_view"}, run: blocksValidate},
	}
}

// blocksValidate checks exactly one of blocks, view and message and needs no
// token (docs.slack.dev, blocks.validate). What is wrong stands in errors; which
// codes and constraints these have is not published: the stand-in gives the
// limit as constraint where there is one.
func blocksValidate(c *call) (object, error) {
	var kind string
	for _, key := range []string{"blocks", "view", "message"} {
		switch {
		case c.args[key] == "":
		case kind != "":
			return nil, invalidArguments("must provide exactly one of blocks, view, message")
		default:
			kind = key
		}
	}
	raw := c.args[kind]
	if kind == "" || utf8.RuneCountInString(raw) > maxValidated {
		return nil, invalidArguments("must provide exactly one of blocks, view, message of at most %d characters", maxValidated)
	}
	var problems []string
	switch kind {
	case "blocks":
		problems = ValidateBlocks([]byte(raw))
	case "view":
		problems = []string{"[ERROR] must provide an object [json-pointer:/view]"}
		var body map[string]any
		if json.Unmarshal([]byte(raw), &body) == nil && body != nil {
			problems = ValidateView(body)
		}
	default:
		problems = validateMessage(raw)
	}
	if len(problems) == 0 {
		return object{}, nil
	}
	out := []object{}
	for _, p := range problems {
		out = append(out, problemWire(p))
	}
	return nil, &apiError{code: "invalid_" + kind, messages: problems, extra: object{"errors": out}}
}

// validateMessage checks a message: an object with text or blocks.
func validateMessage(raw string) []string {
	var body struct {
		Text   *string `json:"text"`
		Blocks []any   `json:"blocks"`
	}
	if !strings.HasPrefix(strings.TrimSpace(raw), "{") || json.Unmarshal([]byte(raw), &body) != nil {
		return []string{"[ERROR] must provide an object [json-pointer:/message]"}
	}
	if (body.Text == nil || *body.Text == "") && len(body.Blocks) == 0 {
		return []string{"[ERROR] missing required field: text or blocks [json-pointer:/message]"}
	}
	return validateBlocks(body.Blocks, surfaceMessage, "/message/blocks")
}

// problemWire takes a problem "[ERROR] text [json-pointer:/path]" apart.
func problemWire(problem string) object {
	text, pointer, _ := strings.Cut(strings.TrimPrefix(problem, "[ERROR] "), " [json-pointer:")
	o := object{"code": "invalid", "message": text, "pointer": strings.TrimSuffix(pointer, "]")}
	for word := range strings.FieldsSeq(text) {
		if n, err := strconv.Atoi(word); err == nil {
			o["constraint"] = n
			break
		}
	}
	return o
}
