package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// column is one cell of an editable table.
type column struct {
	Name    string // of the field in JSON
	Kind    string // text, area, number, outline, count, date, url, select or check
	Options []string
}

// tableSpec is a field of the document that is a table.
type tableSpec struct {
	field   string
	columns []column
	rows    func(postmortem.Document) any // as the document has them
}

func tableSpecs() []tableSpec {
	return []tableSpec{
		{"link_items", []column{{"kind", "select", textsOf(postmortem.LinkKinds())}, {"text", "text", nil}, {"url", "url", nil}}, func(d postmortem.Document) any {
			return slices.DeleteFunc(slices.Clone(d.Links), func(l postmortem.Link) bool { return l.Drafted })
		}},
		{"measures", []column{
			{"what", "text", nil},
			{"value", "number", nil},
			{"unit", "text", nil},
			{"of_total", "number", nil},
			{"kind", "select", textsOf(postmortem.MeasureKinds())},
			{"how_measured", "text", nil},
			{"estimated", "check", nil},
		}, func(d postmortem.Document) any { return d.Impact.Measures }},
		{"factors", []column{
			{"text", "area", nil},
			{"whys", "outline", nil},
			{"category", "select", textsOf(postmortem.FactorCategories())},
			{"evidence", "text", nil},
			{"latent_since", "date", nil},
		}, func(d postmortem.Document) any { return d.Factors }},
		{"lesson_items", []column{{"text", "area", nil}, {"answers", "text", nil}}, func(d postmortem.Document) any { return d.Lessons }},
		{"glossary", []column{{"term", "text", nil}, {"meaning", "text", nil}}, func(d postmortem.Document) any { return d.Glossary }},
		{"participants", []column{{"name", "text", nil}, {"as", "text", nil}}, func(d postmortem.Document) any { return reviewRecord(d).Participants }},
		{"decisions", []column{{"text", "area", nil}}, func(d postmortem.Document) any { return reviewRecord(d).Decisions }},
		{"survey", []column{
			{"question", "select", textsOf(postmortem.SurveyQuestions())},
			{"yes", "count", nil},
			{"no", "count", nil},
			{"unsure", "count", nil},
		}, func(d postmortem.Document) any { return reviewRecord(d).Survey }},
	}
}

// choiceSpec is a field with a few values.
type choiceSpec struct {
	field   string
	options []string
	value   func(postmortem.Document) string
}

func choiceSpecs() []choiceSpec {
	return []choiceSpec{
		{"language", textsOf(postmortem.Languages()), func(d postmortem.Document) string { return string(d.Language) }},
		{"audience", textsOf(postmortem.Audiences()), func(d postmortem.Document) string { return string(d.Audience) }},
		{"trigger_kind", textsOf(postmortem.TriggerKinds()), func(d postmortem.Document) string { return string(d.Trigger) }},
		{"data_loss", textsOf(postmortem.Knowns()), func(d postmortem.Document) string { return string(d.Impact.DataLoss) }},
		{"objective_breached", textsOf(postmortem.Knowns()), func(d postmortem.Document) string { return string(d.Impact.Objective) }},
	}
}

// textSpec is a field of one line, below the text of a section.
type textSpec struct {
	field   string
	section postmortem.SectionID
	value   func(postmortem.Document) string
}

func textSpecs() []textSpec {
	return []textSpec{
		{"no_measure_reason", postmortem.ImpactSection, func(d postmortem.Document) string { return d.Impact.Reason }},
		{"facilitator", postmortem.ReviewSection, func(d postmortem.Document) string { return reviewRecord(d).Facilitator }},
	}
}

// reviewRecord is the record of the review, empty where there is none.
func reviewRecord(d postmortem.Document) postmortem.Review {
	if d.Review == nil {
		return postmortem.Review{}
	}
	return *d.Review
}

func textsOf[T ~string](values []T) []string {
	texts := make([]string, 0, len(values))
	for _, value := range values {
		texts = append(texts, string(value))
	}
	return texts
}

// cells are the rows of a table as text.
func (s tableSpec) cells(doc postmortem.Document) [][]string {
	raw, err := json.Marshal(s.rows(doc))
	if err != nil {
		return nil // our own types always marshal
	}
	return s.decode(raw)
}

