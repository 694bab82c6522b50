package export

import (
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// Parse reads what [Markdown] has written: the reference form is its own, and a
// reader of it is shorter and stricter than a tree of general Markdown would be
// to walk. Written again the result gives the same bytes. What the page does not
// hold (ids, recording times) is absent. A text that is no such page is an
// *incidents.Error of kind Invalid that names the line.
func Parse(r io.Reader) (postmortem.Document, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return postmortem.Document{}, fmt.Errorf("read a postmortem: %w", err)
	}
	p := &parsing{lines: strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")}
	if err := p.title(); err != nil {
		return postmortem.Document{}, err
	}
	for p.at < len(p.lines) {
		if err := p.section(); err != nil {
			return postmortem.Document{}, err
		}
	}
	p.finish()
	return p.doc, nil
}

// parsing reads one page from its first line to its last.
type parsing struct {
	*labels

	lines    []string
	at       int
	doc      postmortem.Document
	language postmortem.Language
	texts    map[postmortem.SectionID]postmortem.Section
	err      error // the first cell that could not be read
}

// part is a section as it stands on the page.
type part struct {
	blocks   []postmortem.Block
	tables   []rawTable
	whys     map[int][]postmortem.Why // by the number of the factor
	question string
}

// rawTable is a table whose cells are still escaped.
type rawTable struct {
	head []string
	rows [][]string
}

// cell gives the cell of a column by its head, unescaped; empty when the table
// has no such column.
func (t rawTable) cell(row []string, head string) string { return unescape(t.raw(row, head)) }

func (t rawTable) raw(row []string, head string) string {
	for i, name := range t.head {
		if name == head && i < len(row) {
			return row[i]
		}
	}
	return ""
}

func (p *parsing) wrong(what string) error {
	return incidents.Errorf(incidents.Invalid, "Line %d is not as Houston writes a postmortem: %s.", p.at+1, what)
}

func (p *parsing) title() error {
	p.texts = map[postmortem.SectionID]postmortem.Section{}
	for _, l := range postmortem.Languages() {
		labels := labelsOf(l)
		rest, ok := strings.CutPrefix(p.lines[0], "# "+labels.heading+" ")
		if !ok {
			continue
		}
		key, title, ok := strings.Cut(rest, ": ")
		if !ok {
			key, title = strings.TrimSuffix(rest, ":"), ""
		}
		if number, err := incidents.ParseKey(key); err != nil || incidents.Key(number) != key {
			break
		}
		p.labels, p.language = labels, l
		p.doc = postmortem.Document{
			Version: postmortem.Version, Language: l, Zone: "UTC",
			Services: []string{}, Tags: []postmortem.Tag{}, Authors: []incidents.Person{}, Reviewers: []incidents.Person{},
			Impact:  postmortem.Impact{Measures: []postmortem.Measure{}, DataLoss: postmortem.Unknown, Objective: postmortem.Unknown, Regions: []string{}},
			Factors: []postmortem.Factor{}, Glossary: []postmortem.Term{}, Lessons: []postmortem.Lesson{}, Gaps: []postmortem.Gap{},
			Actions: []postmortem.ActionItem{}, Communication: []postmortem.Message{}, Evidence: []postmortem.Evidence{}, People: []postmortem.Hours{},
		}
		p.doc.Facts.Key, p.doc.Facts.Title = key, unescape(title)
		p.doc.Facts.Timeline, p.doc.Facts.Roles, p.doc.Facts.Severities = []postmortem.Entry{}, []postmortem.Holder{}, []postmortem.SeveritySince{}
		p.at = 1
		for p.at < len(p.lines) && !strings.HasPrefix(p.lines[p.at], "## ") {
			line := p.lines[p.at]
			p.doc.Facts.Private = p.doc.Facts.Private || strings.HasPrefix(line, "**"+labels.private+"**")
			p.doc.Facts.Drill = p.doc.Facts.Drill || strings.HasPrefix(line, "**"+labels.drill+"**")
			p.at++
		}
		return nil
	}
	return p.wrong("it begins with “# Postmortem of INC-1: …”")
}

// section reads a heading and what is below it, and puts it where it belongs.
func (p *parsing) section() error {
	title, ok := strings.CutPrefix(p.lines[p.at], "## ")
	if !ok {
		return p.wrong("a section begins with “## ”")
	}
	title = unescape(title)
	p.at++
	s, err := p.part()
	if err != nil {
		return err
	}
	p.take(title, s)
	return p.err
}

func (p *parsing) part() (part, error) {
	var s part
	for p.at < len(p.lines) && !strings.HasPrefix(p.lines[p.at], "## ") {
		line := p.lines[p.at]
		number, why := p.whyLabel(line)
		switch {
		case line == "":
			p.at++
		case why:
			if s.whys == nil {
				s.whys = map[int][]postmortem.Why{}
			}
			s.whys[number] = p.takeOutline()
		case strings.HasPrefix(line, "```"):
			s.blocks = append(s.blocks, p.code(line))
		case strings.HasPrefix(line, "| "):
			t, err := p.table()
			if err != nil {
				return s, err
			}
			s.tables = append(s.tables, t)
		case strings.HasPrefix(line, "> **"+p.toAuthor+"** "):
			s.question = unescape(strings.TrimPrefix(line, "> **"+p.toAuthor+"** "))
			p.at++
		case strings.HasPrefix(line, "- "):
			s.blocks = append(s.blocks, p.list())
		default:
			s.blocks = append(s.blocks, postmortem.Block{Kind: postmortem.Paragraph, Lines: strings.Split(unescape(line), "\n")})
			p.at++
		}
	}
	return s, nil
}

func (p *parsing) code(fence string) postmortem.Block {
	b := postmortem.Block{Kind: postmortem.Code}
	for p.at++; p.at < len(p.lines) && p.lines[p.at] != fence; p.at++ {
		b.Lines = append(b.Lines, p.lines[p.at])
	}
	p.at++
	return b
}

func (p *parsing) list() postmortem.Block {
	b := postmortem.Block{Kind: postmortem.List}
	for ; p.at < len(p.lines); p.at++ {
		item, ok := strings.CutPrefix(p.lines[p.at], "- ")
		if !ok {
			break
		}
		b.Lines = append(b.Lines, unescape(item))
	}
	return b
}

func (p *parsing) table() (rawTable, error) {
	t := rawTable{}
	for _, name := range cellsOf(p.lines[p.at]) {
		t.head = append(t.head, unescape(name))
	}
	if p.at++; p.at >= len(p.lines) || !strings.HasPrefix(p.lines[p.at], "| --- |") {
		return t, p.wrong("a table has its rule below the head")
	}
	for p.at++; p.at < len(p.lines) && strings.HasPrefix(p.lines[p.at], "|"); p.at++ {
		row := cellsOf(p.lines[p.at])
		if len(row) != len(t.head) {
			return t, p.wrong(fmt.Sprintf("the row has %d cells and the head %d", len(row), len(t.head)))
		}
		t.rows = append(t.rows, row)
	}
	return t, nil
}

// cellsOf cuts a row at its borders; a border in a text is escaped.
func cellsOf(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	var cells []string
	begin := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, strings.TrimSpace(line[begin:i]))
			begin = i + 1
		}
	}
	return append(cells, strings.TrimSpace(line[begin:]))
}

