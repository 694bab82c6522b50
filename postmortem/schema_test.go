package postmortem_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// TestMain registers -update, which rewrites schema.json.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "rewrite schema.json")
	flag.Parse()
	os.Exit(m.Run())
}

// enums are the types that have few values, by type.
func enums() map[reflect.Type][]any {
	all := map[reflect.Type][]any{}
	add := func(values ...any) { all[reflect.TypeOf(values[0])] = values }
	add(anys(incidents.PostmortemStates())...)
	add(anys(incidents.GapKinds(), "")...)
	add(anys(incidents.GapStates())...)
	add(anys(incidents.ActionStates())...)
	add(anys(incidents.ActionTypes(), "")...)
	add(anys(incidents.Priorities(), "")...)
	add(anys(incidents.EntryKinds())...)
	add(anys(incidents.KeyTimes())...)
	add(anys(postmortem.Languages())...)
	add(anys(postmortem.Audiences())...)
	add(anys(postmortem.Knowns())...)
	add(anys(postmortem.TriggerKinds(), "")...)
	add(anys(postmortem.MeasureKinds())...)
	add(anys(postmortem.FactorCategories())...)
	add(anys(postmortem.SectionIDs())...)
	add(anys(postmortem.SurveyQuestions())...)
	add(anys(postmortem.LinkKinds())...)
	add(postmortem.PersonFirst, postmortem.AlertFirst, postmortem.NobodyKnows)
	add(postmortem.OnStatusPage, postmortem.InChannel)
	return all
}

func anys[T ~string](values []T, more ...T) []any {
	var all []any
	for _, v := range append(append([]T{}, values...), more...) {
		all = append(all, v)
	}
	return all
}

// schemaOf describes a type as encoding/json writes it.
func schemaOf(t reflect.Type) map[string]any {
	if values, ok := enums()[t]; ok {
		return map[string]any{"type": "string", "enum": values}
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case t.Kind() == reflect.Pointer:
		return map[string]any{"anyOf": []any{schemaOf(t.Elem()), map[string]any{"type": "null"}}}
	case t.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case t.Kind() == reflect.Struct:
		properties, required := map[string]any{}, []string{}
		fieldsOf(t, properties, &required)
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	case t.Kind() == reflect.String:
		return map[string]any{"type": "string"}
	case t.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	case t.Kind() == reflect.Float64:
		return map[string]any{"type": "number"}
	default:
		return map[string]any{"type": "integer"}
	}
}

func fieldsOf(t reflect.Type, properties map[string]any, required *[]string) {
	for f := range t.Fields() {
		if f.Anonymous {
			fieldsOf(f.Type, properties, required)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		properties[name] = schemaOf(f.Type)
		if !strings.Contains(options, "omit") {
			*required = append(*required, name)
		}
	}
}

func TestSchemaDescribesTheDocument(t *testing.T) {
	t.Parallel()
	schema := schemaOf(reflect.TypeFor[postmortem.Document]())
	schema["$schema"], schema["title"] = "https://json-schema.org/draft/2020-12/schema", "Postmortem"
	want, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile("schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), string(postmortem.Schema())); diff != "" {
		t.Errorf("schema.json is not what the types say (-types +file); run with -update:\n%s", diff)
	}
}

// TestDocumentsFollowTheSchema holds drafts to the published schema, and shows
// that it refuses something.
func TestDocumentsFollowTheSchema(t *testing.T) {
	t.Parallel()
	compiler := jsonschema.NewCompiler()
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(postmortem.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("schema.json", raw); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc := draft(t, nil, happened("12:00:00", declared(incidents.ByEmployee, map[incidents.KeyTime]incidents.Instant{incidents.Detected: at("12:00:00", incidents.ToMinute)})),
		happened("12:05:00", incidents.UpdatePosted{Text: "Restarting"}))
	check := func(change func(map[string]any)) error {
		t.Helper()
		text, err := doc.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		change(value.(map[string]any))
		return schema.Validate(value)
	}
	if err := check(func(map[string]any) {}); err != nil {
		t.Errorf("a draft does not follow the schema: %v", err)
	}
	if check(func(d map[string]any) { d["state"] = "finished" }) == nil {
		t.Error("the schema lets an unknown state through")
	}
}
