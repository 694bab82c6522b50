package export

import (
	"slices"
	"strings"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// take puts a section where it belongs in the document.
func (p *parsing) take(title string, s part) {
	f := &p.doc.Facts
	switch title {
	case p.document:
		p.eachPair(s, p.takeHeader)
		p.takeLinks(s)
		return
	case p.facts:
		for _, t := range s.tables {
			for _, row := range t.rows {
				p.takeFact(t.cell(row, p.fact), t.cell(row, p.value))
			}
		}
		return
	case p.roles:
		p.each(s, func(t rawTable, row []string) {
			if role := t.cell(row, p.role); role != p.nobody {
				f.Roles = append(f.Roles, postmortem.Holder{Role: incidents.Role(p.language.ValueOf("role", role)), Person: p.named(t.cell(row, p.personLabel))})
			}
		})
		return
	case p.keyTimes:
		p.each(s, p.takeTime)
		return
	case p.durations:
		p.takeSeverityDurations(s)
		return // the others are computed
	case p.people:
		p.each(s, func(t rawTable, row []string) {
			first, _ := p.moment(t.cell(row, p.firstSeen))
			last, _ := p.moment(t.cell(row, p.lastSeen))
			p.doc.People = append(p.doc.People, postmortem.Hours{
				Person: p.named(t.cell(row, p.personLabel)), Minutes: int(p.number(t.cell(row, p.minutes))), First: first, Last: last,
			})
		})
		return
	}
	for _, id := range postmortem.SectionIDs() {
		if p.language.Title(id) == title {
			text := postmortem.TextOf(s.blocks)
			p.texts[id] = postmortem.Section{Text: text, Question: s.question, Written: text != "" && s.question == ""}
			p.takeTables(id, s)
			return
		}
	}
	p.fail("there is no section %q", title)
}

// each walks the rows of the first table, if there is one.
func (p *parsing) each(s part, do func(t rawTable, row []string)) {
	if len(s.tables) > 0 {
		for _, row := range s.tables[0].rows {
			do(s.tables[0], row)
		}
	}
}

// eachPair walks the rows of all tables of two columns.
func (p *parsing) eachPair(s part, do func(name, value string)) {
	for _, t := range s.tables {
		for _, row := range t.rows {
			if len(row) == 2 {
				do(unescape(row[0]), unescape(row[1]))
			}
		}
	}
}

func (p *parsing) named(name string) incidents.Person {
	if name == p.unknown {
		return incidents.Person{}
	}
	return incidents.Person{Name: name}
}

func (p *parsing) namedList(names string) []incidents.Person {
	var list []incidents.Person
	for name := range strings.SplitSeq(names, ", ") {
		list = append(list, incidents.Person{Name: name})
	}
	return list
}

func (p *parsing) takeHeader(name, value string) {
	d := &p.doc
	of := func(enumeration string) string { return p.language.ValueOf(enumeration, value) }
	switch name {
	case p.state:
		d.State = incidents.PostmortemState(of("pm"))
	case p.revision:
		d.Rev = p.number(value)
	case p.edition:
		d.Edition = p.number(value)
	case p.drafted:
		d.DraftedAt, _ = p.moment(value)
	case p.audience:
		d.Audience = postmortem.Audience(of("audience"))
	case p.services:
		d.Services = strings.Split(value, ", ")
	case p.tags:
		d.Tags = tagsOf(value)
	case p.owner:
		person := p.named(value)
		d.Owner = &person
	case p.authors:
		d.Authors = p.namedList(value)
	case p.reviewers:
		d.Reviewers = p.namedList(value)
	case p.approver:
		person := p.named(value)
		d.Approver = &person
	case p.meeting:
		at, minutes, _ := strings.Cut(strings.TrimSuffix(value, " min"), " UTC, ")
		m := postmortem.Meeting{Minutes: int(p.number(minutes))}
		m.At, _ = p.moment(at)
		d.Meeting = &m
	case p.waived:
		reason, by := lastBrackets(value)
		d.Waived = &postmortem.Waiver{Reason: reason, By: p.named(by)}
	}
}

// lastBrackets cuts "text (what is in brackets)".
func lastBrackets(text string) (before, within string) {
	i := strings.LastIndex(text, " (")
	switch {
	case !strings.HasSuffix(text, ")"):
		return text, ""
	case i < 0 && strings.HasPrefix(text, "("):
		return "", text[1 : len(text)-1]
	case i < 0:
		return text, ""
	}
	return text[:i], text[i+2 : len(text)-1]
}

// tagsOf reads "key=value, key".
func tagsOf(text string) []postmortem.Tag {
	tags := []postmortem.Tag{}
	for piece := range strings.SplitSeq(text, ", ") {
		key, value, _ := strings.Cut(piece, "=")
		if value == "" || tagText(key, value) != piece {
			key, value = piece, "" // the sign is part of the key
		}
		if tagText(key, value) != piece { // a comma in one of them
			return []postmortem.Tag{{Key: text}}
		}
		tags = append(tags, postmortem.Tag{Key: key, Value: value})
	}
	return tags
}

func (p *parsing) takeFact(name, value string) {
	f := &p.doc.Facts
	known := value
	if value == p.unknown {
		known = ""
	}
	switch name {
	case p.status:
		f.Status = incidents.Status(p.language.ValueOf("status", value))
	case p.severity:
		p.takeSeverity(value)
	case p.service:
		f.Service = known
	case p.noticedBy:
		f.Detection = incidents.Detection(p.language.ValueOf("detection", known))
		p.doc.Verdict.Detection = f.Detection
		switch {
		case f.Detection == "":
			p.doc.Verdict.First = postmortem.NobodyKnows
		case f.Detection.ByPerson():
			p.doc.Verdict.First = postmortem.PersonFirst
		default:
			p.doc.Verdict.First = postmortem.AlertFirst
		}
	case p.reportedBy:
		person, via := lastBrackets(value)
		f.Reporter.Person = p.named(person)
		if via != p.unknown {
			f.Reporter.Via = incidents.Source(p.language.ValueOf("source", via))
		}
	case p.channel:
		f.Channel = &incidents.Channel{Name: strings.TrimPrefix(value, "#")}
	case p.bridge:
		f.BridgeURL = value
	case p.follows:
		f.Follows = value
	case p.reported:
		f.Summary = value
	}
}

func (p *parsing) takeSeverity(value string) {
	f := &p.doc.Facts
	now, history := lastBrackets(value)
	f.Severity = incidents.Severity(now)
	if history == "" {
		return
	}
	for step := range strings.SplitSeq(history, ", ") {
		severity, since, _ := strings.Cut(strings.TrimSuffix(step, " UTC"), " "+p.since+" ")
		at, _ := p.moment(since)
		f.Severities = append(f.Severities, postmortem.SeveritySince{Severity: incidents.Severity(severity), Since: at})
	}
}

func (p *parsing) takeSeverityDurations(s part) {
	for _, t := range s.tables {
		if !slices.Contains(t.head, p.severity) {
			continue
		}
		for _, row := range t.rows {
			text := t.cell(row, p.duration)
			p.doc.Facts.SeverityDurations = append(p.doc.Facts.SeverityDurations, postmortem.SeverityDuration{
				Severity: incidents.Severity(t.cell(row, p.severity)), Definition: t.cell(row, p.definition), Seconds: p.language.SecondsOf(text), Text: text,
			})
		}
	}
}

func (p *parsing) takeTime(t rawTable, row []string) {
	m := postmortem.Moment{Precision: incidents.Unknown}
	for _, key := range incidents.KeyTimes() {
		if p.language.KeyTime(key) == t.cell(row, p.labels.moment) {
			m.Key = key
		}
	}
	p.zoneOf(t)
	if utc := t.cell(row, "UTC"); utc != p.unknown {
		at, precision := p.moment(utc)
		m.At, m.Precision, m.Source = &at, precision, incidents.Source(p.language.ValueOf("source", t.cell(row, p.source)))
	}
	p.doc.Facts.Times = append(p.doc.Facts.Times, m)
}

// zoneOf takes the document's zone from the column beside UTC.
func (p *parsing) zoneOf(t rawTable) {
	if i := slices.Index(t.head, "UTC"); i >= 0 && i+1 < len(t.head) && t.head[i+1] != p.precision {
		p.doc.Zone = t.head[i+1]
	}
}
