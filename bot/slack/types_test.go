package slack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents/proctest"
)

// typeFolder holds Slack's own types for TypeScript, pinned by a lock file.
const typeFolder = "../../.ci/types"

// TestSlackTypes has the TypeScript compiler hold everything that Houston sends to
// the types that Slack publishes (@slack/types): a field it invents, or leaves out,
// fails. What is sent is what TestHeavyHostileWords sends, with friendly words.
func TestSlackTypes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	npm, err := proctest.Find([]string{"npm"})
	if err != nil {
		proctest.Missing(t, "node", err)
	}
	node, err := proctest.Find([]string{"node"})
	if err != nil {
		proctest.Missing(t, "node", err)
	}
	friend := &enemy{world: newWorld(t, setup{}), words: "Offers answer 500"}
	friend.attack(t)
	friend.effects(t)
	friend.fire(t, "declare", "critical", false)
	friend.effects(t)
	sent := shapes(t, friend)
	if blocks, views := strings.Count(sent, ": KnownBlock[] ="), strings.Count(sent, "View ="); blocks < 10 || views < 1 {
		t.Fatalf("only %d messages and %d views were sent; does this test still know how?", blocks, views)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", "tsconfig.json", "wrong.ts"} {
		raw, err := os.ReadFile(filepath.Join(typeFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "sent.ts"), []byte(sent), 0o600); err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		proctest.Missing(t, "node", errors.New("npm ci: "+err.Error()+"\n"+string(out)))
	}
	compile := exec.CommandContext(ctx, node, "node_modules/typescript/bin/tsc", "--project", "tsconfig.json")
	compile.Dir = dir
	if out, err := compile.CombinedOutput(); err != nil {
		lines := strings.Split(sent, "\n")
		t.Errorf("tsc: %v\n%s", err, out)
		for m := range strings.SplitSeq(string(out), "\n") {
			var line, column int
			if n, _ := fmt.Sscanf(m, "sent.ts(%d,%d)", &line, &column); n == 2 && line <= len(lines) {
				t.Logf("line %d: %.1500s", line, lines[line-1])
			}
		}
	}
}

// shapes writes everything that was sent as TypeScript, one constant a line.
func shapes(t *testing.T, e *enemy) string {
	t.Helper()
	seen := map[string]bool{}
	add := func(kind string, raw string) {
		var shape any
		if json.Unmarshal([]byte(raw), &shape) != nil || shape == nil {
			return
		}
		compact, err := json.Marshal(shape)
		if err != nil {
			t.Fatal(err)
		}
		seen[kind+" = "+string(compact)+";"] = true
	}
	for _, c := range e.Calls("") {
		if c.Error != "" {
			continue
		}
		add("KnownBlock[]", c.Args["blocks"])
		switch view := c.Args["view"]; {
		case strings.Contains(view, `"type":"home"`):
			add("HomeView", view)
		case view != "":
			add("ModalView", view)
		}
	}
	for _, reply := range e.replies {
		var body struct {
			Blocks json.RawMessage `json:"blocks"`
		}
		if json.Unmarshal([]byte(reply), &body) == nil {
			add("KnownBlock[]", string(body.Blocks))
		}
	}
	var b strings.Builder
	b.WriteString("import type { HomeView, KnownBlock, ModalView } from \"@slack/types\";\n")
	for i, line := range slices.Sorted(maps.Keys(seen)) {
		fmt.Fprintf(&b, "export const sent%d: %s\n", i, line)
	}
	return b.String()
}
