package export

import (
	"fmt"
	"html"
	"html/template"
	"io"
	"io/fs"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/templates"
)

// HTML writes a postmortem as one file that needs nothing else: its style is in
// it, its images are data: URLs (see [Files] for how many), there is no script. It
// prints with page numbers and repeated table heads.
func HTML(w io.Writer, doc postmortem.Document, files Files) error { return htmlOf(w, doc, files, nil) }

// htmlOf writes by an own template what there is one for.
func htmlOf(w io.Writer, doc postmortem.Document, files Files, own *Templates) error {
	if err := own.htmlPage(w, doc, lay(doc), newShelf(files, labelsOf(doc.Language))); err != nil {
		return fmt.Errorf("write the postmortem of %s as HTML: %w", doc.Facts.Key, err)
	}
	return nil
}

// house is the page of the house: its template and its style. They are embedded,
// so that a fault in them is one of the build and shows in every test.
var house = sync.OnceValues(func() (*template.Template, template.CSS) {
	files := templates.Postmortem()
	style, err := fs.ReadFile(files, "style.css")
	if err != nil {
		panic(err)
	}
	return template.Must(template.New("page.html").Option("missingkey=error").ParseFS(files, "page.html")), template.CSS(style) //nolint:gosec // our own file
})

// htmlPage is what page.html is given.
type htmlPage struct {
	Language, Title, Contents, Footer string
	Style                             template.CSS
	Notes                             []template.HTML
	Sections                          []htmlSection
}

// htmlSection is a section; Body is what "section" in page.html makes of the rest.
type htmlSection struct {
	ID, Title, Question, ToAuthor string
	Blocks                        []htmlBlock
	Tables                        []htmlTable
	Outlines                      []htmlOutline
	Body                          template.HTML
}

type htmlBlock struct {
	Kind  string
	Lines []template.HTML
	Code  string
}

type htmlTable struct {
	Label string
	Many  bool // columns
	Head  []string
	Rows  template.HTML
}

// sheetOf is a page without its sections.
func sheetOf(p page, style template.CSS) htmlPage {
	labels := labelsOf(p.language)
	h := htmlPage{
		Language: string(p.language), Title: visible(oneLine(p.heading())),
		Contents: labels.contents, Footer: labels.footer, Style: style,
	}
	for _, note := range p.notes {
		h.Notes = append(h.Notes, htmlCell(note))
	}
	return h
}

// htmlBody writes what stands below a section's heading, with its tables aside.
func htmlBody(s section, files *shelf, long *aside) (template.HTML, error) {
	body := htmlSection{ID: s.id, Title: s.title, Question: s.question, ToAuthor: files.toAuthor}
	for _, b := range s.blocks {
		body.Blocks = append(body.Blocks, htmlBlockOf(b))
	}
	for _, t := range s.tables {
		body.Tables = append(body.Tables, htmlTable{Label: s.title, Many: len(t.head) > 8, Head: t.head, Rows: long.put(htmlRows(t.rows, files))})
	}
	for _, o := range s.outlines {
		body.Outlines = append(body.Outlines, htmlOutlineOf(o))
	}
	shell, _ := house()
	var b strings.Builder
	if err := shell.ExecuteTemplate(&b, "section", body); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil //nolint:gosec // the template escaped it
}

func htmlBlockOf(b postmortem.Block) htmlBlock {
	switch b.Kind {
	case postmortem.Code:
		lines := make([]string, len(b.Lines))
		for i, line := range b.Lines {
			lines[i] = codeLine(line)
		}
		return htmlBlock{Kind: "code", Code: strings.Join(lines, "\n")}
	case postmortem.List:
		return htmlBlock{Kind: "list", Lines: htmlLines(b.Lines)}
	default:
		return htmlBlock{Kind: "paragraph", Lines: htmlLines(b.Lines)}
	}
}

func htmlLines(lines []string) []template.HTML {
	var cells []template.HTML
	for _, line := range lines {
		cells = append(cells, htmlCell(say(line)))
	}
	return cells
}

// The cells are written here and not by the template: an incident may have ten
// thousand rows. All text goes through htmlEscape.

// htmlRows writes the rows of a table.
func htmlRows(rows [][]cell, files *shelf) string {
	var b strings.Builder
	b.Grow(len(rows) * 384)
	for _, row := range rows {
		b.WriteString("<tr>")
		for _, c := range row {
			if longWord(c) {
				b.WriteString(`<td dir="auto" class="long">`)
			} else {
				b.WriteString(`<td dir="auto">`)
			}
			writeCell(&b, c, files)
			b.WriteString("</td>")
		}
		b.WriteString("</tr>\n")
	}
	return b.String()
}

// longWord reports whether a cell has a word that has to be broken when there is
// no room; others are not, so that a narrow column does not tear them.
func longWord(c cell) bool {
	const longest = len("communication")
	for _, s := range c {
		run := 0
		for i := range len(s.text) {
			if run++; s.text[i] == ' ' || s.text[i] == '\n' {
				run = 0
			}
			if run > longest {
				return true
			}
		}
	}
	return false
}

func htmlCell(c cell) template.HTML {
	var b strings.Builder
	writeCell(&b, c, nil)
	return template.HTML(b.String()) //nolint:gosec // escaped by writeCell
}

func writeCell(b *strings.Builder, c cell, files *shelf) {
	for _, s := range c {
		switch {
		case s.file != nil:
			files.write(b, *s.file)
		case s.style == linked && webLink(s.url):
			writeLink(b, s.text, s.url)
		case s.style == strong:
			b.WriteString("<strong>" + htmlEscape(s.text) + "</strong>")
		case s.style == emphasis:
			b.WriteString("<em>" + htmlEscape(s.text) + "</em>")
		default:
			writeText(b, s.text)
		}
	}
}

// writeLink writes a link; to is one that webLink lets through.
func writeLink(b *strings.Builder, text, to string) {
	class := ""
	if text == to {
		class = ` class="bare"` // not spelled out again in print
	}
	b.WriteString(`<a href="`)
	writeHTML(b, to)
	b.WriteString(`"` + class + ` rel="noopener noreferrer">`)
	writeHTML(b, text)
	b.WriteString("</a>")
}

// writeText writes the lines of a text, with the addresses in it as links.
func writeText(b *strings.Builder, text string) {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	for strings.Contains(text, "http") {
		from, to, ok := nextAddress(text)
		if !ok {
			break
		}
		writeLines(b, text[:from])
		writeLink(b, text[from:to], text[from:to])
		text = text[to:]
	}
	writeLines(b, text)
}

func writeLines(b *strings.Builder, text string) {
	for {
		i := strings.IndexFunc(text, breaksLine)
		if i < 0 {
			break
		}
		writeHTML(b, text[:i])
		b.WriteString("<br>")
		_, size := utf8.DecodeRuneInString(text[i:])
		text = text[i+size:]
	}
	writeHTML(b, text)
}

func htmlEscape(text string) string { return html.EscapeString(visible(text)) }

// writeHTML is htmlEscape without a copy of what needs no escaping.
func writeHTML(b *strings.Builder, text string) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '<' || c == '>' || c == '&' || c == '"' || c == '\'' {
			b.WriteString(htmlEscape(text))
			return
		}
	}
	b.WriteString(text)
}

// visible writes characters that are not shown but change what is shown by
// their number.
func visible(text string) string {
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hidden(r) && r != '\t' && r != '\n' {
			fmt.Fprintf(&b, "[U+%04X]", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
