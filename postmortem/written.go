package postmortem

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/houston-sre/houston/incidents"
)

// Written is what people wrote, field by field; a field that is not in it is the
// draft's. The names are those of the sections (their text), and of the fields
// in [Fields]. As JSON it is the content of a revision.
type Written map[string]json.RawMessage

// ParseWritten reads the content of a revision; nothing is an empty one.
func ParseWritten(content []byte) (Written, error) {
	w := Written{}
	if len(bytes.TrimSpace(content)) == 0 {
		return w, nil
	}
	if err := json.Unmarshal(content, &w); err != nil {
		return nil, incidents.Errorf(incidents.Invalid, "What was written is no JSON object of fields.")
	}
	return w, nil
}

// Content writes it as the content of a revision; the same fields give the same
// bytes.
func (w Written) Content() ([]byte, error) { return json.Marshal(w) }

// With gives what is written after a patch, and which fields it changed. Null
// gives a field back to the draft. A value that may not be stored, and a field
// that does not exist, are refused in words.
func (w Written) With(patch Written) (Written, []string, error) {
	after, changed := maps.Clone(w), []string{}
	if after == nil {
		after = Written{}
	}
	for _, name := range slices.Sorted(maps.Keys(patch)) {
		field, ok := fields()[name]
		if !ok {
			return nil, nil, incidents.Errorf(incidents.Invalid, "A postmortem has no field %q.", name)
		}
		raw := bytes.TrimSpace(patch[name])
		if bytes.Equal(raw, []byte("null")) {
			if _, ok := after[name]; ok {
				delete(after, name)
				changed = append(changed, name)
			}
			continue
		}
		value, err := field.normal(name, raw)
		if err != nil {
			return nil, nil, incidents.About(name, err)
		}
		if !bytes.Equal(after[name], value) {
			after[name] = value
			changed = append(changed, name)
		}
	}
	return after, changed, nil
}

// Over lays what people wrote over a draft. What can not be read any more is
// left to the draft: it was checked when it was stored.
func (w Written) Over(doc *Document) {
	for _, name := range slices.Sorted(maps.Keys(w)) {
		if field, ok := fields()[name]; ok {
			field.lay(doc, w[name])
		}
	}
}

// Text is what was written for a section, and whether anything was.
func (w Written) Text(id SectionID) (string, bool) {
	var text string
	raw, ok := w[string(id)]
	if !ok || json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	return text, true
}

// Language is the language that was chosen, empty when none was.
func (w Written) Language() Language {
	var l Language
	_ = json.Unmarshal(w["language"], &l) // absent is empty
	return l
}
