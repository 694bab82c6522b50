package postmortem

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// Limits of what people write, in characters and in rows.
const (
	maxSection = 50_000
	maxCell    = 3000
	maxRows    = 200
)

// field is one thing that people can write.
type field struct {
	// normal checks a value and gives the form in which it is stored.
	normal func(name string, raw []byte) (json.RawMessage, error)
	// lay puts a stored value into a document.
	lay func(doc *Document, raw json.RawMessage)
}

func fields() map[string]field {
	all := map[string]field{
		"language":           enum("language", Languages(), func(d *Document, v Language) { d.Language = v }),
		"audience":           enum("audience", Audiences(), func(d *Document, v Audience) { d.Audience = v }),
		"data_loss":          enum("answer", Knowns(), func(d *Document, v Known) { d.Impact.DataLoss = v }),
		"objective_breached": enum("answer", Knowns(), func(d *Document, v Known) { d.Impact.Objective = v }),
		"trigger_kind":       enum("kind of trigger", TriggerKinds(), func(d *Document, v TriggerKind) { d.Trigger = v }),
		"no_measure_reason":  of(cell, func(d *Document, v string) { d.Impact.Reason = v }),
		"services":           rows(cellValue, func(d *Document, v []string) { d.Services = v }),
		"regions":            rows(cellValue, func(d *Document, v []string) { d.Impact.Regions = v }),
		"tags":               rows(checkTag, func(d *Document, v []Tag) { d.Tags = v }),
		"measures":           rows(checkMeasure, func(d *Document, v []Measure) { d.Impact.Measures = v }),
		"factors":            rows(checkFactor, func(d *Document, v []Factor) { d.Factors = v }),
		"glossary":           rows(checkTerm, func(d *Document, v []Term) { d.Glossary = v }),
		"lesson_items":       rows(checkLesson, func(d *Document, v []Lesson) { d.Lessons = v }),
		"link_items":         rows(checkLink, func(d *Document, v []Link) { d.Links = append(d.Links, v...) }),
		"evidence_items":     rows(checkEvidence, func(d *Document, v []Evidence) { d.Evidence = append(d.Evidence, v...) }),
	}
	maps.Copy(all, reviewFields())
	for _, id := range SectionIDs() {
		all[string(id)] = of(section, func(d *Document, text string) {
			for i := range d.Sections {
				if d.Sections[i].ID == id {
					d.Sections[i].Text, d.Sections[i].Written, d.Sections[i].Question = text, true, ""
				}
			}
		})
	}
	return all
}

// of makes a field of a type whose check may mend it.
func of[T any](check func(name string, value *T) error, lay func(*Document, T)) field {
	return field{
		normal: func(name string, raw []byte) (json.RawMessage, error) {
			var value T
			decoder := json.NewDecoder(bytes.NewReader(raw))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&value); err != nil {
				return nil, incidents.Errorf(incidents.Invalid, "The field %q can not be written like this. /api/v1/postmortem.schema.json shows its form.", name)
			}
			if err := check(name, &value); err != nil {
				return nil, err
			}
			return json.Marshal(value)
		},
		lay: func(doc *Document, raw json.RawMessage) {
			var value T
			if json.Unmarshal(raw, &value) == nil {
				lay(doc, value)
			}
		},
	}
}

func enum[T ~string](what string, all []T, lay func(*Document, T)) field {
	return of(func(_ string, value *T) error { return oneOf(what, *value, all, false) }, lay)
}

func rows[T any](check func(*T) error, lay func(*Document, []T)) field {
	return of(func(name string, list *[]T) error { return rowsOf(name, list, check) }, lay)
}

// rowsOf checks the rows of a field.
func rowsOf[T any](name string, list *[]T, check func(*T) error) error {
	if len(*list) > maxRows {
		return incidents.Errorf(incidents.Invalid, "The field %q has %d rows; at most %d fit.", name, len(*list), maxRows)
	}
	if *list == nil {
		*list = []T{}
	}
	for i := range *list {
		if err := check(&(*list)[i]); err != nil {
			return err
		}
	}
	return nil
}

// section checks the text of a section.
func section(name string, text *string) error {
	*text = TextOf(BlocksOf(strings.ToValidUTF8(*text, "\uFFFD")))
	if n := len([]rune(*text)); n > maxSection {
		return incidents.Errorf(incidents.Invalid, "The section %q has %d characters; at most %d fit.", name, n, maxSection)
	}
	return nil
}

func cell(_ string, text *string) error { return cellValue(text) }

func cellValue(text *string) error {
	*text = strings.TrimSpace(strings.ToValidUTF8(*text, "\uFFFD"))
	if n := len([]rune(*text)); n > maxCell {
		return incidents.Errorf(incidents.Invalid, "A text has %d characters; at most %d fit here.", n, maxCell)
	}
	return nil
}

func cells(texts ...*string) error {
	for _, text := range texts {
		if err := cellValue(text); err != nil {
			return err
		}
	}
	return nil
}

func needed(what string, text string) error {
	if text == "" {
		return incidents.Errorf(incidents.Invalid, "Each row of the %s needs a text.", what)
	}
	return nil
}

func checkTag(t *Tag) error {
	return errors.Join(cells(&t.Key, &t.Value), needed("tags", t.Key))
}

func checkMeasure(m *Measure) error {
	if m.Kind == "" {
		m.Kind = OfOther
	}
	return first(
		cells(&m.What, &m.Value, &m.Unit, &m.OfTotal, &m.How), needed("impact's measures", m.What),
		number(m.Value), number(m.OfTotal), oneOf("kind of a measure", m.Kind, MeasureKinds(), false))
}

func checkFactor(f *Factor) error {
	if f.Category == "" {
		f.Category = "other"
	}
	return first(
		cells(&f.Text, &f.Evidence, &f.LatentSince), needed("contributing factors", f.Text),
		date(f.LatentSince), oneOf("category of a factor", f.Category, FactorCategories(), false), checkWhys(&f.Whys))
}

func checkTerm(t *Term) error { return first(cells(&t.Term, &t.Meaning), needed("glossary", t.Term)) }

func checkLesson(l *Lesson) error {
	return first(cells(&l.Text, &l.Answers), needed("lessons", l.Text))
}

func checkEvidence(e *Evidence) error {
	if err := first(cells(&e.Text, &e.URL), needed("evidence", e.Text)); err != nil {
		return err
	}
	if e.File != nil { // else whoever may write could name a file of an incident that he may not see
		return incidents.Errorf(incidents.Invalid, "A file comes from the incident's channel. Mark the message that it is attached to with 📈; here an address can be given.")
	}
	if e.URL == "" {
		return nil
	}
	return webAddress(e.URL)
}

// first gives the first error there is.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func number(text string) error {
	if text == "" || regexp.MustCompile(`^-?[0-9]{1,18}(\.[0-9]{1,6})?$`).MatchString(text) {
		return nil
	}
	return incidents.Errorf(incidents.Invalid, "%q is no number. Write it like 12000 or 0.5; leave it empty when it is not known.", text)
}

func date(text string) error {
	if text == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return incidents.Errorf(incidents.Invalid, "%q is no date. Write it like 2030-01-31.", text)
	}
	return nil
}
