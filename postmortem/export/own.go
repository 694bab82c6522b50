package export

import (
	"errors"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"slices"
	"strings"
	"text/template"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// Templates are the user's own forms of the document: Go templates
// (https://pkg.go.dev/text/template, https://pkg.go.dev/html/template) in one
// folder, each of which takes the place of a part of the house's:
//
//	page.html, page.md             the whole document
//	style.css                      the style of the HTML
//	summary.html, timeline.md, …   what stands below the heading of one section
//	_names.html, _names.md         only {{define}}s, for the others of that kind
//
// What they are given is told at dataOf. They can read no file, ask for
// no address and see no clock, so the same document gives the same bytes. What
// they print is escaped for its place: by html/template in HTML, and in Markdown
// as everything of the house's is. A document in an own form of Markdown is not
// one that [Parse] reads.
//
// Nil has none.
type Templates struct {
	html  *htmltemplate.Template
	md    *template.Template
	style *htmltemplate.CSS
	names map[string]bool // files that take the place of something
}

const (
	maxTemplate = 1 << 20  // bytes of one file
	maxOwn      = 64 << 20 // bytes that one template may print
)

// LoadTemplates reads the templates of a folder and tries each with documents in
// every language, full and empty. It fails with all that is wrong in them, each
// with the file and the line.
func LoadTemplates(folder fs.FS) (*Templates, error) {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, fmt.Errorf("read the folder of templates: %w", err)
	}
	t := &Templates{
		html:  htmltemplate.New("").Option("missingkey=error").Funcs(htmltemplate.FuncMap(functions{}.all())),
		md:    template.New("").Option("missingkey=error").Funcs(functions{}.all()),
		names: map[string]bool{},
	}
	var wrong []error
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "README") {
			continue // a mounted folder has some of its own
		}
		if err := t.parse(folder, name); err != nil {
			wrong = append(wrong, err)
		}
	}
	escapeAll(t.md)
	if len(wrong) == 0 {
		wrong = append(wrong, t.try())
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return t, nil
}

// sectionNames are the names that a section's template may have.
func sectionNames() []string {
	var names []string
	for _, s := range lay(postmortem.Document{}).sections {
		names = append(names, s.id)
	}
	return names
}

func (t *Templates) parse(folder fs.FS, name string) error {
	stem, kind, _ := strings.Cut(name, ".")
	partial := strings.HasPrefix(name, "_")
	known := partial || stem == "page" || slices.Contains(sectionNames(), stem)
	if name != "style.css" && (!known || (kind != "html" && kind != "md")) {
		return fmt.Errorf("%s: no part of the document is called this; name it page.html, page.md, style.css, or after a section: %s",
			name, strings.Join(sectionNames(), ", "))
	}
	raw, err := fs.ReadFile(folder, name)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case len(raw) > maxTemplate:
		return fmt.Errorf("%s: has more than a megabyte", name)
	}
	switch kind {
	case "css":
		style := htmltemplate.CSS(raw) //nolint:gosec // whoever owns the folder owns the page
		t.style = &style
	case "html":
		_, err = t.html.New(name).Parse(string(raw))
	default:
		_, err = t.md.New(name).Parse(string(raw))
	}
	if err != nil {
		return err // it names the file and the line
	}
	t.names[name] = !partial
	return nil
}

// try makes documents by every template, as somebody will one day.
func (t *Templates) try() error {
	var wrong []error
	for _, language := range postmortem.Languages() {
		for _, doc := range []postmortem.Document{sample(language), bare(language)} {
			_, _, md := Exporter{Own: t}.Render("md", doc)
			_, page, html := Exporter{Own: t}.Render("html", doc)
			for _, err := range []error{md, html} {
				if err != nil {
					wrong = append(wrong, errors.Unwrap(err)) // without the name of the sample
				}
			}
			if html == nil && (strings.Count(string(page), "<main>") != 1 || strings.Count(string(page), "</main>") != 1) {
				wrong = append(wrong, errors.New("page.html: what stands between <main> and </main> is what Houston's own pages show; write both once, without attributes"))
			}
		}
	}
	slices.SortFunc(wrong, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(slices.CompactFunc(wrong, func(a, b error) bool { return a.Error() == b.Error() })...)
}

// bare is a document of an incident of which nothing is known yet.
func bare(language postmortem.Language) postmortem.Document {
	return postmortem.DraftOf(postmortem.Input{Language: language, Incident: incidents.Incident{
		Number: 1, Title: "An incident", Status: incidents.Investigating, Severity: incidents.Sev3,
	}})
}
