package postmortem

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schemaDocument []byte

// Schema is the JSON Schema (draft 2020-12) of a [Document]. A test holds it to
// the types.
func Schema() []byte { return slices.Clone(schemaDocument) }
