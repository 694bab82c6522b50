package export

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// take puts a section where it belongs in the document.
func (p *parsing) take(title string, s part) {
	f := &p.doc.Facts
	switch title {
	case p.document:
		p.eachPair(s, p.takeHeader)
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
		return // computed
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
			f.Reporter.Via = incidents.Source(via)
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
		m.At, m.Precision, m.Source = &at, precision, incidents.Source(t.cell(row, p.source))
	}
	p.doc.Facts.Times = append(p.doc.Facts.Times, m)
}

// zoneOf takes the document's zone from the column beside UTC.
func (p *parsing) zoneOf(t rawTable) {
	if i := slices.Index(t.head, "UTC"); i >= 0 && i+1 < len(t.head) && t.head[i+1] != p.precision {
		p.doc.Zone = t.head[i+1]
	}
}

func (p *parsing) takeTables(id postmortem.SectionID, s part) {
	d := &p.doc
	switch id {
	case postmortem.ImpactSection:
		p.takeImpact(s)
	case postmortem.Background:
		p.each(s, func(t rawTable, row []string) {
			d.Glossary = append(d.Glossary, postmortem.Term{Term: t.cell(row, p.term), Meaning: t.cell(row, p.meaning)})
		})
	case postmortem.TimelineSection:
		p.each(s, p.takeEntry)
	case postmortem.Trigger:
		p.eachPair(s, func(_, value string) { d.Trigger = postmortem.TriggerKind(p.language.ValueOf("trigger", value)) })
	case postmortem.ContributingFactors:
		p.each(s, func(t rawTable, row []string) {
			d.Factors = append(d.Factors, postmortem.Factor{
				Text: t.cell(row, p.factor), Category: postmortem.FactorCategory(p.language.ValueOf("factor", t.cell(row, p.category))),
				Evidence: t.cell(row, p.evidence), LatentSince: t.cell(row, p.latentSince),
			})
		})
	case postmortem.MonitoringGaps:
		p.takeGaps(s)
	case postmortem.ActionItems:
		p.each(s, p.takeAction)
	case postmortem.Lessons:
		p.each(s, func(t rawTable, row []string) {
			d.Lessons = append(d.Lessons, postmortem.Lesson{Text: t.cell(row, p.lesson), Answers: t.cell(row, p.answeredBy)})
		})
	case postmortem.CommunicationSent:
		p.each(s, p.takeMessage)
	case postmortem.EvidenceSection:
		p.each(s, p.takeEvidence)
	default:
	}
}

func (p *parsing) takeImpact(s part) {
	i := &p.doc.Impact
	for _, t := range s.tables {
		for _, row := range t.rows {
			if len(t.head) == 2 {
				value := unescape(row[1])
				switch unescape(row[0]) {
				case p.noNumber:
					i.Reason = value
				case p.dataLoss:
					i.DataLoss = postmortem.Known(p.language.ValueOf("known", value))
				case p.objective:
					i.Objective = postmortem.Known(p.language.ValueOf("known", value))
				case p.regions:
					i.Regions = strings.Split(value, ", ")
				}
				continue
			}
			m := postmortem.Measure{
				What: t.cell(row, p.what), Value: t.cell(row, p.value), Unit: t.cell(row, p.unit), OfTotal: t.cell(row, p.of),
				Kind: postmortem.MeasureKind(p.language.ValueOf("measure", t.cell(row, p.kind))), How: t.cell(row, p.how),
				Estimated: t.cell(row, p.estimated) == p.yes,
			}
			if m.Value == p.unknown {
				m.Value = ""
			}
			i.Measures = append(i.Measures, m)
		}
	}
}

// marked takes the marks off the end of a raw cell that Houston puts there.
func marked(raw, mark string) (string, bool) {
	rest, ok := strings.CutSuffix(raw, mark)
	return strings.TrimSuffix(rest, " "), ok
}

func (p *parsing) takeEntry(t rawTable, row []string) {
	p.zoneOf(rawTable{head: t.head[:len(t.head)-3]})
	at, precision := p.moment(t.cell(row, "UTC"))
	e := postmortem.Entry{
		At: at, Precision: precision, Kind: incidents.EntryKind(p.language.ValueOf("kind", t.cell(row, p.kind))), Actor: p.named(t.cell(row, p.who)),
	}
	raw := t.raw(row, p.what)
	raw, e.Internal = marked(raw, "*"+escape(p.internal)+"*")
	if i := strings.LastIndex(raw, "(["+escape(p.message)+"]("); i >= 0 && strings.HasSuffix(raw, "))") {
		e.Permalink = raw[i+len("(["+escape(p.message)+"](") : len(raw)-2]
		raw = strings.TrimSuffix(raw[:i], " ")
	}
	e.Text = unescape(raw)
	p.doc.Facts.Timeline = append(p.doc.Facts.Timeline, e)
}

