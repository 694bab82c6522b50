package slack

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/houston-sre/houston/templates"
)

// TestVerbsAndTheirTextsAreInStep demands the three texts of each command in
// each language, and a command for each such text.
func TestVerbsAndTheirTextsAreInStep(t *testing.T) {
	t.Parallel()
	for _, language := range templates.Languages() {
		raw, err := os.ReadFile("../../templates/" + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		if err := json.Unmarshal(raw, &texts); err != nil {
			t.Fatal(err)
		}
		for _, c := range verbs() {
			for _, kind := range []string{"usage_", "about_", "example_"} {
				text := texts[kind+string(c.verb)]
				if text == "" || strings.ContainsAny(text, "{}<") {
					t.Errorf("%s: the text %s%s is %q; it needs words without placeholders, with &lt; for an angle bracket", language, kind, c.verb, text)
				}
				if v, _ := splitVerb(text); kind != "about_" && v != c.verb {
					t.Errorf("%s: the text %s%s begins with %q", language, kind, c.verb, v)
				}
			}
		}
		for key := range texts {
			for _, kind := range []string{"usage_", "about_", "example_"} {
				if v, ok := strings.CutPrefix(key, kind); ok {
					if _, known := find(verb(v)); !known {
						t.Errorf("%s: the text %s belongs to no command", language, key)
					}
				}
			}
		}
	}
}

// TestVerbsAreToldApart finds a verb that stands twice, or in no part of help.
func TestVerbsAreToldApart(t *testing.T) {
	t.Parallel()
	seen := map[verb]bool{}
	known := map[part]bool{}
	for _, p := range parts() {
		known[p] = true
	}
	for _, c := range verbs() {
		if seen[c.verb] {
			t.Errorf("%s stands twice in the table", c.verb)
		}
		if seen[c.verb] = true; !known[c.part] {
			t.Errorf("%s is in the part %q, which help does not have", c.verb, c.part)
		}
	}
}

// TestHelpFits holds the longest answer to what Slack shows: help that was cut
// would hide commands.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	for _, language := range templates.Languages() {
		texts, err := templates.Load(language)
		if err != nil {
			t.Fatal(err)
		}
		e := NewEdge(EdgeConfig{Text: texts, Command: "/" + strings.Repeat("x", 31)})
		help := e.helpOnAll(texts)
		if n := len([]rune(help)); n > maxReply {
			t.Errorf("%s: help has %d characters, want at most %d", language, n, maxReply)
		}
		for _, c := range verbs() {
			if c.do != nil && !strings.Contains(help, "`"+string(c.verb)+"`") {
				t.Errorf("%s: help does not tell of %s", language, c.verb)
			}
		}
	}
}
