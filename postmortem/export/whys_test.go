package export_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// TestWhysAreNestedLists: both forms have the tree as lists in lists, as GitHub
// reads them too, whatever the answers say.
func TestWhysAreNestedLists(t *testing.T) {
	t.Parallel()
	doc := brokers(t)
	doc.Factors = []postmortem.Factor{{Text: "A shared pool", Category: "design", Whys: []postmortem.Why{
		{Level: 1, Text: "<b>one</b>"}, {Level: 2, Text: "- two"}, {Level: 3, Text: "1. three"}, {Level: 2, Text: "```"}, {Level: 1, Text: "| four | **"},
	}}}
	var md, page bytes.Buffer
	if err := export.Markdown(&md, doc); err != nil {
		t.Fatal(err)
	}
	if err := export.HTML(&page, doc, nil); err != nil {
		t.Fatal(err)
	}
	want := "**Why factor 1**\n\n- &lt;b&gt;one&lt;/b&gt;\n  - \\- two\n    - 1\\. three\n  - \\`\\`\\`\n- \\| four \\| \\*\\*\n"
	if !strings.Contains(md.String(), want) {
		t.Errorf("Markdown has no %q:\n%s", want, md.String())
	}
	var depths []int
	root := goldmark.New().Parser().Parse(text.NewReader(md.Bytes()))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if _, item := n.(*ast.ListItem); item && entering {
			depth := 0
			for at := n.Parent(); at != nil; at = at.Parent() {
				if _, list := at.(*ast.List); list {
					depth++
				}
			}
			depths = append(depths, depth)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Trim(fmt.Sprint(depths), "[]"); !strings.Contains(got, "1 2 3 2 1") {
		t.Errorf("Markdown's items stand on the levels %s, want 1 2 3 2 1", got)
	}
	html := `<ul><li dir="auto">&lt;b&gt;one&lt;/b&gt;<ul><li dir="auto">- two<ul><li dir="auto">1. three</li></ul></li>` + "\n" +
		"<li dir=\"auto\">```</li></ul></li>\n" + `<li dir="auto">| four | **</li></ul>`
	if !strings.Contains(page.String(), html) {
		t.Errorf("HTML has no %q:\n%s", html, page.String())
	}
}