func (p *parsing) takeGaps(s part) {
	for _, t := range s.tables {
		for _, row := range t.rows {
			if t.head[0] == p.gapNumber {
				p.takeGapAlert(t, row)
				continue
			}
			raw, proposed := marked(t.raw(row, p.signal), "*"+escape(p.proposedGap)+"*")
			g := postmortem.Gap{
				ID: p.number(t.cell(row, p.labels.number)), Signal: unescape(raw), Proposed: proposed,
				Type: incidents.GapKind(p.language.ValueOf("gap", t.cell(row, p.gap))), Labels: []postmortem.Tag{}, Checks: []incidents.GapCheck{},
			}
			state, reason, _ := strings.Cut(t.cell(row, p.stateLabel), ": ")
			g.State, g.Reason = incidents.GapState(p.language.ValueOf("gapstate", state)), reason
			if number, ok := strings.CutPrefix(t.cell(row, p.closedBy), p.actionItem+" "); ok {
				id := p.number(number)
				g.Action = &id
			}
			lost, atMost := strings.CutPrefix(t.cell(row, p.lost), p.atMost+" ")
			if minutes, err := strconv.ParseFloat(strings.TrimSuffix(lost, " min"), 64); err == nil {
				seconds := minutes * 60
				if atMost {
					g.AtMostSeconds = &seconds
				} else {
					g.SecondsLost = &seconds
				}
			}
			p.doc.Gaps = append(p.doc.Gaps, g)
		}
	}
}

func (p *parsing) takeGapAlert(t rawTable, row []string) {
	id := p.number(t.cell(row, p.gapNumber))
	for i := range p.doc.Gaps {
		g := &p.doc.Gaps[i]
		if g.ID == id && g.Expr == "" && g.For == "" && len(g.Labels) == 0 {
			g.Expr, g.For = t.cell(row, p.expression), t.cell(row, p.hold)
			if labels := t.cell(row, p.labelsLabel); labels != "" {
				g.Labels = tagsOf(labels)
			}
			return
		}
	}
	p.fail("there is no monitoring gap %d above", id)
}

func (p *parsing) takeAction(t rawTable, row []string) {
	set := func(head string) string {
		if value := t.cell(row, head); value != p.notSet {
			return value
		}
		return ""
	}
	a := postmortem.ActionItem{
		ID: p.number(t.cell(row, p.labels.number)), Type: incidents.ActionType(p.language.ValueOf("type", t.cell(row, p.typeLabel))),
		Priority: incidents.Priority(set(p.priority)), Due: set(p.due), DoneWhen: set(p.doneWhen),
		State: incidents.ActionState(p.language.ValueOf("state", t.cell(row, p.stateLabel))), Answers: []string{}, Link: t.cell(row, p.tracker),
	}
	raw := t.raw(row, p.actionTitle)
	raw, a.Proposed = marked(raw, "*"+escape(p.proposed)+"*")
	raw, a.Gap = marked(raw, "**"+escape(p.closesGap)+"**")
	a.Text = unescape(raw)
	if owner := t.cell(row, p.ownerLabel); owner != p.nobodyYet {
		person := p.named(owner)
		a.Owner = &person
	}
	if verified := t.cell(row, p.verifiedBy); verified != "" {
		person := p.named(verified)
		a.VerifiedBy = &person
	}
	if answers := t.cell(row, p.answers); answers != "" {
		a.Answers = strings.Split(answers, ", ")
	}
	if a.State == incidents.ActionDropped {
		a.Reason = t.cell(row, p.result)
	} else {
		a.Outcome = t.cell(row, p.result)
	}
	p.doc.Actions = append(p.doc.Actions, a)
}

func (p *parsing) takeMessage(t rawTable, row []string) {
	at, _ := p.moment(t.cell(row, "UTC"))
	m := postmortem.Message{At: at}
	place, status := lastBrackets(t.cell(row, p.where))
	m.Where = postmortem.Place(p.language.ValueOf("place", place))
	if m.Where == postmortem.OnStatusPage {
		m.Status = incidents.NoticeStatus(status)
	}
	raw := t.raw(row, p.textLabel)
	before, after, _ := strings.Cut(p.takenBack, "%s")
	if open := "*" + escape(before); strings.HasSuffix(raw, escape(after)+"*") {
		if i := strings.LastIndex(raw, open); i >= 0 {
			withdrawn, _ := p.moment(unescape(strings.TrimSuffix(raw[i+len(open):], escape(after)+"*")))
			m.WithdrawnAt, raw = &withdrawn, strings.TrimSuffix(raw[:i], " ")
		}
	}
	m.Text = unescape(raw)
	p.doc.Communication = append(p.doc.Communication, m)
}

func (p *parsing) takeEvidence(t rawTable, row []string) {
	e := postmortem.Evidence{Text: t.cell(row, p.what)}
	if utc := t.cell(row, "UTC"); utc != "" {
		var at time.Time
		at, _ = p.moment(utc)
		e.At = &at
	}
	raw := t.raw(row, p.link)
	if label, size, ok := linkAt(raw); strings.HasPrefix(raw, "[") && ok {
		e.URL, raw = unescape(label), strings.TrimPrefix(raw[size:], " ")
	}
	if inner, ok := strings.CutPrefix(raw, "*"); ok {
		name, about := lastBrackets(unescape(strings.TrimSuffix(inner, "*")))
		mediaType, size, _ := strings.Cut(strings.TrimSuffix(about, " B"), ", ")
		e.File = &postmortem.File{Name: name, Type: mediaType, Size: p.number(size)}
	}
	p.doc.Evidence = append(p.doc.Evidence, e)
}