// decode reads the rows of a stored field.
func (s tableSpec) decode(raw []byte) [][]string {
	var rows []map[string]any
	if json.Unmarshal(raw, &rows) != nil {
		return nil
	}
	table := make([][]string, 0, len(rows))
	for _, row := range rows {
		cells := make([]string, len(s.columns))
		for i, c := range s.columns {
			switch value := row[c.Name].(type) {
			case string:
				cells[i] = value
			case bool:
				if value {
					cells[i] = "yes"
				}
			case []any:
				cells[i] = outlineOf(value)
			}
		}
		table = append(table, cells)
	}
	return table
}

// outlineOf writes a list in levels as lines.
func outlineOf(value []any) string {
	var whys []postmortem.Why
	raw, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(raw, &whys)
	}
	if err != nil {
		return "" // our own form always reads
	}
	return postmortem.OutlineOf(whys)
}

// posted reads the rows of a form; rows that say nothing are left out.
func (s tableSpec) posted(form url.Values) [][]string {
	table := [][]string{}
	for n := range 250 {
		prefix := s.field + "." + strconv.Itoa(n) + "."
		if !form.Has(prefix + s.columns[0].Name) {
			break
		}
		cells, said := make([]string, len(s.columns)), false
		for i, c := range s.columns {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(form.Get(prefix+c.Name), "\r\n", "\n"))
			said = said || (cells[i] != "" && c.Kind != "select")
		}
		if said {
			table = append(table, cells)
		}
	}
	return table
}

// encode writes rows as the field's JSON.
func (s tableSpec) encode(table [][]string) (json.RawMessage, error) {
	rows := make([]map[string]any, 0, len(table))
	for _, cells := range table {
		row := map[string]any{}
		for i, c := range s.columns {
			switch c.Kind {
			case "check":
				row[c.Name] = cells[i] != ""
			case "outline":
				row[c.Name] = postmortem.WhysOf(cells[i])
			default:
				row[c.Name] = cells[i]
			}
		}
		rows = append(rows, row)
	}
	return json.Marshal(rows)
}

// flat is a table as one text, to be compared and shown.
func flat(table [][]string) string {
	lines := make([]string, 0, len(table))
	for _, cells := range table {
		lines = append(lines, strings.Join(slices.DeleteFunc(slices.Clone(cells), func(c string) bool { return c == "" }), " · "))
	}
	return strings.Join(lines, "\n")
}

// digest marks what stood in a field when its form was written, so that only
// what somebody changed is stored: the draft moves on by itself.
func digest(text string) string {
	sum := sha256.Sum256([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
	return hex.EncodeToString(sum[:8])
}

func exact(table [][]string) string {
	raw, _ := json.Marshal(table) // texts always marshal
	return string(raw)
}

// patchOf reads what somebody changed in the editor's form.
func patchOf(form url.Values) (base int64, patch postmortem.Written, err error) {
	base, err = strconv.ParseInt(form.Get("base"), 10, 64)
	if err != nil {
		return 0, nil, incidents.Errorf(incidents.Invalid, "The form does not say which revision it is about. Open the page again.")
	}
	patch = postmortem.Written{}
	put := func(field, now string, value func() (json.RawMessage, error)) {
		switch {
		case err != nil || !form.Has("was."+field):
		case form.Get("reset."+field) != "":
			patch[field] = json.RawMessage("null")
		case digest(now) != form.Get("was."+field):
			patch[field], err = value()
		}
	}
	for _, field := range textFields() {
		text := strings.ReplaceAll(form.Get(field), "\r\n", "\n")
		put(field, text, func() (json.RawMessage, error) { return json.Marshal(text) })
	}
	for _, c := range choiceSpecs() {
		value := form.Get(c.field)
		if value == "" {
			continue
		}
		put(c.field, value, func() (json.RawMessage, error) { return json.Marshal(value) })
	}
	for _, s := range tableSpecs() {
		table := s.posted(form)
		put(s.field, exact(table), func() (json.RawMessage, error) { return s.encode(table) })
	}
	if err != nil {
		return 0, nil, fmt.Errorf("read the editor's form: %w", err)
	}
	return base, patch, nil
}

// textFields are the fields that are one text.
func textFields() []string {
	fields := textsOf(postmortem.SectionIDs())
	for _, spec := range textSpecs() {
		fields = append(fields, spec.field)
	}
	return fields
}
