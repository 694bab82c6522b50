package export_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// nodes gives all elements of a page, by the parser that browsers' rules are in.
func nodes(t *testing.T, raw []byte) []*html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var all []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			all = append(all, n)
		}
	}
	return all
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// TestHostileHTML: whatever people wrote is text; nothing of it is an element,
// a script or a way out, and every table stays a table.
func TestHostileHTML(t *testing.T) {
	t.Parallel()
	doc := hostileDocument(t)
	long := strings.Repeat("x", 300)
	doc.Actions[0].DoneWhen = long + " & <td> | `"
	doc.Evidence = []postmortem.Evidence{
		{Text: "a", File: &postmortem.File{ID: "1", Name: "graph.png", Type: "image/png", Size: 3, Digest: "d1"}},
		{Text: "b", File: &postmortem.File{ID: "2", Name: "graph.png", Type: "image/png", Size: 3, Digest: "d2"}},
		{Text: "c", File: &postmortem.File{ID: "3", Name: "evil.svg", Type: "image/svg+xml", Size: 3, Digest: "d3"}, URL: "javascript:alert(1)"},
		{Text: "d", File: &postmortem.File{ID: "4", Name: "a page.png", Type: "image/png", Size: 3, Digest: "d4"}},
		{Text: "e", File: &postmortem.File{ID: "5", Name: `"><script>.png`, Type: "image/png\"><script>", Size: 3, Digest: "d5", Failed: "<b>no</b>"}},
		{Text: "f", File: &postmortem.File{ID: "6", Name: `"><script>.png`, Type: "image/png", Size: 3, Failed: "<b>no</b>"}},
	}
	_, raw, err := export.Exporter{Files: func(digest string) ([]byte, bool) {
		if digest == "d4" {
			return []byte("<html><script>alert(1)</script>"), true
		}
		return append([]byte("\x89PNG\r\n\x1a\n"), digest...), true
	}}.Render("html", doc)
	if err != nil {
		t.Fatal(err)
	}
	ids, images := map[string]bool{}, map[string]bool{}
	columns := 0
	for _, n := range nodes(t, raw) {
		switch n.Data {
		case "script", "iframe", "object", "form", "link", "svg", "b":
			t.Errorf("there is a <%s>", n.Data)
		case "a":
			if to := attribute(n, "href"); !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "https://") {
				t.Errorf("a link leads to %q", to)
			}
		case "img":
			images[attribute(n, "src")] = true
			if attribute(n, "alt") == "" {
				t.Error("an image has no words")
			}
		case "thead":
			columns = strings.Count(render(t, n), "<th ")
		case "tr":
			if n.Parent.Data == "tbody" && strings.Count(render(t, n), "<td ") != columns {
				t.Errorf("a row has not %d cells: %s", columns, textOf(n))
			}
		}
		if id := attribute(n, "id"); id != "" {
			if ids[id] {
				t.Errorf("id %q stands twice", id)
			}
			ids[id] = true
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s> has %s", n.Data, a.Key)
			}
		}
	}
	if len(images) != 2 || !images["data:image/png;base64,iVBORw0KGgpkMQ=="] || !images["data:image/png;base64,iVBORw0KGgpkMg=="] {
		t.Errorf("got images %v, want both of the same name, and neither SVG nor what is no image", images)
	}
	text := textOf(nodes(t, raw)[0])
	for _, want := range []string{"<script>alert(1)</script>", "]]>", "[U+202E]evil", "[U+0007]", long + " & <td> | `"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func render(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHTMLStandsAlone: it asks for nothing from anywhere, says its language, and
// prints.
func TestHTMLStandsAlone(t *testing.T) {
	t.Parallel()
	for _, l := range postmortem.Languages() {
		doc := brokers(t)
		doc.Language = l
		_, raw, err := export.Exporter{}.Render("html", doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range nodes(t, raw) {
			if n.Data == "html" && attribute(n, "lang") != string(l) {
				t.Errorf("got lang %q, want %q", attribute(n, "lang"), l)
			}
			if src := attribute(n, "src"); src != "" && !strings.HasPrefix(src, "data:") {
				t.Errorf("it asks for %q", src)
			}
		}
		page := string(raw)
		for _, want := range []string{"counter(page)", "table-header-group", "attr(href)", "prefers-color-scheme: dark"} {
			if !strings.Contains(page, want) {
				t.Errorf("the style has no %q", want)
			}
		}
		if strings.Contains(page, "@import") || strings.Contains(page, "url(") {
			t.Error("the style asks for something")
		}
	}
}
