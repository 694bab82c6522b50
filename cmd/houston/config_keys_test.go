package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

// readSample decodes the full sample as loadConfig does, without refusing
// what is not built yet.
func readSample(t *testing.T) Config {
	t.Helper()
	raw, err := readConfigFile("testdata/config/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := unknownKeys(raw); err != nil {
		t.Fatal(err)
	}
	v := viper.New()
	if err := v.MergeConfigMap(raw); err != nil {
		t.Fatal(err)
	}
	var c Config
	if err := v.Unmarshal(&c, viper.DecodeHook(decodeHook())); err != nil {
		t.Fatal(err)
	}
	return c
}

// Every key of the struct stands in the sample and is read from it: a wrong
// tag leaves its field empty.
func TestFullSample(t *testing.T) {
	t.Parallel()
	checkFilled(t, reflect.ValueOf(readSample(t)), "")
}

func checkFilled(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	switch {
	case v.Kind() == reflect.Struct:
		for field, value := range v.Fields() {
			if field.Tag.Get("mapstructure") == "-" {
				continue // no key
			}
			checkFilled(t, value, path+"."+field.Tag.Get("mapstructure"))
		}
	case v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0:
		t.Errorf("%s is empty", path[1:])
	case v.Kind() == reflect.Slice:
		checkFilled(t, v.Index(0), path)
	}
}

// What is not built yet is refused key by key, and nothing else is.
func TestFullSampleIsRefusedInWords(t *testing.T) {
	t.Parallel()
	err := readSample(t).Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for line := range strings.Lines(err.Error()) {
		if !strings.Contains(line, "not built yet") {
			t.Errorf("complaint about the sample: %s", line)
		}
	}
}

// Each key can be set by its environment variable alone.
func TestEveryKeyFromTheEnvironment(t *testing.T) {
	t.Parallel()
	raw, err := readConfigFile("testdata/config/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(readSample(t).Validate().Error(), "\n")
	env := map[string]string{}
	for _, key := range configKeys() {
		if key.inList {
			continue
		}
		env[key.env()] = envText(t, raw, key.path)
	}
	_, err = loadConfig(writeConfig(t, ""), environment(env))
	if err == nil {
		t.Fatal("accepted")
	}
	for _, line := range want {
		if !hasLine(err.Error(), line) {
			t.Errorf("from the environment, the complaint is missing: %s", line)
		}
	}
	if got := strings.Split(err.Error(), "\n"); len(got) != len(want) {
		t.Errorf("from the environment, %d complaints; from the file %d:\n%v", len(got), len(want), err)
	}
}

// envText is the value at path as one would write it into a variable.
func envText(t *testing.T, raw map[string]any, path string) string {
	t.Helper()
	var value any = raw
	for part := range strings.SplitSeq(path, ".") {
		value = value.(map[string]any)[part]
	}
	if _, list := value.([]any); !list {
		if _, section := value.(map[string]any); !section {
			return fmt.Sprint(value)
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// However a Config is printed, no secret shows.
func TestSecretsStayHidden(t *testing.T) {
	t.Parallel()
	c := readSample(t)
	var text, structured bytes.Buffer
	slog.New(slog.NewTextHandler(&text, nil)).Info("configuration", "config", c, "token", c.Web.Token, "smtp", c.SMTP)
	slog.New(slog.NewJSONHandler(&structured, nil)).Info("configuration", "config", c, "token", c.Web.Token, "smtp", c.SMTP)
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	asYAML, err := yaml.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	printed := map[string]string{"slog text": text.String(), "slog JSON": structured.String(), "JSON": string(asJSON), "YAML": string(asYAML)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		printed[verb] = fmt.Sprintf(verb, c)
		printed[verb+" of a pointer"] = fmt.Sprintf(verb, &c)
	}
	printed["error"] = c.Validate().Error()
	for how, got := range printed {
		if leaks(got) {
			t.Errorf("%s shows a secret:\n%s", how, got)
		}
		if how != "error" && !strings.Contains(got, hidden) {
			t.Errorf("%s does not show that there are secrets:\n%s", how, got)
		}
	}
	if got := fmt.Sprint(Secret("")); got != "" {
		t.Errorf("an empty secret prints as %q, want nothing", got)
	}
}

// leaks looks for a value of the sample that is secret; each of them has
// "-secret" in it, and no key has.
func leaks(text string) bool {
	return strings.Contains(text, "-secret") || strings.Contains(text, fmt.Sprintf("%x", "-secret"))
}

func TestNearestKey(t *testing.T) {
	t.Parallel()
	tests := []struct{ unknown, want string }{
		{"bot_token", "slack.bot_token"},
		{"slack.bottoken", "slack.bot_token"},
		{"Slack.Signing_Secert", "slack.signing_secret"},
		{"alertmanagers[3].ulr", "alertmanagers.url"},
		{"timezone", "time_zone"},
	}
	for _, tt := range tests {
		if got := nearestKey(tt.unknown); got != tt.want {
			t.Errorf("nearestKey(%q) = %q, want %q", tt.unknown, got, tt.want)
		}
	}
}

func TestKeysHaveTheirOwnVariables(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, key := range configKeys() {
		if key.inList {
			continue
		}
		if other, taken := seen[key.env()]; taken {
			t.Errorf("%s and %s are both %s", other, key.path, key.env())
		}
		seen[key.env()] = key.path
	}
	if got := seen["HOUSTON_SLACK_BOT_TOKEN"]; got != "slack.bot_token" {
		t.Errorf("HOUSTON_SLACK_BOT_TOKEN is %q", got)
	}
	for _, name := range []string{"HOUSTON_TEST_REQUIRE", "HOUSTON_TEST_HEAVY", "HOUSTON_SHARED"} {
		if _, taken := seen[name]; taken {
			t.Errorf("%s is the tests' own and a key's", name)
		}
	}
}
