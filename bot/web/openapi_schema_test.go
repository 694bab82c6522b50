package web

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/postmortem"
)

// TestOpenAPIHasTheSchemaOfPostmortems: there is one description of a document.
func TestOpenAPIHasTheSchemaOfPostmortems(t *testing.T) {
	t.Parallel()
	var document struct {
		Components struct{ Schemas map[string]any }
	}
	var published map[string]any
	for raw, into := range map[string]any{string(openAPIDocument): &document, string(postmortem.Schema()): &published} {
		if err := json.Unmarshal([]byte(raw), into); err != nil {
			t.Fatal(err)
		}
	}
	delete(published, "$schema")
	delete(published, "title")
	if diff := cmp.Diff(any(published), document.Components.Schemas["Postmortem"]); diff != "" {
		t.Errorf("Postmortem (-schema.json +openapi.json):\n%s", diff)
	}
}
