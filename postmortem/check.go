package postmortem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// Finding is something that a document lacks, or a hint.
type Finding struct {
	// Field is where to mend it: a name of [Fields], "times", "actions", "gaps",
	// "owner" or "approver".
	Field string `json:"field"`
	// Before is the state that the document can not reach while this holds. A
	// hint holds nothing up: it is empty.
	Before incidents.PostmortemState `json:"before"`
	// Text says what to do, in the document's language.
	Text string `json:"text"`
}

// checking collects findings.
type checking struct {
	doc      Document
	words    *words
	findings []Finding
}

func (c *checking) find(before incidents.PostmortemState, field, gate string, args ...any) {
	c.findings = append(c.findings, Finding{Field: field, Before: before, Text: fmt.Sprintf(c.words.gates[gate], args...)})
}

// Check says what a document lacks, in the order of the states it is missing
// for: first what keeps it from review, then from approval, then hints.
func Check(doc Document) []Finding {
	c := &checking{doc: doc, words: doc.Language.words(), findings: []Finding{}}
	c.review()
	c.approval()
	if doc.Audience == ForPublic && doc.Section(PublicMessage).Text == "" {
		c.find(incidents.PostmortemPublished, string(PublicMessage), "public_message")
	}
	c.hints()
	return c.findings
}

// Missing gives the findings that keep a document from a state.
func Missing(doc Document, to incidents.PostmortemState) []Finding {
	order := []incidents.PostmortemState{incidents.PostmortemInReview, incidents.PostmortemApproved, incidents.PostmortemPublished}
	reach := slices.Index(order, to)
	return slices.DeleteFunc(Check(doc), func(f Finding) bool {
		at := slices.Index(order, f.Before)
		return at < 0 || at > reach
	})
}

// review holds what a document needs before it is shown to reviewers.
func (c *checking) review() {
	const before = incidents.PostmortemInReview
	if c.doc.Owner == nil {
		c.find(before, "owner", "owner")
	}
	summary := c.doc.Section(Summary)
	switch names := c.namesIn(summary.Text); {
	case !summary.Written || summary.Text == "":
		c.find(before, string(Summary), "summary")
	case len(names) > 0:
		c.find(before, string(Summary), "summary_names", strings.Join(names, ", "))
	}
	if !c.measured() && c.doc.Impact.Reason == "" {
		c.find(before, "measures", "impact")
	}
	for _, key := range []incidents.KeyTime{incidents.ImpactStart, incidents.Detected, incidents.MitigatedAt} {
		if !slices.ContainsFunc(c.doc.Facts.Times, func(m Moment) bool { return m.Key == key && m.At != nil }) {
			c.find(before, "times", string(key))
		}
	}
	if c.doc.Facts.Detection == "" {
		c.find(before, string(DetectionSection), "detection")
	}
	for _, d := range c.doc.Facts.Durations {
		if d.Finding != "" {
			c.find(before, "times", "times", d.Finding)
		}
	}
	if len(c.doc.Factors) == 0 {
		c.find(before, "factors", "factors")
	}
	if lucky := c.doc.Section(Lucky); !lucky.Written && lucky.Text == "" {
		c.find(before, string(Lucky), "lucky")
	}
}

// measured reports whether the impact has a number. How long people worked on it
// is none of what users saw.
func (c *checking) measured() bool {
	return slices.ContainsFunc(c.doc.Impact.Measures, func(m Measure) bool { return m.Kind != OfTeamHours && m.Value != "" })
}

// namesIn gives the names of the people of the incident that a text has.
func (c *checking) namesIn(text string) []string {
	var found []string
	for _, p := range peopleOf(c.doc) {
		if name := strings.TrimSpace(p.Name); len([]rune(name)) > 2 && containsWord(text, name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

// approval holds what the plan needs.
func (c *checking) approval() {
	const before = incidents.PostmortemApproved
	for _, g := range c.doc.Gaps {
		if g.Action == nil && g.State == incidents.GapOpen {
			c.find(before, "gaps", "gap", g.ID, short(g.Signal, 80))
		}
	}
	if len(c.doc.Gaps) == 0 && c.doc.Verdict.First == PersonFirst && !c.doc.Section(MonitoringGaps).Written {
		c.find(before, "gaps", "no_gap")
	}
	urgent, guards := false, false
	for _, a := range c.doc.Actions {
		if a.State == incidents.ActionDropped {
			continue
		}
		if a.Proposed {
			c.find(before, "actions", "proposed", a.ID, short(a.Text, 80))
			continue
		}
		if lacks := c.lacks(a); lacks != "" {
			c.find(before, "actions", "action", a.ID, short(a.Text, 80), lacks)
		}
		urgent = urgent || a.Priority == incidents.P0 || a.Priority == incidents.P1
		guards = guards || a.Type.Verified()
	}
	if c.measured() && !urgent {
		c.find(before, "actions", "no_actions")
	}
	if !guards && len(c.doc.Actions) > 0 {
		c.find(before, "actions", "prevent_or_detect")
	}
	for i, l := range c.doc.Lessons {
		if l.Answers == "" {
			c.find(before, "lesson_items", "lesson", i+1)
		}
	}
}

func (c *checking) lacks(a ActionItem) string {
	item := incidents.ActionItem{Due: a.Due, Priority: a.Priority, DoneWhen: a.DoneWhen}
	if a.Owner != nil {
		item.Owner = *a.Owner
	}
	var lacks []string
	for _, name := range item.Missing() {
		lacks = append(lacks, c.words.gates["field."+name])
	}
	return strings.Join(lacks, ", ")
}

// hints hold nothing up.
func (c *checking) hints() {
	if len(c.doc.Factors) == 1 {
		c.find("", "factors", "one_factor")
	}
	c.facilitated()
	if n := len(c.doc.Actions); n > 8 {
		c.find("", "actions", "many_actions", n)
	}
	investigations := 0
	for _, a := range c.doc.Actions {
		if a.Type == incidents.Investigate {
			investigations++
		}
	}
	if investigations*3 > len(c.doc.Actions) {
		c.find("", "actions", "too_many_questions")
	}
}
