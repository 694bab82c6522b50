package slack

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slack-go/slack"
)

// source parses the code of this package and of setup without the tests.
func source(t *testing.T) map[string]*ast.File {
	t.Helper()
	here, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("setup/*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, name := range append(here, below...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file
	}
	return files
}

// TestMethodsAreThoseCalled fails when code calls a method of slack-go's client
// that the table has not, and when the table has one that no code calls.
// A call is known by its name: no other type here has methods called so.
func TestMethodsAreThoseCalled(t *testing.T) {
	t.Parallel()
	client := map[string]bool{}
	for m := range reflect.TypeFor[*slack.Client]().Methods() {
		client[m.Name] = !strings.HasPrefix(m.Name, "Debug")
	}
	called := map[string]string{}
	for name, file := range source(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && client[call.Sel.Name] {
				called[call.Sel.Name] = name
			}
			return true
		})
	}
	if len(called) < 10 {
		t.Fatalf("only %d calls were found: the scan is broken", len(called))
	}
	listed := map[string]bool{}
	named := map[string]bool{}
	for _, m := range methods() {
		if named[m.name] {
			t.Errorf("%s stands twice in the table of methods", m.name)
		}
		named[m.name] = true
		for _, call := range m.calls {
			if !client[call] {
				t.Errorf("%s: slack-go has no %s", m.name, call)
			}
			if listed[call] = true; called[call] == "" {
				t.Errorf("%s is in the table of methods and nothing calls %s: take it out, or nobody knows why its scopes are asked for", m.name, call)
			}
		}
	}
	for _, call := range slices.Sorted(maps.Keys(called)) {
		if !listed[call] {
			t.Errorf("%s calls %s, which the table of methods does not have: add its Web API method and scopes in methods.go", called[call], call)
		}
	}
}

// TestFeaturesAreBuilt holds what the manifest subscribes to and offers to what
// the code tells apart: in a case of a switch, or with == and !=.
func TestFeaturesAreBuilt(t *testing.T) {
	t.Parallel()
	handled := map[string]bool{}
	constants := map[string]string{}
	note := func(e ast.Expr) {
		if text, ok := literal(e); ok {
			handled[text] = true
		}
		if name, ok := e.(*ast.Ident); ok {
			handled[constants[name.Name]] = true
		}
	}
	files := source(t)
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				for i, value := range spec.Values {
					if text, ok := literal(value); ok {
						constants[spec.Names[i].Name] = text
					}
				}
			}
			return true
		})
	}
	for name, file := range files {
		if name == "features.go" || strings.HasPrefix(name, "setup/") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CaseClause:
				for _, e := range n.List {
					note(e)
				}
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					note(n.X)
					note(n.Y)
				}
			}
			return true
		})
	}
	for _, e := range events() {
		if e.built != handled[e.inner] {
			t.Errorf("event %s: built is %v, that the code takes it is %v; correct features.go", e.subscription, e.built, handled[e.inner])
		}
	}
	for _, s := range shortcuts() {
		// The verb of a command is called "declare" as well.
		if want := handled[s.Callback] && (s.Kind != "global" || handled["declare_from_message"]); s.built != want {
			t.Errorf("shortcut %s: built is %v, that the code takes it is %v; correct features.go", s.Callback, s.built, want)
		}
	}
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
