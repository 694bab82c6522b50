package export

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// pairs is a table of two columns, without the rows that say nothing.
func pairs(head [2]string, rows ...[2]string) []table {
	t := table{head: head[:]}
	for _, row := range rows {
		if strings.TrimSpace(row[1]) != "" {
			t.rows = append(t.rows, []cell{say(row[0]), say(row[1])})
		}
	}
	if len(t.rows) == 0 {
		return nil
	}
	return []table{t}
}

func (l *laying) header() []table {
	d := l.doc
	value := func(enumeration, v string) string { return l.language.Value(enumeration, v) }
	rows := [][2]string{
		{l.state, value("pm", string(d.State))},
		{l.revision, strconv.FormatInt(d.Rev, 10)},
	}
	if d.Edition > 0 {
		rows = append(rows, [2]string{l.edition, strconv.FormatInt(d.Edition, 10)})
	}
	rows = append(rows,
		[2]string{l.drafted, l.both(d.DraftedAt, incidents.ToSecond)[0].text()},
		[2]string{l.audience, value("audience", string(d.Audience))},
		[2]string{l.services, oneLine(strings.Join(d.Services, ", "))})
	var tags []string
	for _, t := range d.Tags {
		tags = append(tags, tagText(t.Key, t.Value))
	}
	rows = append(rows, [2]string{l.tags, strings.Join(tags, ", ")})
	if d.Owner != nil {
		rows = append(rows, [2]string{l.owner, l.person(*d.Owner)})
	}
	rows = append(rows, [2]string{l.authors, l.persons(d.Authors)}, [2]string{l.reviewers, l.persons(d.Reviewers)})
	if d.Approver != nil {
		rows = append(rows, [2]string{l.approver, l.person(*d.Approver)})
	}
	if d.Meeting != nil {
		rows = append(rows, [2]string{l.meeting, fmt.Sprintf("%s UTC, %d min", l.both(d.Meeting.At, incidents.ToMinute)[0].text(), d.Meeting.Minutes)})
	}
	if d.Waived != nil {
		rows = append(rows, [2]string{l.waived, fmt.Sprintf("%s (%s)", d.Waived.Reason, l.person(d.Waived.By))})
	}
	return append(pairs([2]string{l.document, l.value}, rows...), l.linksTable()...)
}

// tagText writes "key=value", or the key alone.
func tagText(key, value string) string {
	key, value = oneLine(key), oneLine(value)
	if value == "" {
		return key
	}
	return key + "=" + value
}

func (l *laying) factsTable() []table {
	f := l.doc.Facts
	t := table{head: []string{l.fact, l.value}}
	row := func(name string, c cell) { t.rows = append(t.rows, []cell{say(name), c}) }
	row(l.status, say(l.language.Value("status", string(f.Status))))
	row(l.severity, say(l.severityText()))
	row(l.service, say(l.orUnknown(oneLine(f.Service))))
	row(l.noticedBy, say(l.language.Value("detection", l.orUnknown(string(f.Detection)))))
	row(l.reportedBy, say(fmt.Sprintf("%s (%s)", l.person(f.Reporter.Person), l.orUnknown(l.language.Value("source", string(f.Reporter.Via))))))
	if f.Channel != nil {
		row(l.channel, say("#"+oneLine(f.Channel.Name)))
	}
	if strings.TrimSpace(f.BridgeURL) != "" {
		row(l.bridge, cell{{text: f.BridgeURL, style: linked, url: f.BridgeURL}})
	}
	if f.Follows != "" {
		row(l.follows, say(f.Follows))
	}
	if strings.TrimSpace(f.Summary) != "" {
		row(l.reported, say(f.Summary))
	}
	return []table{t}
}

// severityText tells the present one and how it came to it.
func (l *laying) severityText() string {
	f := l.doc.Facts
	if len(f.Severities) < 2 {
		return string(f.Severity)
	}
	var steps []string
	for _, s := range f.Severities {
		steps = append(steps, fmt.Sprintf("%s %s %s UTC", s.Severity, l.since, s.Since.UTC().Format("2006-01-02 15:04:05")))
	}
	return fmt.Sprintf("%s (%s)", f.Severity, strings.Join(steps, ", "))
}

func (l *laying) rolesTable() []table {
	t := table{head: []string{l.role, l.personLabel}}
	for _, h := range l.doc.Facts.Roles {
		t.rows = append(t.rows, []cell{say(l.language.Value("role", string(h.Role))), say(l.person(h.Person))})
	}
	if len(t.rows) == 0 {
		t.rows = [][]cell{{say(l.nobody), say("")}}
	}
	return []table{t}
}

func (l *laying) timesTable() []table {
	t := table{head: append(append([]string{l.moment}, l.zones()...), l.precision, l.source)}
	for _, m := range l.doc.Facts.Times {
		row := []cell{say(l.language.KeyTime(m.Key))}
		if m.At == nil {
			for range l.zones() {
				row = append(row, say(l.unknown))
			}
			t.rows = append(t.rows, append(row, say(""), say("")))
			continue
		}
		row = append(row, l.both(*m.At, m.Precision)...)
		t.rows = append(t.rows, append(row, say(l.language.Value("precision", string(m.Precision))), say(l.language.Value("source", string(m.Source)))))
	}
	return []table{t}
}

func (l *laying) durationsTable() []table {
	t := table{head: []string{l.duration, l.value, l.definition}}
	for _, d := range l.doc.Facts.Durations {
		value := cell{{text: d.Text}}
		if d.Finding != "" {
			value = append(value, span{text: ". "}, span{text: l.finding, style: strong}, span{text: " " + d.Finding})
		}
		t.rows = append(t.rows, []cell{say(d.Label), value, say(d.Definition)})
	}
	return append([]table{t}, l.severityDurations()...)
}

func (l *laying) severityDurations() []table {
	t := table{head: []string{l.severity, l.duration, l.definition}}
	for _, d := range l.doc.Facts.SeverityDurations {
		t.rows = append(t.rows, []cell{say(string(d.Severity)), say(d.Text), say(d.Definition)})
	}
	return unlessEmpty(t)
}

func (l *laying) peopleTable() []table {
	if len(l.doc.People) == 0 {
		return nil
	}
	t := table{head: []string{l.personLabel, l.minutes, l.firstSeen, l.lastSeen}}
	for _, h := range l.doc.People {
		t.rows = append(t.rows, []cell{
			say(l.person(h.Person)), say(strconv.Itoa(h.Minutes)),
			l.both(h.First, incidents.ToMinute)[0], l.both(h.Last, incidents.ToMinute)[0],
		})
	}
	return []table{t}
}
