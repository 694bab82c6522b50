package web

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOpenAPIDescribesWhatIsBuilt holds the document to the routes, both ways.
func TestOpenAPIDescribesWhatIsBuilt(t *testing.T) {
	t.Parallel()
	var document struct {
		OpenAPI string                                `json:"openapi"`
		Paths   map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(openAPIDocument, &document); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(document.OpenAPI, "3.1.") {
		t.Errorf("got OpenAPI %q, want 3.1", document.OpenAPI)
	}
	var described []string
	for path, methods := range document.Paths {
		for method := range methods {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	built := []string{"GET /api/v1/openapi.json", "GET /api/v1/postmortem.schema.json"}
	for _, route := range NewAPI(Config{}).routes() {
		for method, h := range route.methods {
			if !isNotBuilt(t, h) {
				built = append(built, method+" "+route.path)
			}
		}
	}
	slices.Sort(described)
	slices.Sort(built)
	if diff := cmp.Diff(built, described); diff != "" {
		t.Errorf("routes (-built +described):\n%s", diff)
	}
}

// isNotBuilt asks a handler: those that are built need more than nothing.
func isNotBuilt(t *testing.T, h handler) (notBuilt bool) {
	t.Helper()
	defer func() { _ = recover() }() // a built one fails on the nil it is given
	err := h(nil, nil)
	refused, ok := err.(*refusal) //nolint:errorlint // it is returned as it is
	return ok && refused.status == http.StatusNotImplemented
}

// TestOpenAPIReferencesExist finds references that lead nowhere.
func TestOpenAPIReferencesExist(t *testing.T) {
	t.Parallel()
	var document map[string]any
	if err := json.Unmarshal(openAPIDocument, &document); err != nil {
		t.Fatal(err)
	}
	count := 0
	var walk func(any)
	walk = func(node any) {
		switch node := node.(type) {
		case []any:
			for _, child := range node {
				walk(child)
			}
		case map[string]any:
			if reference, ok := node["$ref"].(string); ok {
				count++
				at := any(document)
				for part := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
					object, _ := at.(map[string]any)
					at = object[part]
				}
				if at == nil {
					t.Errorf("%s leads nowhere", reference)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(node)) {
				walk(node[name])
			}
		}
	}
	walk(document)
	if count == 0 {
		t.Error("got no references, want some")
	}
}
