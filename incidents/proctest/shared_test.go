package proctest

import (
	"os"
	"path/filepath"
	"testing"
)

func TestShared(t *testing.T) {
	folder := t.TempDir()
	t.Setenv(SharedEnv, folder)
	if err := os.WriteFile(filepath.Join(folder, "there.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := string(Shared(t, "there.json")); got != "{}" {
		t.Errorf("read %q", got)
	}
	t.Setenv(SharedEnv, "")
	beside := filepath.Join("..", "..", "..", "shared", "facts")
	if got := SharedPath("facts"); got != beside {
		t.Errorf("without %s the data is looked for in %s, want %s", SharedEnv, got, beside)
	}
}
