package proctest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// SharedEnv names the environment variable with the folder of data that tests
// read and the repository does not hold: recorded payloads, published schemas,
// samples. Without it that is the folder shared beside the repository.
const SharedEnv = "HOUSTON_SHARED"

// SharedPath is where a file or folder of that data is, if it is there.
func SharedPath(path ...string) string {
	root := os.Getenv(SharedEnv)
	if root == "" {
		root = filepath.Join(repository(), "..", "shared")
	}
	return filepath.Join(append([]string{root}, path...)...)
}

// Shared reads a file of that data. Where there is none the test is skipped.
func Shared(tb testing.TB, path ...string) []byte {
	tb.Helper()
	name := SharedPath(path...)
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		tb.Skipf("no %s beside the repository", filepath.Join(path...))
	}
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// repository is the folder of go.mod, above the one that go test runs a
// package's tests in.
func repository() string {
	folder := "."
	for range 6 {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			break
		}
		folder = filepath.Join(folder, "..")
	}
	return folder
}
