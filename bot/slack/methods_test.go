package slack

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/houston-sre/houston/incidents/proctest"
)

// TestScopesAreSlacks holds the table to what Slack documents of each method.
func TestScopesAreSlacks(t *testing.T) {
	t.Parallel()
	var documented struct {
		Methods map[string]struct {
			Scopes []string `json:"bot_scopes_any"`
		}
	}
	if err := json.Unmarshal(proctest.SlackMethods(t), &documented); err != nil {
		t.Fatal(err)
	}
	for _, m := range methods() {
		known, ok := documented.Methods[m.name]
		if !ok {
			t.Errorf("Slack documents no method %s", m.name)
		}
		if len(known.Scopes) > 0 && len(m.needs) == 0 {
			t.Errorf("%s needs one of %v, and the table names none", m.name, known.Scopes)
		}
		for _, s := range m.needs {
			if !slices.Contains(known.Scopes, s.Name) {
				t.Errorf("%s is no scope that %s takes; those are %v", s.Name, m.name, known.Scopes)
			}
		}
	}
	for _, s := range Scopes() {
		if s.For == "" {
			t.Errorf("nobody knows what %s is for", s.Name)
		}
	}
}
