package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents/sqlstore"
)

// houston runs one command with an environment.
func houston(t *testing.T, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), cli{args: args, env: environment(env), stdout: &out, stderr: &errs})
	return code, out.String(), errs.String()
}

func TestExport(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		channel := h.declared("Offers answer 500 --severity sev2").ID
		h.say(anna, channel, "timeline Restarted offers-api at 00:01")
		if answer := h.say(anna, announced, "declare Customer data leaked --private"); !strings.Contains(answer, "INC-2") {
			t.Fatalf("declare was answered: %s", answer)
		}
		h.until("the private channel has its card", func() bool {
			c, ok := h.slack.Channel("inc-2")
			return ok && len(h.slack.Pins(c.ID)) == 1
		})

		code, document, errs := houston(t, h.env, "export", "INC-1")
		if code != 0 {
			t.Fatalf("export ended with %d: %s", code, errs)
		}
		for _, want := range []string{"INC-1: Offers answer 500", "What went well", "Restarted offers-api", "Europe/Zurich", "| anna |"} {
			if !strings.Contains(document, want) {
				t.Errorf("the Markdown does not say %q:\n%s", want, document)
			}
		}

		file := filepath.Join(t.TempDir(), "inc.json")
		if code, out, errs := houston(t, h.env, "export", "inc-1", "--format", "json", "-o", file); code != 0 || out != "" {
			t.Fatalf("export to a file ended with %d: %s %s", code, out, errs)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var written struct {
			Facts struct{ Key, Title, Severity string }
		}
		if err := json.Unmarshal(raw, &written); err != nil || written.Facts.Key != "INC-1" || written.Facts.Severity != "sev2" {
			t.Errorf("the JSON is %+v, %v", written, err)
		}

		code, secret, errs := houston(t, h.env, "export", "2")
		if code != 0 || !strings.Contains(secret, "Customer data leaked") || !strings.Contains(secret, "**Private.**") {
			t.Errorf("a private incident's export ended with %d: %s %s", code, errs, secret)
		}
		if code, _, errs := houston(t, h.env, "export", "INC-3"); code != 1 || !strings.Contains(errs, "INC-3") {
			t.Errorf("an unknown incident's export ended with %d: %s", code, errs)
		}
	})
}

func TestExportRefuses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	missing, empty := filepath.Join(folder, "missing.db"), filepath.Join(folder, "empty.db")
	store, err := sqlstore.Open(t.Context(), sqlstore.Config{URL: "sqlite:" + empty})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, database string
		args           []string
		want           string
	}{
		{"no incident", missing, []string{"export"}, "houston export INC-1"},
		{"two incidents", missing, []string{"export", "INC-1", "INC-2"}, "name one incident"},
		{"no key", missing, []string{"export", "offers"}, "Write it like INC-12"},
		{"a format that is to come", missing, []string{"export", "INC-1", "--format", "pdf"}, "pdf is not built yet; use md or html or json"},
		{"another format", missing, []string{"export", "INC-1", "--format", "docx"}, "docx is unknown; use md or html or json"},
		{"no database", missing, []string{"export", "INC-1"}, "there is no database yet"},
		{"an empty database", empty, []string{"export", "INC-1"}, "there is no database yet"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := houston(t, map[string]string{"HOUSTON_DATABASE": "sqlite:" + tt.database}, tt.args...)
			if code != 1 || out != "" || !strings.Contains(errs, tt.want) {
				t.Errorf("ended with %d, %q and %q; want %q", code, out, errs, tt.want)
			}
		})
	}
	t.Cleanup(func() {
		if _, err := os.Stat(missing); err == nil {
			t.Error("export made a database")
		}
	})
}
