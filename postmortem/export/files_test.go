package export_test

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// pictures is an incident with files: two images of one name, one of them twice,
// a log, one that was not fetched, and one of an internal entry.
func pictures(t *testing.T) (postmortem.Document, export.Files) {
	t.Helper()
	l := &log{t: t}
	l.add("Ada", "2026-06-10 09:20:00", incidents.ToSecond, incidents.Declared{Title: "Brokers see no offers", Severity: incidents.Sev2, Status: incidents.Investigating})
	note := func(mark incidents.Mark, kind incidents.EntryKind, text string, files ...incidents.File) {
		l.add("Ben", "2026-06-10 09:25:00", incidents.ToSecond, incidents.Noted{Kind: kind, Text: text, Mark: mark, Files: files})
	}
	png := func(id, name, digest string) incidents.File {
		return incidents.File{ID: id, Name: name, Type: "image/png", Size: 12, Digest: digest}
	}
	note("", incidents.Evidence, "p99 of offers", png("F1", "Graph 1.png", "aa"), png("F2", "graph 1.png", "bb"))
	note("", incidents.Observation, "the same again", png("F3", "other.png", "aa"))
	note("", incidents.Observation, "the log", incidents.File{ID: "F4", Name: "../../etc/passwd", Type: "text/plain", Size: 5, Digest: "cc"})
	note("", incidents.Observation, "gone", incidents.File{ID: "F5", Name: "big.mov", Type: "video/quicktime", Size: 99, Failed: "the file is larger than 32 MB"})
	note(incidents.MarkInternal, incidents.Evidence, "secret", png("F6", "customers.png", "dd"))
	kept := map[string]string{"aa": "\x89PNG\r\n\x1a\n1", "bb": "\x89PNG\r\n\x1a\n2", "cc": "a log", "dd": "\x89PNG\r\n\x1a\n3"}
	return l.document(), func(digest string) ([]byte, bool) {
		data, ok := kept[digest]
		return []byte(data), ok
	}
}

// TestMarkdownShowsFiles has a real parser find the pictures where the bundle has
// them.
func TestMarkdownShowsFiles(t *testing.T) {
	t.Parallel()
	doc, files := pictures(t)
	first, read := again(t, doc)
	for i, e := range read.Evidence {
		want := *doc.Evidence[i].File
		want.ID = ""
		if diff := cmp.Diff(want, *e.File); diff != "" {
			t.Errorf("file %d (-want +read):\n%s", i, diff)
		}
	}
	var shown []string
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader([]byte(first)))
	if err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Image:
			if entering {
				shown = append(shown, string(n.Destination))
			}
		case *ast.Link:
			if entering {
				shown = append(shown, string(n.Destination))
			}
		}
		return ast.WalkContinue, nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []string{"files/Graph-1.png", "files/graph-1-2.png", "files/Graph-1.png", "files/etc-passwd", "files/customers.png"}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}

	name, raw, err := export.Exporter{Files: files}.Render("zip", doc)
	if err != nil || name != "INC-1-postmortem.zip" {
		t.Fatalf("got %q, %v", name, err)
	}
	held := unzip(t, raw)
	for _, path := range shown {
		if held[path] == "" {
			t.Errorf("the bundle has no %s", path)
		}
	}
	if held["INC-1-postmortem.md"] != first || !strings.Contains(held["INC-1-postmortem.json"], `"digest": "aa"`) || !strings.Contains(held["INC-1-postmortem.html"], "data:image/png") {
		t.Error("the bundle holds not what the single files hold")
	}
	if _, twice, _ := (export.Exporter{Files: files}).Render("zip", doc); !bytes.Equal(raw, twice) {
		t.Error("the same document gave another bundle")
	}
	_, raw, err = export.Exporter{}.Render("zip", doc)
	if err != nil {
		t.Fatal(err)
	}
	if missing := unzip(t, raw)["files/MISSING.txt"]; strings.Count(missing, "files/") != 4 {
		t.Errorf("the bundle without files says %q", missing)
	}
}

func unzip(t *testing.T, raw []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		held[f.Name] = string(data)
	}
	return held
}

// TestHTMLShowsFiles: each image once, within the bounds, and in words what is
// not shown; nothing of it is in the public version.
func TestHTMLShowsFiles(t *testing.T) {
	t.Parallel()
	doc, files := pictures(t)
	sources := func(doc postmortem.Document, files export.Files) (images []string, text string) {
		_, raw, err := export.Exporter{Files: files}.Render("html", doc)
		if err != nil {
			t.Fatal(err)
		}
		all := nodes(t, raw)
		for _, n := range all {
			if n.Data == "img" {
				images = append(images, attribute(n, "src"))
			}
		}
		return images, textOf(all[0])
	}
	images, text := sources(doc, files)
	if want := []string{"data:image/png;base64,iVBORw0KGgox", "data:image/png;base64,iVBORw0KGgoy", "data:image/png;base64,iVBORw0KGgoz"}; !slices.Equal(images, want) {
		t.Errorf("got %v, want %v", images, want)
	}
	for _, want := range []string{"the file is larger than 32 MB", "Not shown here: it is in the zip file"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if images, text := sources(doc, nil); len(images) != 0 || strings.Count(text, "Houston does not have it") != 4 {
		t.Errorf("without files: got %v in %s", images, text)
	}
	huge := func(size int) export.Files {
		return func(digest string) ([]byte, bool) {
			return append(append([]byte("\x89PNG\r\n\x1a\n"), digest...), make([]byte, size)...), true
		}
	}
	if images, text := sources(doc, huge(export.MaxImage)); len(images) != 0 || strings.Count(text, "larger than 5 MB") != 4 {
		t.Errorf("too large: got %d images", len(images))
	}
	doc.Evidence[1].File.Digest, doc.Evidence[2].File.Digest, doc.Evidence[3].File.Type = "ee", "ff", "image/png"
	if images, text := sources(doc, huge(4<<20)); len(images) != 4 || strings.Count(text, "more than 18 MB") != 1 {
		t.Errorf("too large together: got %d images", len(images))
	}
	_, raw, err := export.Exporter{Files: files}.Render("zip", postmortem.PublicOf(doc))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range unzip(t, raw) {
		if strings.HasPrefix(name, "files/") || strings.Contains(data, "Graph 1") || strings.Contains(data, "customers") || strings.Contains(data, "data:image") {
			t.Errorf("the public version has a file in %s", name)
		}
	}
}
