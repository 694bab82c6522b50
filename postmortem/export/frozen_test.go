package export_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// TestFrozenEditionsKeepTheirBytes: a document that was frozen before a field was
// added reads, is written to the same bytes, and so keeps its hash; every form of
// it can be made, the public version and those of own templates too.
func TestFrozenEditionsKeepTheirBytes(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("testdata", "frozen", "edition.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc postmortem.Document
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	again, err := doc.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(raw), string(again)); diff != "" {
		t.Errorf("the document (-frozen +read and written):\n%s", diff)
	}
	for _, doc := range []postmortem.Document{doc, postmortem.PublicOf(doc)} {
		for _, format := range []string{"md", "html", "json"} {
			if _, _, err := (export.Exporter{}).Render(format, doc); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		}
	}
	own, err := export.LoadTemplates(folder(map[string]string{
		"facts.md":    "{{range .document.facts.severity_durations}}{{.severity}}{{end}}{{with .document.review}}{{.facilitator}}{{end}}{{range .document.links}}{{.url}}{{end}}",
		"timeline.md": "{{range .document.facts.timeline}}{{if .significant}}!{{end}}{{with .until}}{{utc .}}{{end}}{{end}}{{range .document.contributing_factors}}{{range .whys}}{{.text}}{{end}}{{end}}",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, md, err := (export.Exporter{Own: own}).Render("md", doc); err != nil || bytes.Contains(md, []byte("no value")) {
		t.Errorf("own templates: %v\n%s", err, md)
	}
}
