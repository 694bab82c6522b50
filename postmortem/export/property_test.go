package export_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	renderer "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/houston-sre/houston/incidents/proctest"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// shape is what a page is made of, whichever form it has.
type shape struct {
	headings, tables, rows int
	cells                  string // how many each row has
}

// markdownShape reads Markdown as GitHub's dialect is read, and complains of what
// no text may become.
func markdownShape(t *testing.T, source []byte) shape {
	t.Helper()
	var s shape
	var cells []int
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			s.headings++
		case *extast.Table:
			s.tables++
		case *extast.TableHeader, *extast.TableRow:
			s.rows++
			cells = append(cells, n.ChildCount())
		case *ast.HTMLBlock:
			t.Errorf("there is a block of HTML: %q", n.Lines().Value(source))
		case *ast.RawHTML:
			if raw := string(n.Segments.Value(source)); raw != "<br>" {
				t.Errorf("there is HTML: %q", raw)
			}
		case *ast.Link:
			if to := string(n.Destination); !strings.HasPrefix(to, "http://") && !strings.HasPrefix(to, "https://") && !strings.HasPrefix(to, "files/") {
				t.Errorf("a link leads to %q", to)
			}
		case *ast.Image:
			if to := string(n.Destination); !strings.HasPrefix(to, "files/") {
				t.Errorf("an image is asked for from %q", to)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.cells = counts(cells)
	return s
}

// htmlShape reads HTML by the rules of browsers.
func htmlShape(t *testing.T, source []byte) shape {
	t.Helper()
	var s shape
	var cells []int
	for _, n := range nodes(t, source) {
		switch n.Data {
		case "h1", "h2":
			s.headings++
		case "table":
			s.tables++
		case "tr":
			s.rows++
			count := 0
			for c := range n.ChildNodes() {
				if c.Type == html.ElementNode {
					count++
				}
			}
			cells = append(cells, count)
		case "script", "iframe", "object", "embed", "form", "input", "link", "base", "svg", "math":
			t.Errorf("there is a <%s>", n.Data)
		}
		for _, a := range n.Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(value, "javascript:") {
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
	s.cells = counts(cells)
	return s
}

// rendered makes HTML of Markdown as GitHub does.
func rendered(t *testing.T, md []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(renderer.WithUnsafe())).Convert(md, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// cellsOf gives what each cell of a page says, but those that show files: a page
// has their pictures.
func cellsOf(t *testing.T, page []byte) []string {
	t.Helper()
	var cells []string
	for _, n := range nodes(t, page) {
		if n.Data != "td" {
			continue
		}
		var b strings.Builder
		file := false
		for c := range n.Descendants() {
			switch {
			case c.Type == html.TextNode:
				b.WriteString(c.Data)
			case c.Data == "br":
				b.WriteByte(' ')
			case c.Data == "em" || c.Data == "img" || strings.HasPrefix(attribute(c, "href"), "files/"):
				file = true
			}
		}
		if !file {
			cells = append(cells, strings.Join(strings.Fields(b.String()), " "))
		}
	}
	return cells
}

func counts(cells []int) string {
	var b strings.Builder
	for _, n := range cells {
		b.WriteByte(byte('a' + n))
	}
	return b.String()
}

// TestNoTextChangesTheShape writes nonsense into every field and has real parsers
// read both forms: they are made of as many headings, tables, rows and cells as
// the same document with plain words. A failure names the seed.
func TestNoTextChangesTheShape(t *testing.T) { //nolint:tparallel // the first seed that fails ends it
	t.Parallel()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 11))
		said := func(word func() string) (md, page []byte) {
			doc := brokers(t)
			fill(&doc)
			nonsense(&doc, word)
			for i := range doc.Sections { // lists and code come and go with the text
				doc.Sections[i].Text = word()
			}
			var a, b bytes.Buffer
			if err := export.Markdown(&a, doc); err != nil {
				t.Fatal(err)
			}
			if err := export.HTML(&b, doc, nil); err != nil {
				t.Fatal(err)
			}
			return a.Bytes(), b.Bytes()
		}
		// A cell that is empty may leave a column out, so no word is.
		md, page := said(func() string { return "a" + babble(r) })
		plainMD, plainPage := said(func() string { return "a" })
		ok := t.Run("", func(t *testing.T) {
			if got, want := markdownShape(t, md), markdownShape(t, plainMD); got != want {
				t.Errorf("Markdown: got %+v, want %+v\n%s", got, want, md)
			}
			if got, want := htmlShape(t, page), htmlShape(t, plainPage); got != want {
				t.Errorf("HTML: got %+v, want %+v\n%s", got, want, page)
			}
			if diff := cmp.Diff(cellsOf(t, page), cellsOf(t, rendered(t, md))); diff != "" {
				t.Errorf("the forms do not say the same (-HTML +Markdown):\n%s\n%s", diff, md)
			}
		})
		if !ok {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestPublicDocumentsComeBack puts what people really wrote into every section,
// and reads it back: real postmortems, with their code, quotes, tables and links.
func TestPublicDocumentsComeBack(t *testing.T) {
	t.Parallel()
	corpus := proctest.SharedPath("corpus")
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus beside the repository")
	}
	files, err := filepath.Glob(filepath.Join(corpus, "[0-9]*.md"))
	if err != nil || len(files) < 10 {
		t.Fatalf("there are %d documents, %v", len(files), err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file) //nolint:gosec // the corpus
		if err != nil {
			t.Fatal(err)
		}
		doc := brokers(t)
		fill(&doc)
		for i := range doc.Sections {
			doc.Sections[i].Text = postmortem.TextOf(postmortem.BlocksOf(string(raw)))
		}
		for i, line := range strings.Split(string(raw), "\n") {
			doc.Facts.Timeline[i%len(doc.Facts.Timeline)].Text = line
		}
		_, read := again(t, doc)
		for i, s := range doc.Sections {
			if got := strings.Join(strings.Fields(read.Sections[i].Text), " "); got != strings.Join(strings.Fields(s.Text), " ") {
				t.Errorf("%s: section %s came back otherwise", filepath.Base(file), s.ID)
			}
		}
	}
}

// FuzzParse: whatever is read as a postmortem is written so that it is read as the
// same; anything else is refused, and nothing crashes.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"brokers", "upgrade", "hostile"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "postmortem", name+".md"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(raw))
	}
	f.Add("# Postmortem of INC-1: A\n\n## Evidence\n\n| UTC | What | Link |\n| --- | --- | --- |\n|  | a | ![b](files/b.png \"image/png, 1 B, sha256 ab\") |\n")
	f.Add("# Postmortem of INC-1: A\n\n## Contributing factors\n\n| No. | Factor | Category | Evidence | Latent since |\n| --- | --- | --- | --- | --- |\n| 1 | a | code |  |  |\n\n**Why factor 1**\n\n- b\n  - c\n\n## Timeline\n\n| UTC | Kind | Who | What |\n| --- | --- | --- | --- |\n| 2026-06-10 09:20 – 09:30 | action | a | **Key moment:** b |\n")
	f.Fuzz(func(t *testing.T, page string) {
		doc, err := export.Parse(strings.NewReader(page))
		if err != nil {
			return
		}
		var first bytes.Buffer
		if err := export.Markdown(&first, doc); err != nil {
			t.Fatal(err)
		}
		read, err := export.Parse(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was read and written is refused: %v\n%s", err, first.String())
		}
		var second bytes.Buffer
		if err := export.Markdown(&second, read); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.String(), second.String()); diff != "" {
			t.Fatalf("Markdown → model → Markdown (-first +again):\n%s", diff)
		}
	})
}
