package templates_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/houston-sre/houston/templates"
)

func TestText(t *testing.T) {
	t.Parallel()
	c, err := templates.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	escaped := c.Escaping(func(s string) string { return strings.ReplaceAll(s, "<", "&lt;") })
	for _, tt := range []struct {
		name, got, want string
	}{
		{"fills in", c.Text("done_status", "key", "INC-1", "status", "resolved"), "INC-1 is now *resolved*."},
		{"does not look into values", c.Text("done_status", "key", "{status}", "status", "x"), "{status} is now *x*."},
		{"escapes values", escaped.Text("done_status", "key", "<!channel>", "status", "x"), "&lt;!channel> is now *x*."},
		{"leaves markup", escaped.Text("done_status", "key", templates.Markup("<#C1>"), "status", "x"), "<#C1> is now *x*."},
		{"shows an unknown key", c.Text("no such" + " key"), "no such key"},
		{"shows an unfilled placeholder", c.Text("done_status", "key", "INC-1"), "INC-1 is now *{status}*."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestLoadRefusesAnUnknownLanguage(t *testing.T) {
	t.Parallel()
	if _, err := templates.Load("tlh"); err == nil {
		t.Error("a language without texts was loaded")
	}
}

// call is one use of a text in the source.
type call struct {
	where string
	key   string
	names []string
}

// TestCallsAndCatalogueAreInStep reads the whole source: every call of a
// method Text with a literal key must name a text and fill in exactly its
// placeholders, and every text must be used.
func TestCallsAndCatalogueAreInStep(t *testing.T) {
	t.Parallel()
	texts := readTexts(t)
	used := map[string]bool{}
	for _, c := range calls(t, "..") {
		text, ok := texts[c.key]
		if !ok {
			t.Errorf("%s: there is no text %q", c.where, c.key)
			continue
		}
		used[c.key] = true
		if want := placeholders(text); !slices.Equal(c.names, want) {
			t.Errorf("%s: text %q is filled with %q, its placeholders are %q", c.where, c.key, c.names, want)
		}
	}
	if len(used) == 0 {
		t.Fatal("no call was found; does this test still know how texts are used?")
	}
	for key, text := range texts {
		if !used[key] && !ofAVerb(key) {
			t.Errorf("text %q is used nowhere", key)
		}
		if regexp.MustCompile(`<[^@#!{h]`).MatchString(text) {
			t.Errorf("text %q is markup: an angle bracket people are to see is written &lt;", key)
		}
	}
}

// ofAVerb reports the texts of Slack's commands, which are looked up by the verb;
// a test of bot/slack holds them to its table.
func ofAVerb(key string) bool {
	return strings.HasPrefix(key, "usage_") || strings.HasPrefix(key, "about_") || strings.HasPrefix(key, "example_")
}

func readTexts(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile("en.json")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	keys := regexp.MustCompile(`(?m)^ {2}"([^"]+)": `).FindAllSubmatch(raw, -1)
	if len(keys) != len(texts) {
		t.Errorf("en.json has %d lines with a key and %d keys: a key stands twice, or not on a line of its own", len(keys), len(texts))
	}
	return texts
}

func placeholders(text string) []string {
	var names []string
	for _, m := range regexp.MustCompile(`\{([a-z_]+)\}`).FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func calls(t *testing.T, root string) []call {
	t.Helper()
	var found []call
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parse %s: %w", path, err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if c, ok := textCall(n); ok {
				c.where = positions.Position(n.Pos()).String()
				found = append(found, c)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// textCall reads x.Text("key", "name", value, …).
func textCall(n ast.Node) (call, bool) {
	expr, ok := n.(*ast.CallExpr)
	if !ok || len(expr.Args)%2 == 0 {
		return call{}, false
	}
	selector, ok := expr.Fun.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != "Text" {
		return call{}, false
	}
	key, ok := literal(expr.Args[0])
	if !ok {
		return call{}, false
	}
	c := call{key: key}
	for i := 1; i < len(expr.Args); i += 2 {
		name, _ := literal(expr.Args[i])
		c.names = append(c.names, name)
	}
	slices.Sort(c.names)
	return c, true
}

func literal(expr ast.Expr) (string, bool) {
	lit, ok := expr.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
