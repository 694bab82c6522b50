package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestArchitecture holds the import rule on the packages as they are.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	packages := listPackages(t)
	if !slices.ContainsFunc(packages, func(p pkg) bool {
		return p.name == "cmd/houston" && slices.Contains(p.imports, "github.com/spf13/viper")
	}) {
		t.Fatal("go list does not show that cmd/houston imports viper: these rules would see nothing")
	}
	for _, v := range violations(packages) {
		t.Error(v)
	}
}

// TestTopLevel holds the first look at the tree.
func TestTopLevel(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("../../.git"); err != nil {
		t.Skip("not a git checkout: nothing says which files are ours")
	}
	files := command(t, "git", "ls-files", "--cached", "--others", "--exclude-standard")
	folders := append(topLevel(), "deploy")
	plain := []string{"go.mod", "go.sum", "Dockerfile", "README.md", "LICENSE"}
	for file := range strings.Lines(string(files)) {
		first, _, inFolder := strings.Cut(strings.TrimSpace(file), "/")
		switch {
		case strings.HasPrefix(first, "."):
		case inFolder && slices.Contains(folders, first):
		case !inFolder && slices.Contains(plain, first):
		default:
			t.Errorf("%s does not belong at the top: the folders are %v, the files %v, and dotfiles; "+
				"a person who opens the tree must find the way in five minutes", first, folders, plain)
		}
	}
}

// listPackages asks the go command for the packages of this module.
func listPackages(t *testing.T) []pkg {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(command(t, "go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")))
	var packages []pkg
	for {
		var p struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, pkg{
			name:        folder(p.ImportPath),
			imports:     folders(p.Imports),
			testImports: folders(slices.Concat(p.TestImports, p.XTestImports)),
		})
	}
}

func folder(importPath string) string { return strings.TrimPrefix(importPath, module+"/") }

// folders names packages of this module by their folder.
func folders(importPaths []string) []string {
	var names []string
	for _, p := range importPaths {
		names = append(names, folder(p))
	}
	return names
}

// command runs a program at the top of the tree and gives what it prints.
func command(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = "../.."
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, stderr.String())
	}
	return out
}

// Each part of the rule is broken by a package made up for it, and lets the
// ways through that the design draws.
func TestRulesOnMadeUpPackages(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		p    pkg
		want string // the name of the rule that is broken; empty: none
	}{
		{"the domain on the standard library", pkg{"incidents", []string{"database/sql", "time"}, nil}, ""},
		{"the domain tested with go-cmp", pkg{"incidents", nil, []string{"github.com/google/go-cmp/cmp"}}, ""},
		{"the domain on a vendor", pkg{"incidents", []string{"github.com/google/uuid"}, nil}, "incidents imports the standard library alone"},
		{"the domain on its child", pkg{"incidents", []string{"incidents/sqlstore"}, nil}, "incidents imports the standard library alone"},
		{"the document on the domain", pkg{"postmortem", []string{"incidents"}, nil}, ""},
		{"the document on a vendor", pkg{"postmortem", []string{"github.com/yuin/goldmark"}, nil}, "postmortem imports the standard library and incidents alone"},
		{"the document on templates", pkg{"postmortem", []string{"templates"}, nil}, "postmortem imports the standard library and incidents alone"},
		{"a child on its parent", pkg{"incidents/queue", []string{"incidents"}, nil}, ""},
		{"a grandchild on its parents", pkg{"bot/web/feed", []string{"bot/web", "bot", "incidents"}, nil}, ""},
		{"a parent on its child", pkg{"bot", []string{"bot/slack"}, nil}, "a package imports only its parents and what the rule grants it"},
		{"siblings", pkg{"bot/web", []string{"bot/slack"}, nil}, "a package imports only its parents and what the rule grants it"},
		{"siblings in a test", pkg{"bot/web", nil, []string{"bot/slack"}}, "a package imports only its parents and what the rule grants it"},
		{"cousins", pkg{"bot/web", []string{"postmortem/export"}, nil}, "a package imports only its parents and what the rule grants it"},
		{"a name that begins alike", pkg{"bot/slackbot", []string{"bot/slack"}, nil}, "a package imports only its parents and what the rule grants it"},
		{"the store on the document and the migrations", pkg{"incidents/sqlstore", []string{"incidents", "postmortem", "migrations", "github.com/jackc/pgx/v5"}, nil}, ""},
		{"the queue on the store", pkg{"incidents/queue", []string{"incidents/sqlstore"}, nil}, "a package imports only its parents and what the rule grants it"},
		{"the queue on the document", pkg{"incidents/queue", []string{"postmortem"}, nil}, "a package imports only its parents and what the rule grants it"},
		{"the outside world on the truth", pkg{"bot/slack", []string{"bot", "incidents", "postmortem", "templates", "net/http"}, nil}, ""},
		{"the outside world on the store", pkg{"bot/slack", []string{"incidents/sqlstore"}, nil}, "a package imports only its parents and what the rule grants it"},
		{"an export on templates", pkg{"postmortem/export", []string{"postmortem", "incidents", "templates"}, nil}, ""},
		{"templates on the domain", pkg{"templates", []string{"incidents"}, nil}, "a package imports only its parents and what the rule grants it"},
		{"somebody on the command", pkg{"bot/web", []string{"cmd/houston"}, nil}, "a package imports only its parents and what the rule grants it"},
		{"the command on everything", pkg{"cmd/houston", []string{"bot/slack", "bot/sandbox", "incidents/queue", "github.com/spf13/viper", "github.com/jackc/pgx/v5", "github.com/riverqueue/river"}, nil}, ""},
		{"tests on kits", pkg{"bot/slack", nil, []string{"bot/sandbox", "incidents/sqlstore/pgtest", "bot/webhook/amtest"}}, ""},
		{"code on a kit", pkg{"bot/slack", []string{"bot/sandbox"}, nil}, "only test code imports a test kit"},
		{"the command on a throw-away server", pkg{"cmd/houston", []string{"incidents/sqlstore/pgtest"}, nil}, "only test code imports a test kit"},
		{"a kit on a kit", pkg{"bot/webhook/amtest", []string{"incidents/proctest"}, nil}, ""},
		{"a kit on the domain", pkg{"bot/sandbox", []string{"incidents"}, nil}, "a test kit imports nothing of Houston but other kits"},
		{"viper elsewhere", pkg{"bot/web", []string{"github.com/spf13/viper"}, nil}, "only cmd/houston imports viper"},
		{"viper in a test elsewhere", pkg{"bot/web", nil, []string{"github.com/spf13/viper"}}, "only cmd/houston imports viper"},
		{"a driver elsewhere", pkg{"bot/web", []string{"github.com/jackc/pgx/v5/pgxpool"}, nil}, "only incidents/sqlstore, the queue and cmd/houston know a database driver"},
		{"a driver in a test", pkg{"bot/web", nil, []string{"modernc.org/sqlite"}}, ""},
		{"River elsewhere", pkg{"bot/slack", []string{"github.com/riverqueue/river"}, nil}, "only incidents/queue and cmd/houston import River"},
	}
	broken := map[string]bool{}
	for _, tt := range tests {
		broken[tt.want] = true
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := violations([]pkg{tt.p})
			if tt.want == "" && len(got) > 0 {
				t.Errorf("refused:\n%s", strings.Join(got, "\n"))
			}
			if !strings.Contains(strings.Join(got, "\n"), tt.want) {
				t.Errorf("violations = %q, want the rule %q", got, tt.want)
			}
		})
	}
	for _, r := range rules() {
		if !broken[r.name] {
			t.Errorf("no case breaks the rule %q", r.name)
		}
	}
}
