package bot

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	files := NewFiles(dir)
	digest, err := files.Save(strings.NewReader("abc"), 3)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := files.Save(strings.NewReader("abc"), 3); err != nil || again != digest {
		t.Errorf("saved again: got %s, %v, want the same", again, err)
	}
	file, err := files.Open(digest)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	if raw, err := io.ReadAll(file); err != nil || !bytes.Equal(raw, []byte("abc")) {
		t.Errorf("got %q, %v", raw, err)
	}
	if _, err := files.Save(strings.NewReader("abcd"), 3); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: got %v", err)
	}
	for _, digest := range []string{"", "../x", strings.Repeat("a", 64), "zz"} {
		if _, err := files.Open(digest); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("open %q: got %v, want that it is not there", digest, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("the folder holds %v, want one file", left)
	}
}
