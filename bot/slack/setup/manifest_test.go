package setup

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/incidents/proctest"
)

// pattern is a pattern of the schema; those that Go can not read (with a
// look-ahead) stand in parts that no manifest of ours has, and match nothing.
type pattern struct{ *regexp.Regexp }

func (p pattern) MatchString(text string) bool { return p.Regexp != nil && p.Regexp.MatchString(text) }

func (p pattern) String() string {
	if p.Regexp == nil {
		return "(unreadable)"
	}
	return p.Regexp.String()
}

// slackSchema is Slack's own schema of app manifests.
func slackSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(proctest.Shared(t, "contracts", "slack-manifest.schema.json")))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseRegexpEngine(func(text string) (jsonschema.Regexp, error) {
		compiled, err := regexp.Compile(text)
		if err != nil && !strings.Contains(text, "(?!") {
			return nil, err
		}
		return pattern{compiled}, nil
	})
	if err := compiler.AddResource("manifest.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestManifestIsValidBySlacksSchema(t *testing.T) {
	t.Parallel()
	schema := slackSchema(t)
	validate := func(raw []byte) error {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(value)
	}
	for name, config := range map[string]ManifestConfig{
		"Socket Mode": {Name: "Houston", Command: "/incident"},
		"HTTP":        {Name: "Houston", Command: "/incident", URL: "https://houston.example.com/"},
		"loopback":    {Name: "Houston", Command: "/incident", URL: "http://127.0.0.1:8080"},
		"longest":     {Name: strings.Repeat("ö", 35), Command: "/" + strings.Repeat("ä", 31), URL: "https://" + strings.Repeat("a", 2000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := Manifest(config)
			if err != nil {
				t.Fatal(err)
			}
			if err := validate(raw); err != nil {
				t.Errorf("Slack's schema refuses the manifest: %v\n%s", err, raw)
			}
		})
	}
	// What the whole design has must be valid too once it is built.
	for _, s := range slack.Shortcuts() {
		if len(s.Name) > 24 || len(s.Description) > 150 {
			t.Errorf("the words of shortcut %s are too long for Slack", s.Callback)
		}
	}
	if validate([]byte(`{"display_information":{"name":"Houston"},"settings":{"socket_mode":true}}`)) == nil {
		t.Error("the schema takes anything: the test proves nothing")
	}
}

func TestManifestReachesHouston(t *testing.T) {
	t.Parallel()
	read := func(config ManifestConfig) appManifest {
		raw, err := Manifest(config)
		if err != nil {
			t.Fatal(err)
		}
		var m appManifest
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := read(ManifestConfig{Name: "Mission Control", Command: "/inc", URL: "https://houston.example.com/behind/"})
	got := []string{
		m.Display.Name, m.Features.Bot.Name, m.Features.Commands[0].Command,
		m.Features.Commands[0].URL, m.Settings.Interactivity.URL, m.Settings.Events.URL,
	}
	want := []string{
		"Mission Control", "Mission Control", "/inc", "https://houston.example.com/behind/slack/commands",
		"https://houston.example.com/behind/slack/interactivity", "https://houston.example.com/behind/slack/events",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("over HTTP (-want +got):\n%s", diff)
	}
	if m.Settings.Socket || m.Settings.OrgDeploy || m.Settings.Rotation || !m.Features.Commands[0].Escape || !m.Settings.Interactivity.Enabled {
		t.Errorf("over HTTP: %+v", m)
	}
	m = read(ManifestConfig{Name: "Houston", Command: "/incident"})
	if !m.Settings.Socket || !m.Settings.Interactivity.Enabled || m.Features.Commands[0].URL+m.Settings.Interactivity.URL+m.Settings.Events.URL != "" {
		t.Errorf("over Socket Mode: %+v", m)
	}
}

func TestManifestRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		config ManifestConfig
		want   string
	}{
		{"no name", ManifestConfig{Command: "/incident"}, "no name"},
		{"a long name", ManifestConfig{Name: strings.Repeat("a", 36), Command: "/incident"}, "1 to 35"},
		{"no slash", ManifestConfig{Name: "Houston", Command: "incident"}, "such as /incident"},
		{"only a slash", ManifestConfig{Name: "Houston", Command: "/"}, "such as /incident"},
		{"two words", ManifestConfig{Name: "Houston", Command: "/inci dent"}, "such as /incident"},
		{"capitals", ManifestConfig{Name: "Houston", Command: "/Incident"}, "lower case"},
		{"a long command", ManifestConfig{Name: "Houston", Command: "/" + strings.Repeat("a", 32)}, "32"},
		{"http", ManifestConfig{Name: "Houston", Command: "/incident", URL: "http://houston.example.com"}, "https://houston.example.com"},
		{"no scheme", ManifestConfig{Name: "Houston", Command: "/incident", URL: "houston.example.com"}, "no web address"},
		{"a query", ManifestConfig{Name: "Houston", Command: "/incident", URL: "https://houston.example.com/?a=b"}, "no web address"},
		{"another scheme", ManifestConfig{Name: "Houston", Command: "/incident", URL: "ftp://houston.example.com"}, "no web address"},
		{"no host", ManifestConfig{Name: "Houston", Command: "/incident", URL: "https://:443"}, "no web address"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			raw, err := Manifest(tt.config)
			if err == nil || raw != nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, %v; want an error that says %q", raw, err, tt.want)
			}
		})
	}
}
