package export

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

func (l *laying) yesNo(yes bool) string {
	if yes {
		return l.yes
	}
	return l.no
}

func (l *laying) impactTables() []table {
	i := l.doc.Impact
	var tables []table
	if len(i.Measures) > 0 {
		t := table{head: []string{l.what, l.value, l.unit, l.of, l.kind, l.how, l.estimated}}
		for _, m := range i.Measures {
			t.rows = append(t.rows, []cell{
				say(m.What), say(l.orUnknown(m.Value)), say(m.Unit), say(m.OfTotal), say(l.language.Value("measure", string(m.Kind))),
				say(m.How), say(l.yesNo(m.Estimated)),
			})
		}
		tables = append(tables, t)
	}
	answer := func(k postmortem.Known) string {
		if k == postmortem.Unknown {
			return ""
		}
		return l.language.Value("known", string(k))
	}
	return append(tables, pairs(
		[2]string{l.question, l.answer},
		[2]string{l.noNumber, i.Reason}, [2]string{l.dataLoss, answer(i.DataLoss)},
		[2]string{l.objective, answer(i.Objective)}, [2]string{l.regions, oneLine(strings.Join(i.Regions, ", "))})...)
}

func (l *laying) glossaryTable() []table {
	t := table{head: []string{l.term, l.meaning}}
	for _, term := range l.doc.Glossary {
		t.rows = append(t.rows, []cell{say(term.Term), say(term.Meaning)})
	}
	return unlessEmpty(t)
}

func unlessEmpty(t table) []table {
	if len(t.rows) == 0 {
		return nil
	}
	return []table{t}
}

func (l *laying) timelineTable() []table {
	t := table{head: append(l.zones(), l.kind, l.who, l.what)}
	for _, e := range l.doc.Facts.Timeline {
		text := cell{{text: strings.TrimSpace(e.Text)}}
		if e.Significant {
			text = cell{{text: l.keyMoment, style: strong}, {text: " "}, {text: strings.TrimSpace(e.Text)}}
		}
		if webLink(e.Permalink) {
			text = append(text, span{text: " ("}, span{text: l.message, style: linked, url: e.Permalink}, span{text: ")"})
		}
		if e.Internal {
			text = append(text, span{text: " "}, span{text: l.internal, style: emphasis})
		}
		t.rows = append(t.rows, append(l.lasting(e),
			say(l.language.Value("kind", string(e.Kind))), say(l.person(e.Actor)), text))
	}
	return unlessEmpty(t)
}

func (l *laying) factorsTable() []table {
	t := table{head: []string{l.number, l.factor, l.category, l.evidence, l.latentSince}}
	for i, f := range l.doc.Factors {
		t.rows = append(t.rows, []cell{
			say(strconv.Itoa(i + 1)), say(f.Text), say(l.language.Value("factor", string(f.Category))), say(f.Evidence), say(f.LatentSince),
		})
	}
	return unlessEmpty(t)
}

func (l *laying) lessonsTable() []table {
	t := table{head: []string{l.number, l.lesson, l.answeredBy}}
	for i, lesson := range l.doc.Lessons {
		t.rows = append(t.rows, []cell{say(strconv.Itoa(i + 1)), say(lesson.Text), say(l.answersText(lesson.Answers))})
	}
	return unlessEmpty(t)
}

// gapsTables are the gaps, and below them the alerts that are proposed for them.
func (l *laying) gapsTables() []table {
	gaps := table{head: []string{l.number, l.signal, l.gap, l.lost, l.stateLabel, l.closedBy}}
	alerts := table{head: []string{l.gapNumber, l.expression, l.hold, l.labelsLabel}}
	for _, g := range l.doc.Gaps {
		lost := l.unknown
		switch {
		case g.SecondsLost != nil:
			lost = fmt.Sprintf("%.0f min", *g.SecondsLost/60)
		case g.AtMostSeconds != nil:
			lost = fmt.Sprintf("%s %.0f min", l.atMost, *g.AtMostSeconds/60)
		}
		closedBy := l.noAction
		if g.Action != nil {
			closedBy = fmt.Sprintf("%s %d", l.actionItem, *g.Action)
		}
		signal := cell{{text: strings.TrimSpace(g.Signal)}}
		if g.Proposed {
			signal = append(signal, span{text: " "}, span{text: l.proposedGap, style: emphasis})
		}
		state := l.language.Value("gapstate", string(g.State))
		if strings.TrimSpace(g.Reason) != "" {
			state += ": " + g.Reason
		}
		gaps.rows = append(gaps.rows, []cell{
			say(strconv.FormatInt(g.ID, 10)), signal, say(l.language.Value("gap", string(g.Type))), say(lost), say(state), say(closedBy),
		})
		if strings.TrimSpace(g.Expr+g.For) == "" && len(g.Labels) == 0 {
			continue
		}
		var tags []string
		for _, t := range g.Labels {
			tags = append(tags, tagText(t.Key, t.Value))
		}
		alerts.rows = append(alerts.rows, []cell{say(strconv.FormatInt(g.ID, 10)), say(g.Expr), say(g.For), say(strings.Join(tags, ", "))})
	}
	return append(unlessEmpty(gaps), unlessEmpty(alerts)...)
}

