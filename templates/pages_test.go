package templates_test

import (
	"io/fs"
	"regexp"
	"slices"
	"testing"

	"github.com/houston-sre/houston/templates"
)

// inTemplate is a text in a page's template: {{t "key" "name" value}}.
var (
	inTemplate = regexp.MustCompile(`[{(] ?t "([a-z_.]+)"((?: "[a-z_]+" [^ "})]+)*)`)
	filledWith = regexp.MustCompile(` "([a-z_]+)" `)
)

// templateCalls reads the texts that the pages' templates use.
func templateCalls(t *testing.T) []call {
	t.Helper()
	names, err := fs.Glob(templates.Pages(), "*.html")
	if err != nil || len(names) == 0 {
		t.Fatalf("the pages' templates: %v, %v", names, err)
	}
	var found []call
	for _, name := range names {
		raw, err := fs.ReadFile(templates.Pages(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range inTemplate.FindAllSubmatch(raw, -1) {
			c := call{where: name, key: string(m[1])}
			for _, filled := range filledWith.FindAllSubmatch(m[2], -1) {
				c.names = append(c.names, string(filled[1]))
			}
			slices.Sort(c.names)
			found = append(found, c)
		}
	}
	return found
}