// unescape reads what inline has written: a link is its text.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case strings.HasPrefix(text[i:], "<br>"):
			b.WriteByte('\n')
			i += len("<br>") - 1
		case text[i] == '&':
			end := strings.IndexByte(text[i:], ';')
			if end < 0 {
				b.WriteByte('&')
				continue
			}
			b.WriteString(html.UnescapeString(text[i : i+end+1]))
			i += end
		case text[i] == '[':
			if label, size, ok := linkAt(text[i:]); ok {
				b.WriteString(unescape(label))
				i += size - 1
				continue
			}
			b.WriteByte('[')
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// linkAt reads a link at the beginning of a text: its label, still
// escaped, and its length.
func linkAt(text string) (label string, size int, ok bool) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ']':
			if i+1 >= len(text) || text[i+1] != '(' {
				return "", 0, false
			}
			end := strings.IndexByte(text[i:], ')')
			if end < 0 {
				return "", 0, false
			}
			return text[1:i], i + end + 1, true
		}
	}
	return "", 0, false
}

// finish puts the sections in order and computes what is computed.
func (p *parsing) finish() {
	for _, id := range postmortem.SectionIDs() {
		s := p.texts[id]
		s.ID, s.Title = id, p.language.Title(id)
		p.doc.Sections = append(p.doc.Sections, s)
	}
	if d := p.doc.Section(postmortem.DetectionSection); p.doc.Verdict.Text == "" {
		p.doc.Verdict.Text = d.Text
	}
	times := map[incidents.KeyTime]incidents.Instant{}
	for _, m := range p.doc.Facts.Times {
		if m.At != nil {
			times[m.Key] = incidents.Instant{At: *m.At, Precision: m.Precision, Source: m.Source}
		}
	}
	p.doc.Facts.Durations = postmortem.FactsOf(incidents.Incident{Times: times}, nil, p.language).Durations
}

// moment reads a time in UTC as postmortem.Clock writes it.
func (p *parsing) moment(text string) (time.Time, incidents.Precision) {
	about := p.language.About() + " "
	for _, form := range []struct {
		layout    string
		precision incidents.Precision
	}{{time.DateTime, incidents.ToSecond}, {"2006-01-02 15:04", incidents.ToMinute}, {time.DateOnly, incidents.ToDay}} {
		if at, err := time.Parse(form.layout, strings.TrimPrefix(text, about)); err == nil {
			if strings.HasPrefix(text, about) {
				return at, incidents.Approx
			}
			return at, form.precision
		}
	}
	p.fail("%q is no time", text)
	return time.Time{}, incidents.Unknown
}

func (p *parsing) number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		p.fail("%q is no number", text)
	}
	return n
}

func (p *parsing) fail(format string, args ...any) {
	if p.err == nil {
		p.err = p.wrong(fmt.Sprintf(format, args...))
	}
}