// actionsTable leaves out the columns that nobody has filled yet and that
// nothing is missing in.
func (l *laying) actionsTable() []table {
	items := l.doc.Actions
	if len(items) == 0 {
		return nil
	}
	some := func(has func(postmortem.ActionItem) bool) bool {
		return slices.ContainsFunc(items, has)
	}
	answers := some(func(a postmortem.ActionItem) bool { return strings.TrimSpace(strings.Join(a.Answers, ", ")) != "" })
	result := some(func(a postmortem.ActionItem) bool { return strings.TrimSpace(firstOf(a.Outcome, a.Reason)) != "" })
	verified := some(func(a postmortem.ActionItem) bool { return a.VerifiedBy != nil })
	links := some(func(a postmortem.ActionItem) bool { return strings.TrimSpace(a.Link) != "" })
	t := table{head: []string{l.number, l.actionTitle, l.typeLabel, l.priority, l.ownerLabel, l.due, l.doneWhen, l.stateLabel}}
	for _, column := range []struct {
		has  bool
		name string
	}{{answers, l.answers}, {result, l.result}, {verified, l.verifiedBy}, {links, l.tracker}} {
		if column.has {
			t.head = append(t.head, column.name)
		}
	}
	for _, a := range items {
		row := []cell{
			say(strconv.FormatInt(a.ID, 10)), l.actionText(a), say(l.language.Value("type", string(a.Type))), say(l.orNotSet(string(a.Priority))),
			say(l.ownerText(a.Owner)), say(l.orNotSet(a.Due)), say(l.orNotSet(a.DoneWhen)), say(l.language.Value("state", string(a.State))),
		}
		if answers {
			texts := make([]string, len(a.Answers))
			for i, answer := range a.Answers {
				texts[i] = l.answersText(answer)
			}
			row = append(row, say(strings.Join(texts, ", ")))
		}
		if result {
			row = append(row, say(firstOf(a.Outcome, a.Reason)))
		}
		if verified {
			row = append(row, say(l.personOr(a.VerifiedBy, "")))
		}
		if links {
			row = append(row, cell{{text: a.Link, style: linked, url: a.Link}})
		}
		t.rows = append(t.rows, row)
	}
	return []table{t}
}

func (l *laying) actionText(a postmortem.ActionItem) cell {
	text := cell{{text: strings.TrimSpace(a.Text)}}
	if a.Gap {
		text = append(text, span{text: " "}, span{text: l.closesGap, style: strong})
	}
	if a.Proposed {
		text = append(text, span{text: " "}, span{text: l.proposed, style: emphasis})
	}
	return text
}

func (l *laying) ownerText(p *incidents.Person) string { return l.personOr(p, l.nobodyYet) }

func (l *laying) personOr(p *incidents.Person, otherwise string) string {
	if p == nil {
		return otherwise
	}
	return l.person(*p)
}

func (l *laying) orNotSet(text string) string {
	if strings.TrimSpace(text) == "" {
		return l.notSet
	}
	return text
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

func (l *laying) communicationTable() []table {
	t := table{head: append(l.zones(), l.where, l.textLabel)}
	for _, m := range l.doc.Communication {
		where := l.language.Value("place", string(m.Where))
		if m.Where == postmortem.OnStatusPage {
			where = fmt.Sprintf("%s (%s)", where, l.language.Value("notice", string(m.Status)))
		}
		text := cell{{text: strings.TrimSpace(m.Text)}}
		if m.WithdrawnAt != nil {
			text = append(text, span{text: " "}, span{
				text: fmt.Sprintf(l.takenBack, l.both(*m.WithdrawnAt, incidents.ToSecond)[0].text()), style: emphasis,
			})
		}
		t.rows = append(t.rows, l.withZones(m.At, incidents.ToSecond, say(where), text))
	}
	return unlessEmpty(t)
}

func (l *laying) evidenceTable() []table {
	t := table{head: append(l.zones(), l.what, l.link)}
	for _, e := range l.doc.Evidence {
		at := make([]cell, len(l.zones()))
		if e.At != nil {
			at = l.both(*e.At, incidents.ToSecond)
		}
		shown := cell{}
		if webLink(e.URL) {
			shown = cell{{text: e.URL, style: linked, url: e.URL}}
		}
		if f := e.File; f != nil {
			if len(shown) > 0 {
				shown = append(shown, span{text: " "})
			}
			shown = append(shown, l.fileSpans(*f)...)
		}
		t.rows = append(t.rows, append(at, say(e.Text), shown))
	}
	return unlessEmpty(t)
}
