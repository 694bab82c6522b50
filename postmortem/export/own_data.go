package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// dataOf is what every own template is given: .document is the document as its
// JSON form has it, by the published schema (/api/v1/postmortem.schema.json), so
// {{.document.facts.severity}} and {{range .document.action_items}}; what the
// form leaves out when it is empty is there and empty; .language is "en" or "de".
//
// A section's template has .id, .title and .body besides, which is what would
// stand there without it. The page's has .title, .notes, .footer and .sections,
// each with .id, .title and .body; in HTML .style and .contents too, the words
// for a list of sections.
//
// The functions are those of Go's templates and
//
//	section "timeline"        the body of a section that stands above this one, or of any in a page
//	utc .at                   a time of the document in UTC: "2026-06-10 09:20:00", "unknown" for none
//	local .at                 the same in the document's zone, with its offset
//	word "severity" .value    a value as people read it: kind, status, type, state, gap, …
//	join .services ", "       a list in one line
func dataOf(doc postmortem.Document) (map[string]any, error) {
	raw, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	var data map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber() // so that 1 is printed as 1
	if err := decoder.Decode(&data); err != nil {
		return nil, err
	}
	var schema map[string]any
	if err := json.Unmarshal(postmortem.Schema(), &schema); err != nil {
		return nil, fmt.Errorf("read the schema of postmortems: %w", err)
	}
	complete(data, schema)
	return map[string]any{"document": data, "language": string(doc.Language)}, nil
}

// complete puts into objects what their schema has and they leave out.
func complete(value any, schema map[string]any) {
	switch value := value.(type) {
	case map[string]any:
		if either, ok := schema["anyOf"].([]any); ok { // an object or null
			schema, _ = either[0].(map[string]any)
		}
		properties, _ := schema["properties"].(map[string]any)
		for name, property := range properties {
			property, _ := property.(map[string]any)
			if _, ok := value[name]; !ok {
				value[name] = empty(property)
			}
			complete(value[name], property)
		}
	case []any:
		items, _ := schema["items"].(map[string]any)
		for _, item := range value {
			complete(item, items)
		}
	}
}

// empty is the empty value of a type.
func empty(schema map[string]any) any {
	switch schema["type"] {
	case "string":
		return ""
	case "boolean":
		return false
	case "integer", "number":
		return json.Number("0")
	case "array":
		return []any{}
	case "object":
		return map[string]any{}
	default:
		return nil
	}
}

func with(data, more map[string]any) map[string]any {
	all := maps.Clone(data)
	maps.Copy(all, more)
	return all
}

// functions are what templates can call, for one document.
type functions struct {
	*labels

	doc    postmortem.Document
	bodies map[string]any
	none   any // an empty body
}

func (f functions) all() map[string]any {
	return map[string]any{"section": f.section, "utc": f.utc, "local": f.local, "word": f.doc.Language.Value, "join": join, escaper: escaped}
}

func (f functions) section(id string) (any, error) {
	if body, ok := f.bodies[id]; ok {
		return body, nil
	}
	if slices.Contains(sectionNames(), id) {
		return f.none, nil // it stands below
	}
	return nil, fmt.Errorf("there is no section %q", id)
}

func (f functions) utc(at any) (string, error) { return f.clock(at, time.UTC) }

func (f functions) local(at any) (string, error) { return f.clock(at, zoneOf(f.doc.Zone)) }

func (f functions) clock(at any, zone *time.Location) (string, error) {
	text, ok := at.(string)
	if at == nil || text == "" && ok {
		return f.unknown, nil
	}
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "", fmt.Errorf("%v is no time of the document", at)
	}
	written := postmortem.Clock(moment.In(zone), incidents.ToSecond, f.doc.Language)
	if zone != time.UTC {
		written += " " + postmortem.Offset(moment.In(zone))
	}
	return written, nil
}

func join(list any, separator string) (string, error) {
	values, ok := list.([]any)
	if !ok {
		return "", errors.New("join needs a list of the document")
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, separator), nil
}
