package export

import (
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

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
				Evidence: t.cell(row, p.evidence), LatentSince: t.cell(row, p.latentSince), Whys: s.whys[len(d.Factors)+1],
			})
		})
		for number := range s.whys {
			if number < 1 || number > len(d.Factors) {
				p.fail("there is no factor %d above", number)
			}
		}
	case postmortem.MonitoringGaps:
		p.takeGaps(s)
	case postmortem.ActionItems:
		p.each(s, p.takeAction)
	case postmortem.Lessons:
		p.each(s, func(t rawTable, row []string) {
			d.Lessons = append(d.Lessons, postmortem.Lesson{Text: t.cell(row, p.lesson), Answers: p.answersOf(t.cell(row, p.answeredBy))})
		})
	case postmortem.CommunicationSent:
		p.each(s, p.takeMessage)
	case postmortem.EvidenceSection:
		p.each(s, p.takeEvidence)
	case postmortem.ReviewSection:
		p.takeReview(s)
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
	from, to, lasts := strings.Cut(t.cell(row, "UTC"), untilDash)
	at, precision := p.moment(from)
	e := postmortem.Entry{
		At: at, Precision: precision, Kind: incidents.EntryKind(p.language.ValueOf("kind", t.cell(row, p.kind))), Actor: p.named(t.cell(row, p.who)),
	}
	if lasts {
		until, precision := p.until(at, to)
		e.Until, e.UntilPrecision = &until, precision
	}
	raw := t.raw(row, p.what)
	raw, e.Significant = strings.CutPrefix(raw, "**"+escape(p.keyMoment)+"**")
	raw = strings.TrimPrefix(raw, " ")
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
		for answer := range strings.SplitSeq(answers, ", ") {
			a.Answers = append(a.Answers, p.answersOf(answer))
		}
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
		m.Status = incidents.NoticeStatus(p.language.ValueOf("notice", status))
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
	if label, size, ok := linkAt(raw); strings.HasPrefix(raw, "[") && ok && !strings.HasPrefix(raw[1+len(label):], "](files/") {
		e.URL, raw = unescape(label), strings.TrimPrefix(raw[size:], " ")
	}
	if file, ok := fileAt(raw); ok {
		e.File = &file
	} else if inner, ok := strings.CutPrefix(raw, "*"); ok {
		inner, failed := cutEmphasis(inner)
		name, about := lastBrackets(unescape(inner))
		mediaType, size := cutLast(strings.TrimSuffix(about, " B"), ", ")
		e.File = &postmortem.File{Name: name, Type: mediaType, Size: p.number(size), Failed: strings.TrimSpace(unescape(failed))}
	}
	p.doc.Evidence = append(p.doc.Evidence, e)
}
