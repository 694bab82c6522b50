package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/houston-sre/houston/postmortem"
)

// Markdown writes a postmortem as GitHub-flavoured Markdown. Times stand in UTC
// and beside it in the document's zone, with the offset of that day. An open
// question to the author is a block quote, which no text of anybody's can be.
func Markdown(w io.Writer, doc postmortem.Document) error { return markdownOf(w, doc, nil) }

// markdownOf writes the sections for which there is an own template by it.
func markdownOf(w io.Writer, doc postmortem.Document, own *Templates) error {
	p := lay(doc)
	m := &markdown{}
	m.grow(p)
	if err := own.markdownPage(m, doc, p); err != nil {
		return fmt.Errorf("write the postmortem of %s as Markdown: %w", doc.Facts.Key, err)
	}
	if _, err := io.WriteString(w, m.String()); err != nil {
		return fmt.Errorf("write the postmortem of %s as Markdown: %w", doc.Facts.Key, err)
	}
	return nil
}

// markdown writes a page.
type markdown struct{ strings.Builder }

func (m *markdown) line(text string) {
	m.WriteString(text)
	m.WriteByte('\n')
}

// grow makes room for a page.
func (m *markdown) grow(p page) {
	rows := 0
	for _, s := range p.sections {
		for _, t := range s.tables {
			rows += len(t.rows)
		}
	}
	m.Grow(8<<10 + rows*256)
}

// head writes what stands above the sections.
func (m *markdown) head(p page) {
	m.line("# " + heading(p.heading()))
	for _, note := range p.notes {
		m.line("\n" + guardStart(inCell(note)))
	}
}

// section writes what stands below a section's heading.
func (m *markdown) section(p page, s section) {
	for _, b := range s.blocks {
		m.line("")
		m.block(b)
	}
	for _, t := range s.tables {
		m.line("")
		m.table(t)
	}
	for _, o := range s.outlines {
		m.line("")
		m.outline(o)
	}
	if s.question != "" {
		m.line("\n> **" + labelsOf(p.language).toAuthor + "** " + inline(s.question))
	}
}

func (m *markdown) block(b postmortem.Block) {
	switch b.Kind {
	case postmortem.List:
		for _, item := range b.Lines {
			m.line("- " + guardStart(inline(item)))
		}
	case postmortem.Code:
		ticks := fenceFor(b.Lines)
		m.line(ticks)
		for _, line := range b.Lines {
			m.line(codeLine(line))
		}
		m.line(ticks)
	case postmortem.Paragraph:
		m.line(guardStart(inline(strings.Join(b.Lines, "\n"))))
	}
}

// fenceFor is a fence that no line of the code ends.
func fenceFor(lines []string) string {
	ticks := "```"
	for _, line := range lines {
		line = strings.TrimLeft(line, " ")
		for strings.HasPrefix(line, ticks) {
			ticks += "`"
		}
	}
	return ticks
}

func (m *markdown) table(t table) {
	m.row(t.head)
	m.line("|" + strings.Repeat(" --- |", len(t.head)))
	for _, row := range t.rows {
		m.WriteString("|")
		for _, c := range row {
			m.WriteByte(' ')
			writeInCell(&m.Builder, c)
			m.WriteString(" |")
		}
		m.WriteByte('\n')
	}
}

func (m *markdown) row(cells []string) { m.line("| " + strings.Join(cells, " | ") + " |") }

// inCell writes the parts of a cell.
func inCell(c cell) string {
	var b strings.Builder
	writeInCell(&b, c)
	return b.String()
}

func writeInCell(b *strings.Builder, c cell) {
	for i, s := range c {
		if s.file != nil {
			b.WriteString(s.file.markdown())
			continue
		}
		switch s.style {
		case strong:
			b.WriteString("**")
			writeInline(b, s.text)
			b.WriteString("**")
		case emphasis:
			b.WriteByte('*')
			writeInline(b, s.text)
			b.WriteByte('*')
		case linked:
			writeMarkdownLink(b, s.text, s.url)
		case plain:
			writeSpaced(b, s.text, i > 0, i < len(c)-1)
		}
	}
}

// writeSpaced writes a plain part with the space that parts it from what stands
// before and behind it.
func writeSpaced(b *strings.Builder, text string, before, behind bool) {
	some := strings.TrimSpace(text) != ""
	if before && some && strings.HasPrefix(text, " ") {
		b.WriteByte(' ')
	}
	writeInline(b, text)
	if behind && strings.HasSuffix(text, " ") {
		b.WriteByte(' ')
	}
}
