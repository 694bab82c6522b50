package incidents

import "slices"

// FactsChanged corrects what is known of an incident. What is nil stays as it was.
type FactsChanged struct {
	Summary   *string    `json:"summary,omitempty"`
	Service   *string    `json:"service,omitempty"`
	Impact    *string    `json:"impact,omitempty"` // what users notice
	Detection *Detection `json:"detection,omitempty"`
}

// Type is the name the event is stored under.
func (FactsChanged) Type() string { return "facts_changed" }

// Entry of changed facts: one line for each.
func (d FactsChanged) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of changed facts.
func (d FactsChanged) Told() Phrase {
	var lines []Phrase
	tell := func(value *string, known, unknown Phrase) {
		switch {
		case value == nil:
		case *value == "":
			lines = append(lines, unknown)
		default:
			known.Args = []any{*value}
			lines = append(lines, known)
		}
	}
	tell(d.Impact, Phrasef("Impact: %s"), Phrasef("Impact: not known"))
	tell(d.Summary, Phrasef("Summary: %s"), Phrasef("Summary: not known"))
	tell(d.Service, Phrasef("Service: %s"), Phrasef("Service: not known"))
	switch {
	case d.Detection == nil:
	case *d.Detection == "":
		lines = append(lines, Phrasef("Noticed by: not known"))
	default:
		lines = append(lines, Phrasef("Noticed by: %s", *d.Detection))
	}
	return joined(lines)
}

func (d FactsChanged) apply(inc *Incident, _ Event) {
	if d.Summary != nil {
		inc.Summary = *d.Summary
	}
	if d.Service != nil {
		inc.Service = *d.Service
	}
	if d.Impact != nil {
		inc.Impact = *d.Impact
	}
	if d.Detection != nil {
		inc.Detection = *d.Detection
	}
}

// EditFacts corrects what is known of an incident. What is nil, absent or there
// already is left alone, so that sending it again is harmless.
type EditFacts struct {
	Request

	Title     *string
	Severity  *Severity
	Summary   *string
	Service   *string
	Impact    *string
	Detection *Detection
	// Times holds the key times to be set; one whose time is zero is not known
	// any more.
	Times map[KeyTime]Instant
	// Gate refuses what others changed meanwhile, judged inside the transaction;
	// nil: nothing is refused.
	Gate func(Incident) error
}

func (c EditFacts) decide(d *decision) error {
	if c.Gate != nil {
		if err := c.Gate(d.inc); err != nil {
			return err
		}
	}
	if c.Title != nil {
		title, err := cleanTitle(*c.Title)
		if err != nil {
			return err
		}
		if title != d.inc.Title {
			if err := (Rename{Request: c.Request, Title: title}).decide(d); err != nil {
				return err
			}
		}
	}
	if c.Severity != nil && *c.Severity != d.inc.Severity {
		if err := (SetSeverity{Request: c.Request, Severity: *c.Severity}).decide(d); err != nil {
			return err
		}
	}
	if err := c.decideTexts(d); err != nil {
		return err
	}
	return c.decideTimes(d)
}

func (c EditFacts) decideTexts(d *decision) error {
	if c.Service != nil && len([]rune(*c.Service)) > MaxTitle {
		return Errorf(Invalid, "The service's name has %d characters; at most %d fit.", len([]rune(*c.Service)), MaxTitle)
	}
	var facts FactsChanged
	var err error
	for _, fact := range []struct {
		to  *string
		is  string
		set **string
	}{{c.Summary, d.inc.Summary, &facts.Summary}, {c.Service, d.inc.Service, &facts.Service}, {c.Impact, d.inc.Impact, &facts.Impact}} {
		if *fact.set, err = changed(fact.to, fact.is); err != nil {
			return err
		}
	}
	if c.Detection != nil && *c.Detection != d.inc.Detection {
		facts.Detection = c.Detection
	}
	if facts != (FactsChanged{}) {
		d.record(facts)
		d.tell()
	}
	return nil
}

func (c EditFacts) decideTimes(d *decision) error {
	for key := range c.Times {
		if !slices.Contains(EditableTimes(), key) {
			return Errorf(Invalid, "The time %q can not be set by hand.", string(key))
		}
	}
	for _, key := range EditableTimes() {
		at, given := c.Times[key]
		was, known := d.inc.Times[key]
		switch {
		case !given || at.At.IsZero() && !known || known && at.At.Equal(was.At):
			continue
		case at.At.IsZero():
			d.record(KeyTimeSet{Key: key})
			continue
		}
		checked, err := d.moment(at.At, c.Actor.Via)
		if err != nil {
			return About(string(key), err)
		}
		checked.Precision = orElse(at.Precision, checked.Precision)
		d.recordAt(KeyTimeSet{Key: key, Instant: checked}, checked)
	}
	return nil
}

// EditableTimes lists the key times that people may correct, in their order.
// The others are noted by Houston when they happen.
func EditableTimes() []KeyTime {
	return []KeyTime{ImpactStart, FirstEvidence, Detected, Paged, Acknowledged, MitigatedAt, ResolvedAt}
}

// changed gives the cleaned text when it differs from what is known, else nil.
func changed(to *string, is string) (*string, error) {
	if to == nil {
		return nil, nil //nolint:nilnil // nothing is asked for
	}
	text, err := cleanText(*to)
	if err != nil || text == is {
		return nil, err
	}
	return &text, nil
}
