package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents/proctest"
)

// axeCore installs axe-core, pinned by the lock file, and gives its script. It
// comes from the package registry and is no part of Houston.
func axeCore(t *testing.T) string {
	t.Helper()
	npm, err := proctest.Find([]string{"npm"})
	if err != nil {
		proctest.Missing(t, "node", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../.ci/axe")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		proctest.Missing(t, "node", errors.New("npm ci: "+err.Error()+"\n"+string(out)))
	}
	script, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js")) //nolint:gosec // the test's own folder
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}
