package proctest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// RequireEnv names the environment variable with the comma-separated list of
// parts that a test run must not go without, such as "postgres,alertmanager".
const RequireEnv = "HOUSTON_TEST_REQUIRE"

// NotInstalledError says that a program was found nowhere.
type NotInstalledError struct {
	Names  []string // the names it goes by, in order of preference
	Places []string // where it was looked for besides PATH
}

func (e *NotInstalledError) Error() string {
	places := append([]string{"PATH"}, e.Places...)
	return fmt.Sprintf("%s is not installed (looked in %s)",
		strings.Join(e.Names, " or "), strings.Join(places, ", "))
}

// Find gives the path of the first of names that is in PATH or in one of
// folders, which may be glob patterns (of several matches the last one, which
// is the newest version, wins). The failure is a [NotInstalledError].
func Find(names []string, folders ...string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
		for _, folder := range folders {
			found, err := filepath.Glob(filepath.Join(folder, name))
			if err != nil {
				return "", fmt.Errorf("look for %s in %s: %w", name, folder, err)
			}
			if len(found) > 0 {
				return found[len(found)-1], nil
			}
		}
	}
	return "", &NotInstalledError{Names: names, Places: folders}
}

// Missing ends the test because part cannot be had: it fails it when
// HOUSTON_TEST_REQUIRE names part, and skips it with the reason otherwise.
func Missing(t testing.TB, part string, reason error) {
	t.Helper()
	if required(os.Getenv(RequireEnv), part) {
		t.Fatalf("%s is required by %s: %v", part, RequireEnv, reason)
	}
	t.Skipf("needs %s: %v", part, reason)
}

func required(list, part string) bool {
	parts := strings.Split(list, ",")
	return slices.ContainsFunc(parts, func(p string) bool { return strings.TrimSpace(p) == part })
}
