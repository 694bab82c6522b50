package export

import (
	"bytes"
	"fmt"
	htmltemplate "html/template"
	"io"
	"strings"

	"github.com/houston-sre/houston/postmortem"
)

// has reports whether a file takes the place of something.
func (t *Templates) has(name string) bool { return t != nil && t.names[name] }

// markdownPage writes a page with what there is an own template for.
func (t *Templates) markdownPage(m *markdown, doc postmortem.Document, p page) error {
	if t == nil || len(t.names) == 0 {
		m.head(p)
		for _, s := range p.sections {
			if !s.empty() {
				m.line("\n## " + heading(s.title))
				m.section(p, s)
			}
		}
		return nil
	}
	write, err := t.markdownWriter(doc)
	if err != nil {
		return err
	}
	bodies := map[string]any{}
	var sections []any
	for _, s := range p.sections {
		body := &markdown{}
		body.section(p, s)
		text := strings.Trim(body.String(), "\n")
		if name := s.id + ".md"; t.has(name) {
			if text, err = write(name, map[string]any{"id": s.id, "title": s.title, "body": safeMarkdown(text)}, bodies); err != nil {
				return err
			}
			text = strings.Trim(text, "\n")
		}
		bodies[s.id] = safeMarkdown(text)
		if strings.TrimSpace(text) != "" {
			sections = append(sections, map[string]any{"id": s.id, "title": s.title, "body": safeMarkdown(text)})
		}
	}
	if t.has("page.md") {
		var notes []any
		for _, n := range p.notes {
			notes = append(notes, safeMarkdown(guardStart(inCell(n))))
		}
		text, err := write("page.md", map[string]any{
			"title": p.heading(), "notes": notes, "sections": sections, "footer": labelsOf(p.language).footer,
		}, bodies)
		m.WriteString(text)
		return err
	}
	m.head(p)
	for _, s := range sections {
		s := s.(map[string]any) //nolint:forcetypeassert // made above
		m.line("\n## " + heading(s["title"].(string)) + "\n\n" + string(s["body"].(safeMarkdown)))
	}
	return nil
}

// htmlPage writes a page with what there is an own template for.
func (t *Templates) htmlPage(w io.Writer, doc postmortem.Document, p page, files *shelf) error {
	shell, style := house()
	if t != nil && t.style != nil {
		style = *t.style
	}
	sheet, long := sheetOf(p, style), &aside{}
	write, err := t.htmlWriter(doc)
	if err != nil {
		return err
	}
	bodies := map[string]any{}
	var sections []any
	for _, s := range p.sections {
		own := t.has(s.id + ".html")
		if s.empty() && !own {
			bodies[s.id] = htmltemplate.HTML("")
			continue
		}
		body, err := htmlBody(s, files, long)
		if err != nil {
			return err
		}
		if write != nil { // what own templates are given is whole
			body = long.whole(body)
		}
		if own {
			text, err := write(s.id+".html", map[string]any{"id": s.id, "title": s.title, "body": body}, bodies)
			if err != nil {
				return err
			}
			body = htmltemplate.HTML(text) //nolint:gosec // html/template escaped it
		}
		bodies[s.id] = body
		if strings.TrimSpace(string(body)) == "" {
			continue
		}
		sections = append(sections, map[string]any{"id": s.id, "title": s.title, "body": body})
		sheet.Sections = append(sheet.Sections, htmlSection{ID: s.id, Title: s.title, Body: body})
	}
	if !t.has("page.html") {
		var b strings.Builder
		if err := shell.Execute(&b, sheet); err != nil {
			return err
		}
		return long.write(w, b.String())
	}
	var notes []any
	for _, n := range sheet.Notes {
		notes = append(notes, n)
	}
	text, err := write("page.html", map[string]any{
		"title": sheet.Title, "notes": notes, "sections": sections, "style": style, "contents": sheet.Contents, "footer": sheet.Footer,
	}, bodies)
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	return err
}

// writing executes an own template with what the data of all have besides, and
// the sections that are written already.
type writing func(name string, more map[string]any, bodies map[string]any) (string, error)

func (t *Templates) markdownWriter(doc postmortem.Document) (writing, error) {
	data, err := dataOf(doc)
	if err != nil {
		return nil, err
	}
	return func(name string, more, bodies map[string]any) (string, error) {
		set, err := t.md.Clone()
		if err != nil {
			return "", err
		}
		f := functions{doc: doc, bodies: bodies, labels: labelsOf(doc.Language), none: safeMarkdown("")}
		b := &bounded{name: name}
		err = set.Funcs(f.all()).ExecuteTemplate(b, name, with(data, more))
		return b.String(), err
	}, nil
}

func (t *Templates) htmlWriter(doc postmortem.Document) (writing, error) {
	if t == nil || len(t.names) == 0 {
		return nil, nil //nolint:nilnil // nothing is going to be written
	}
	data, err := dataOf(doc)
	if err != nil {
		return nil, err
	}
	return func(name string, more, bodies map[string]any) (string, error) {
		set, err := t.html.Clone()
		if err != nil {
			return "", err
		}
		f := functions{doc: doc, bodies: bodies, labels: labelsOf(doc.Language), none: htmltemplate.HTML("")}
		b := &bounded{name: name}
		err = set.Funcs(htmltemplate.FuncMap(f.all())).ExecuteTemplate(b, name, with(data, more))
		return b.String(), err
	}, nil
}

// bounded is what a template prints, which may be no end of it.
type bounded struct {
	bytes.Buffer

	name string // of the template
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxOwn {
		return 0, fmt.Errorf("%s: prints more than 64 MB", b.name)
	}
	return b.Buffer.Write(p)
}
