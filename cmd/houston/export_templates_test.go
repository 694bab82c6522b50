package main

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnTemplates has the postmortem in forms of one's own, whichever way it is
// asked for; a form that is wrong is said before anything starts.
func TestOwnTemplates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("facts.md", "Ours: **{{.document.facts.key}}** {{.document.facts.title}}")
	write("facts.html", `<p class="ours">{{.document.facts.title}}</p>`)
	h := newHouse(t, plan{env: map[string]string{"HOUSTON_POSTMORTEM_TEMPLATES": dir}})
	channel := h.declared("Offers | answer <500>").ID
	const md, html = `Ours: **INC-1** Offers \| answer &lt;500&gt;`, `<p class="ours">Offers | answer &lt;500&gt;</p>`
	for path, want := range map[string]string{
		"/api/v1/incidents/INC-1/postmortem.md": md, "/api/v1/incidents/INC-1/postmortem.html": html,
	} {
		status, raw := h.call(http.MethodGet, path, "", map[string]string{"Authorization": "Bearer " + apiToken})
		if status != http.StatusOK || !strings.Contains(string(raw), want) {
			t.Errorf("%s: got %d %s", path, status, raw)
		}
	}
	if got := h.exported(); !strings.Contains(got, md) {
		t.Errorf("the command wrote\n%s", got)
	}
	h.say(anna, channel, "export html")
	h.until("the file in the channel is in our form", func() bool { return strings.Contains(h.anyFile(channel), html) })

	write("facts.md", "first line\n{{.document.facts.titel}}")
	want := "facts.md:2:11"
	if code, _, errs := houston(t, h.env, "export", "INC-1"); code == 0 || !strings.Contains(errs, want) {
		t.Errorf("export took a wrong template: %d %s", code, errs)
	}
	env := maps.Clone(h.env)
	env["HOUSTON_DATABASE"] = "sqlite:" + filepath.Join(t.TempDir(), "other.db")
	if code, _, errs := houston(t, env, "serve"); code == 0 || !strings.Contains(errs, want) || !strings.Contains(errs, "postmortem.templates") {
		t.Errorf("serve took a wrong template: %d %s", code, errs)
	}
	if code, out, _ := houston(t, env, "doctor"); code == 0 || !strings.Contains(out, want) {
		t.Errorf("doctor did not name the line:\n%s", out)
	}
	if err := os.Remove(filepath.Join(dir, "facts.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "facts.md")); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := houston(t, h.env, "export", "INC-1"); code == 0 || !strings.Contains(errs, "escapes") {
		t.Errorf("a link out of the folder was followed: %d %s", code, errs)
	}
	env["HOUSTON_POSTMORTEM_TEMPLATES"] = filepath.Join(dir, "nowhere")
	if code, _, errs := houston(t, env, "serve"); code == 0 || !strings.Contains(errs, "write a folder") {
		t.Errorf("serve took a folder that is not there: %d %s", code, errs)
	}
}
