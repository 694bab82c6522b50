package templates_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
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
// placeholders, and every text must be used. The names of words are used by
// their values, see TestEveryWordHasAName of bot/slack.
func TestCallsAndCatalogueAreInStep(t *testing.T) {
	t.Parallel()
	texts := texts(t, "en")
	used := map[string]bool{}
	for _, c := range read(t, "..").calls {
		_, found := texts[c.key]
		for _, form := range forms(texts, c.key) {
			found, used[form] = true, true
			want := placeholders(texts[form])
			if form != c.key && !slices.Contains(c.names, "count") {
				t.Errorf("%s: text %q has forms for a number, and no \"count\" is filled in", c.where, c.key)
			}
			if strings.HasSuffix(form, ".one") && !slices.Contains(want, "count") {
				want = append([]string{"count"}, want...) // "one alert" says the number itself
				slices.Sort(want)
			}
			if !slices.Equal(c.names, want) {
				t.Errorf("%s: text %q is filled with %q, its placeholders are %q", c.where, form, c.names, want)
			}
		}
		if !found {
			t.Errorf("%s: there is no text %q", c.where, c.key)
		}
	}
	if len(used) == 0 {
		t.Fatal("no call was found; does this test still know how texts are used?")
	}
	for key, text := range texts {
		if !used[key] && !strings.HasPrefix(key, "word_") && !ofAVerb(key) {
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

// forms lists the keys under which the forms of a text stand.
func forms(texts map[string]string, key string) []string {
	if _, ok := texts[key]; ok {
		return []string{key}
	}
	var found []string
	for _, form := range []string{key + ".one", key + ".other"} {
		if _, ok := texts[form]; ok {
			found = append(found, form)
		}
	}
	return found
}

// textKey is a key of a text; what else stands in a catalogue is an English
// sentence.
var textKey = regexp.MustCompile(`^[a-z0-9_]+(\.one|\.other)?$`)

// texts are the texts of a language without the sentences.
func texts(t *testing.T, language string) map[string]string {
	t.Helper()
	found := catalogue(t, language)
	maps.DeleteFunc(found, func(key, _ string) bool { return !textKey.MatchString(key) })
	return found
}

// catalogue reads the file of a language.
func catalogue(t *testing.T, language string) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(language + ".json")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	keys := regexp.MustCompile(`(?m)^ {2}"((?:[^"\\]|\\.)+)": `).FindAllSubmatch(raw, -1)
	if len(keys) != len(texts) {
		t.Errorf("%s.json has %d lines with a key and %d keys: a key stands twice, or not on a line of its own", language, len(keys), len(texts))
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

// source is what the code says to people.
type source struct {
	calls     []call
	sentences map[string]string // by the English format: where it stands
	entries   map[string]string // words that an event's Entry makes itself
}

func read(t *testing.T, root string) source {
	t.Helper()
	found := source{sentences: map[string]string{}, entries: map[string]string{}}
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
		// What the API and the webhooks answer is read by programs and their
		// authors, and stays in English.
		web := filepath.Join(root, "bot", "web")
		programs := strings.HasPrefix(path, web) && !strings.HasPrefix(path, filepath.Join(web, "pages")+string(filepath.Separator)) || strings.HasPrefix(path, filepath.Join(root, "bot", "webhook"))
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				return true
			}
			where := positions.Position(n.Pos()).String()
			if c, ok := textCall(n); ok {
				c.where = where
				found.calls = append(found.calls, c)
			}
			if format, ok := sentence(n); ok && !programs {
				found.sentences[format] = where
			}
			for _, reason := range reasons(n) {
				found.sentences[reason] = where
			}
			if words, ok := entryWords(n); ok {
				found.entries[words] = where
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found.calls = append(found.calls, templateCalls(t)...)
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
