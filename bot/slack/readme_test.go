package slack

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/houston-sre/houston/templates"
)

// Where the table of commands stands in the README.
const (
	readme     = "../../README.md"
	tableBegin = "<!-- commands: written by `go test ./bot/slack -run Readme -update` -->\n"
	tableEnd   = "<!-- /commands -->\n"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestReadmeListsTheCommands holds the README's table of commands to the one that
// commands are told apart by.
func TestReadmeListsTheCommands(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(raw), tableBegin)
	is, after, ended := strings.Cut(rest, tableEnd)
	if !begun || !ended {
		t.Fatalf("the README has no place for the table of commands: put %q and %q there", tableBegin, tableEnd)
	}
	want := commandTable(t)
	if is == want {
		return
	}
	if !*update {
		t.Fatalf("the README's table of commands is old: go test ./bot/slack -run Readme -update\n%s", want)
	}
	if err := os.WriteFile(readme, []byte(before+tableBegin+want+tableEnd+after), 0o600); err != nil {
		t.Fatal(err)
	}
}

// commandTable is the table of all commands that are built, in Markdown.
func commandTable(t *testing.T) string {
	t.Helper()
	texts, err := templates.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "|", `\|`).Replace
	var b strings.Builder
	b.WriteString("\n| command | does | alone |\n|---|---|---|\n")
	for _, p := range parts() {
		b.WriteString("| **" + strings.Trim(headOf(texts, p), "*") + "** | | |\n")
		for _, c := range verbs() {
			if c.part != p {
				continue
			}
			form := ""
			if f, ok := incidentForms()[verbForms()[c.verb]]; ok {
				title, _ := f.words(texts)
				form = "opens *" + title + "*"
			}
			b.WriteString("| `" + plain(string(usage(texts, c.verb))) + "` | " + plain(string(about(texts, c.verb))) + " | " + form + " |\n")
		}
	}
	b.WriteString("\n")
	return b.String()
}
