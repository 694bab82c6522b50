package export_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// folder makes a folder of files.
func folder(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func loaded(t *testing.T, files map[string]string) *export.Templates {
	t.Helper()
	own, err := export.LoadTemplates(folder(files))
	if err != nil {
		t.Fatal(err)
	}
	return own
}

func written(t *testing.T, own *export.Templates, format string, doc postmortem.Document) string {
	t.Helper()
	_, data, err := export.Exporter{Own: own}.Render(format, doc)
	if err != nil {
		t.Fatal(err)
	}
	if _, again, _ := (export.Exporter{Own: own}).Render(format, doc); !bytes.Equal(data, again) {
		t.Errorf("%s: the same document gave other bytes", format)
	}
	return string(data)
}

// TestOwnTemplatesThatChangeNothing: a template that shows what would be there
// gives what would be there.
func TestOwnTemplatesThatChangeNothing(t *testing.T) {
	t.Parallel()
	own := loaded(t, map[string]string{
		"README.md": "{{", ".hidden": "{{", "timeline.md": "{{.body}}", "timeline.html": "{{.body}}", "facts.html": "{{.body}}",
		"page.md": "# {{.title}}\n{{range .notes}}\n{{.}}\n{{end}}{{range .sections}}\n## {{.title}}\n\n{{.body}}\n{{end}}",
	})
	for name, build := range map[string]func(*testing.T) postmortem.Document{"brokers": brokers, "hostile": hostileDocument} {
		doc := build(t)
		if name == "hostile" {
			doc.Facts.Title = "plain" // a heading has no <br>
		}
		for _, format := range []string{"md", "html"} {
			if got, want := written(t, own, format, doc), written(t, nil, format, doc); got != want {
				t.Errorf("%s.%s: got\n%s\nwant\n%s", name, format, got, want)
			}
		}
	}
}

// TestOwnTemplates: a section, the page and the style in one's own form, with
// nothing of people's words becoming more than words.
func TestOwnTemplates(t *testing.T) {
	t.Parallel()
	doc := brokers(t)
	fill(&doc)
	doc.Facts.Title = "# <script>alert(1)</script> | *x*"
	own := loaded(t, map[string]string{
		"_who.md":         `{{define "who"}}{{with .owner}}{{.name}}{{else}}-{{end}}{{end}}`,
		"action_items.md": "{{range .document.action_items}}* {{.id}} {{.text}}: {{template \"who\" .}} {{word \"state\" .state}}\n{{end}}",
		"lessons.html":    `<p class="own">{{join .document.services ", "}} {{.document.facts.title}}</p>{{.body}}`,
		"style.css":       "p.own { color: red; }",
		"page.html":       `<html lang="{{.language}}"><style>{{.style}}</style><main><h1>{{.document.facts.title}}</h1>{{section "lessons"}}{{(index .document.facts.key_times 1).at | local}} {{utc (index .document.facts.key_times 0).at}}</main></html>`,
		"review.md":       "{{.document.facts.title}}",
	})
	md := written(t, own, "md", doc)
	for _, want := range []string{
		"\n## Action items\n\n* 1 Give slow requests a pool of their own: Cem open\n* 2 Alert on what made \"Brokers see no offers\" noticeable",
		`\# &lt;script&gt;alert(1)&lt;/script&gt; \| \*x\*`, "\n## Timeline\n",
	} {
		if !strings.Contains(md, want) {
			t.Errorf("the Markdown does not say %q:\n%s", want, md)
		}
	}
	page := written(t, own, "html", doc)
	for _, want := range []string{
		`<style>p.own { color: red; }</style>`, `<p class="own">offers, scoring # &lt;script&gt;`, "<table>", "unknown",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "<script>") || strings.Contains(page, "Timeline") {
		t.Errorf("the page has more than its template says:\n%s", page)
	}
}

// TestOwnTemplatesThatAreWrong are refused with the file, the line, and what is
// the matter.
func TestOwnTemplatesThatAreWrong(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"no part":          {map[string]string{"sumary.md": ""}, []string{"sumary.md: no part of the document", "summary, facts", "people"}},
		"another kind":     {map[string]string{"summary.txt": ""}, []string{"summary.txt: no part"}},
		"syntax":           {map[string]string{"summary.md": "a\n{{if}}"}, []string{"summary.md:2:"}},
		"no such function": {map[string]string{"page.html": "\n\n{{env \"HOME\"}}"}, []string{"page.html:3", `function "env" not defined`}},
		"no such field":    {map[string]string{"facts.md": "\n{{.document.facts.severty}}"}, []string{"facts.md:2:", "severty"}},
		"nobody":           {map[string]string{"facts.html": "{{.document.owner.name}}"}, []string{"facts.html:1:"}},
		"no section":       {map[string]string{"page.md": "{{section \"x\"}}"}, []string{"page.md:1:", `there is no section "x"`}},
		"no main":          {map[string]string{"page.html": "<p>{{.title}}</p>"}, []string{"page.html: what stands between <main> and </main>"}},
		"a file":           {map[string]string{"page.md": `{{template "/etc/passwd"}}`}, []string{"page.md", "/etc/passwd"}},
		"two":              {map[string]string{"a.md": "", "b.md": ""}, []string{"a.md: ", "b.md: "}},
		"endless":          {map[string]string{"summary.md": `{{define "a"}}{{template "a" .}}{{end}}{{template "a" .}}`}, []string{"summary.md", "exceeded maximum template depth"}},
		"much":             {map[string]string{"summary.md": `{{range 100000000}}` + strings.Repeat("0123456789", 1000) + `{{end}}`}, []string{"summary.md: prints more than 64 MB"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := export.LoadTemplates(folder(test.files))
			if err == nil {
				t.Fatal("they are taken")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %v\nwant it to say %q", err, want)
				}
			}
		})
	}
}
