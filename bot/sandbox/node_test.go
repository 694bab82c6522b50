package sandbox_test

import (
	"context"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents/proctest"
)

// nodeClients is the folder with the tests in JavaScript.
const nodeClients = "../../.ci/node"

// TestNodeClients runs Slack's own clients, @slack/web-api and @slack/bolt,
// against the sandbox, so that it is not only what slack-go makes of Slack. They
// come from the package registry, pinned by the lock file.
func TestNodeClients(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	node, err := proctest.Find([]string{"node"})
	if err != nil {
		proctest.Missing(t, "node", err)
	}
	npm, err := proctest.Find([]string{"npm"})
	if err != nil {
		proctest.Missing(t, "node", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(nodeClients)); err != nil {
		t.Fatal(err)
	}
	install := command(ctx, dir, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	if out, err := install.CombinedOutput(); err != nil {
		proctest.Missing(t, "node", errors.New("npm ci: "+err.Error()+"\n"+string(out)))
	}

	control := httptest.NewServer(newNodeControl(t))
	defer control.Close()
	run := command(ctx, dir, node, "--test", "--test-reporter=spec", "test/")
	run.Env = append(run.Environ(), "SANDBOX_CONTROL="+control.URL)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("node --test: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	if !strings.Contains(string(out), "fail 0") || strings.Contains(string(out), "pass 0") {
		t.Errorf("no tests ran:\n%s", out)
	}
}

func command(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// TestNodeLockNamesNoHost keeps the lock file free of registry addresses: npm
// takes packages from where it is told to, and their hashes are in the file.
func TestNodeLockNamesNoHost(t *testing.T) {
	t.Parallel()
	raw, err := fs.ReadFile(os.DirFS(nodeClients), "package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), `"resolved"`) {
		t.Error(filepath.Join(nodeClients, "package-lock.json") + " has resolved addresses: npm config set omit-lockfile-registry-resolved true")
	}
	if n := strings.Count(string(raw), `"integrity"`); n < 50 {
		t.Errorf("%d packages are pinned by their hash", n)
	}
}
