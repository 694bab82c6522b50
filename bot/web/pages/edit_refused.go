package pages

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/houston-sre/houston/postmortem"
)

// tables are all of the editor's.
func (page *editPage) tables() []*editTable {
	var list []*editTable
	for i := range page.Tables {
		list = append(list, &page.Tables[i])
	}
	for i := range page.Sections {
		for j := range page.Sections[i].Tables {
			list = append(list, &page.Sections[i].Tables[j])
		}
	}
	return list
}

// spec is what a table is made by.
func (t *editTable) spec() tableSpec {
	at := slices.IndexFunc(tableSpecs(), func(spec tableSpec) bool { return spec.field == t.Field })
	return tableSpecs()[at]
}

// refused says beside a field why it was not stored; false when there is no such
// field.
func (page *editPage) refused(field, why string) bool {
	for i := range page.Choices {
		if page.Choices[i].Field == field {
			page.Choices[i].Error = why
			return true
		}
	}
	for i := range page.Sections {
		s := &page.Sections[i]
		if s.ID == field {
			s.Error = why
			return true
		}
		for j := range s.Texts {
			if s.Texts[j].Field == field {
				s.Texts[j].Error = why
				return true
			}
		}
	}
	for _, t := range page.tables() {
		if t.Field == field {
			t.Error = why
			return true
		}
	}
	return false
}

// typed puts what somebody typed over what is stored.
func (page *editPage) typed(v *visit, form url.Values, patch postmortem.Written) {
	mine := func(field string) bool { _, ok := patch[field]; return ok && form.Get("reset."+field) == "" }
	for i := range page.Sections {
		s := &page.Sections[i]
		if mine(s.ID) {
			s.Text = strings.ReplaceAll(form.Get(s.ID), "\r\n", "\n")
			s.Blocks = blocksOf(s.Text)
		}
		for j := range s.Texts {
			if t := &s.Texts[j]; mine(t.Field) {
				t.Text = form.Get(t.Field)
			}
		}
	}
	for _, t := range page.tables() {
		if mine(t.Field) {
			t.fill(v, t.spec().posted(form))
		}
	}
	for i := range page.Choices {
		c := &page.Choices[i]
		if mine(c.Field) {
			for j := range c.Options {
				c.Options[j].Chosen = c.Options[j].Value == form.Get(c.Field)
			}
		}
	}
}

// clash shows what others wrote beside what was typed.
func (page *editPage) clash(e *postmortem.ClashError) {
	page.Clashed, page.Base = true, e.Rev
	theirs := map[string]json.RawMessage{}
	for _, c := range e.Clashes {
		theirs[c.Field] = c.Theirs
	}
	text := func(field string) (string, bool) {
		raw, ok := theirs[field]
		var said string
		_ = json.Unmarshal(raw, &said) // null, the draft's, is empty
		return said, ok
	}
	for i := range page.Sections {
		s := &page.Sections[i]
		s.Theirs, s.Clash = text(s.ID)
		for j := range s.Texts {
			t := &s.Texts[j]
			t.Theirs, t.Clash = text(t.Field)
		}
	}
	for _, t := range page.tables() {
		raw, ok := theirs[t.Field]
		t.Theirs, t.Clash = flat(t.spec().decode(raw)), ok
	}
	for i := range page.Choices {
		page.Choices[i].Theirs, page.Choices[i].Clash = text(page.Choices[i].Field)
	}
}
