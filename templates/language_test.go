package templates_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/houston-sre/houston/templates"
)

// phrase is a templates.Sentence, and colour a templates.Word.
type phrase struct {
	format string
	args   []any
}

func (p phrase) Sentence() (string, []any) { return p.format, p.args }

type resolved string

func (resolved) Word() string { return "status_resolved" }

type unnamed string

func (unnamed) Word() string { return "unheard_of" }

func TestLanguages(t *testing.T) {
	t.Parallel()
	en, err := templates.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	de := en.In("de-DE")
	escaped := de.Escaping(func(s string) string { return strings.ReplaceAll(s, "<", "&lt;") })
	for _, tt := range []struct {
		name, got, want string
	}{
		{"another language", de.Text("form_submit"), "Melden"},
		{"by its short name", en.In("de").Language(), "de"},
		{"as some write it", en.In("DE_at").Language(), "de"},
		{"none that it has not", de.In("fr-FR").Language(), "de"},
		{"none at all", de.In("").Language(), "de"},
		{"and back", de.In("en-GB").Text("form_submit"), "Declare"},
		{"keeps the escaping", escaped.In("en").Text("done_status", "key", "<", "status", "x"), "&lt; is now *x*."},
		{"plain", escaped.Plain().Text("done_status", "key", "<", "status", "x"), "< ist jetzt *x*."},
		{"names words", de.Text("done_status", "key", "INC-1", "status", resolved("resolved")), "INC-1 ist jetzt *behoben*."},
		{"in English too", en.Name(resolved("resolved")), "resolved"},
		{"shows a word without a name", de.Name(unnamed("new <")), "new <"},
		{"escapes it", escaped.Name(unnamed("new <")), "new &lt;"},
		{"one", de.Text("firing", "count", 1), "1 Alarm aktiv"},
		{"none of them", de.Text("firing", "count", 0), "0 Alarme aktiv"},
		{"many", en.Text("firing", "count", 10_000), "10000 alerts firing"},
		{"says a sentence", de.Say(phrase{"%s is %s already.", []any{"INC-1", resolved("resolved")}}), "INC-1 ist schon behoben."},
		{"in English", en.Say(phrase{"%s is %s already.", []any{"INC-1", resolved("resolved")}}), "INC-1 is resolved already."},
		{"and one in another", de.Say(phrase{"%s fired%s; %d firing now", []any{phrase{"%d alerts", []any{2}}, "", 2}}), "2 Alarme neu; aktiv sind jetzt 2"},
		{"escapes the whole", escaped.Say(phrase{"%s has this title already.", []any{"<x"}}), "&lt;x heißt schon so."},
		{"one it does not have", de.Say(phrase{"Nobody wrote %s.", []any{"this"}}), "Nobody wrote this."},
		{"a reason", de.Text("post_action_due", "due", templates.Reason("the channel is archived")), "bis der Kanal ist archiviert"},
		{"one that was made by a format", de.Say(phrase{"%s: failed (%s)", []any{"x", templates.Reason("Slack answered HTTP 502")}}), "x: gescheitert (Slack hat mit HTTP 502 geantwortet)"},
		{"an unknown one", de.Text("post_action_due", "due", templates.Reason("the moon")), "bis the moon"},
		{"as a value", escaped.Text("post_event", "text", phrase{"Renamed to %s", []any{"<"}}, "person", templates.Markup("<@U1>")), "Umbenannt in: &lt;  _(<@U1>)_"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

// TestCataloguesAreEqual holds all languages to the same texts with the same
// placeholders.
func TestCataloguesAreEqual(t *testing.T) {
	t.Parallel()
	english := texts(t, "en")
	if sentences := len(catalogue(t, "en")) - len(english); sentences > 0 {
		t.Errorf("en.json has %d keys that are no names of texts; English sentences stand in the code", sentences)
	}
	for _, language := range templates.Languages()[1:] {
		other := texts(t, language)
		for key, text := range english {
			translated, ok := other[key]
			switch {
			case !ok:
				t.Errorf("%s.json has no text %q: %s", language, key, text)
			case strings.TrimSpace(translated) == "" && text != "":
				t.Errorf("%s.json: text %q is empty", language, key)
			case !slices.Equal(placeholders(translated), placeholders(text)) && !strings.HasSuffix(key, ".one"):
				t.Errorf("%s.json: text %q has the placeholders %q, in English %q", language, key, placeholders(translated), placeholders(text))
			}
		}
		for key := range other {
			if _, ok := english[key]; !ok {
				t.Errorf("%s.json: text %q is not in en.json", language, key)
			}
		}
	}
}

// TestEverySentenceIsTranslated reads the source: each English format of an
// error or a phrase stands in the other catalogues, with a sentence that takes
// the same verbs.
func TestEverySentenceIsTranslated(t *testing.T) {
	t.Parallel()
	found := read(t, "..")
	if len(found.sentences) < 20 {
		t.Fatalf("only %d sentences were found; does this test still know how they are made?", len(found.sentences))
	}
	for words, where := range found.entries {
		t.Errorf("%s: an event's Entry says %q itself; give the event a method Told with a Phrasef, and have Entry return Told().String()", where, words)
	}
	for _, language := range templates.Languages()[1:] {
		known := catalogue(t, language)
		maps.DeleteFunc(known, func(key, _ string) bool { return textKey.MatchString(key) })
		for format, where := range found.sentences {
			translated, ok := known[format]
			delete(known, format)
			if !ok {
				t.Errorf("%s: add the sentence to templates/%s.json, as one more line: %q: \"…\"", where, language, format)
				continue
			}
			if got, want := verbs(translated), verbs(strings.TrimPrefix(format, "reason: ")); !slices.Equal(got, want) {
				t.Errorf("%s.json: %q takes the verbs %q, in English %q", language, translated, got, want)
			}
		}
		for format := range known {
			t.Errorf("%s.json: the sentence %q is used nowhere", language, format)
		}
	}
}

// verbs lists which argument each verb of a format takes, and how.
func verbs(format string) []string {
	var found []string
	next := 1
	for _, m := range regexp.MustCompile(`%(?:\[(\d+)\])?([-+# 0]*[\d.]*[a-zA-Z])`).FindAllStringSubmatch(strings.ReplaceAll(format, "%%", ""), -1) {
		if m[1] != "" {
			_, _ = fmt.Sscan(m[1], &next)
		}
		found = append(found, fmt.Sprint(next, m[2]))
		next++
	}
	slices.Sort(found)
	return found
}

// sentence reads the format of Errorf(kind, "…"), Phrasef("…") and
// requireText(text, "…"). One without letters is the same everywhere.
func sentence(n ast.Node) (string, bool) {
	expr, ok := n.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	at := map[string]int{"Errorf": 1, "requireText": 1, "Phrasef": 0}
	name := ""
	switch fun := expr.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		if pkg, ok := fun.X.(*ast.Ident); !ok || pkg.Name != "incidents" {
			return "", false // fmt.Errorf, t.Errorf
		}
		name = fun.Sel.Name
	}
	i, ok := at[name]
	if !ok || len(expr.Args) <= i {
		return "", false
	}
	format, ok := literal(expr.Args[i])
	letters := regexp.MustCompile(`%(?:\[\d+\])?[a-z]|\\n`).ReplaceAllString(format, "")
	return format, ok && strings.ContainsFunc(letters, func(r rune) bool { return r >= 'A' && r <= 'z' && r != '\\' })
}

// reasons reads why something failed: Failure{Reason: "…"}, lost("…"), and what a
// function named why gives back. What is only waited for is told nobody.
func reasons(n ast.Node) []string {
	var values []ast.Expr
	switch n := n.(type) {
	case *ast.CompositeLit:
		if !strings.HasSuffix(types.ExprString(n.Type), "Failure") {
			return nil
		}
		for _, element := range n.Elts {
			pair, ok := element.(*ast.KeyValueExpr)
			switch {
			case !ok:
			case types.ExprString(pair.Key) == "Waiting":
				return nil
			case types.ExprString(pair.Key) == "Reason":
				values = append(values, pair.Value)
			}
		}
	case *ast.CallExpr:
		if types.ExprString(n.Fun) == "lost" && len(n.Args) == 1 {
			values = n.Args
		}
	case *ast.FuncDecl:
		if n.Name.Name != "why" {
			return nil
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if back, ok := n.(*ast.ReturnStmt); ok && len(back.Results) > 0 {
				values = append(values, back.Results[0])
			}
			return true
		})
	}
	var found []string
	for _, value := range values {
		if call, ok := value.(*ast.CallExpr); ok && types.ExprString(call.Fun) == "fmt.Sprintf" {
			value = call.Args[0]
		}
		if _, ok := value.(*ast.BinaryExpr); ok {
			found = append(found, "reason: (make this a fmt.Sprintf) "+types.ExprString(value))
		}
		if text, ok := literal(value); ok {
			found = append(found, "reason: "+text)
		}
	}
	return found
}

// entryWords finds words in a method Entry of an event's data.
func entryWords(n ast.Node) (string, bool) {
	fun, ok := n.(*ast.FuncDecl)
	if !ok || fun.Name.Name != "Entry" || fun.Recv == nil || fun.Body == nil {
		return "", false
	}
	words := ""
	ast.Inspect(fun.Body, func(n ast.Node) bool {
		if expr, ok := n.(ast.Expr); ok {
			if text, ok := literal(expr); ok && strings.TrimSpace(text) != "" {
				words = text
			}
		}
		return true
	})
	return words, words != ""
}
