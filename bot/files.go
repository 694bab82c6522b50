package bot

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Files keeps the bytes of captured files below one folder, each under the
// SHA-256 of what is in it, so that the same file is kept once and a name never
// reaches the file system. Several replicas share the folder, or else each
// serves only what it has fetched itself.
type Files struct{ dir string }

// NewFiles keeps files below dir, which is made when the first one comes.
func NewFiles(dir string) *Files { return &Files{dir: dir} }

// ErrTooLarge says that a file is larger than it may be.
var ErrTooLarge = errors.New("the file is larger than it may be")

// Save stores what r gives, at most limit bytes, and gives its digest in hex. It
// fails with [ErrTooLarge] when there is more. Saving the same again does nothing.
func (f *Files) Save(r io.Reader, limit int64) (digest string, err error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder for files: %w", err)
	}
	part, err := os.CreateTemp(f.dir, "part-*")
	if err != nil {
		return "", fmt.Errorf("begin a file: %w", err)
	}
	defer func() { _ = os.Remove(part.Name()) }() // it has another name by then, if all went well
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(part, sum), io.LimitReader(r, limit+1))
	if err == nil {
		err = part.Sync()
	}
	if err := errors.Join(err, part.Close()); err != nil {
		return "", fmt.Errorf("write a file: %w", err)
	}
	if n > limit {
		return "", ErrTooLarge
	}
	digest = hex.EncodeToString(sum.Sum(nil))
	if err := os.Rename(part.Name(), filepath.Join(f.dir, digest)); err != nil {
		return "", fmt.Errorf("name a file: %w", err)
	}
	return digest, nil
}

// Open opens a stored file for reading. It fails with os.ErrNotExist when this
// folder does not hold it.
func (f *Files) Open(digest string) (*os.File, error) {
	path, err := f.path(digest)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path) //nolint:gosec // named by a digest
	if err != nil {
		return nil, fmt.Errorf("open a stored file: %w", err)
	}
	return file, nil
}

// path is where a digest's file lies.
func (f *Files) path(digest string) (string, error) {
	if raw, err := hex.DecodeString(digest); err != nil || len(raw) != sha256.Size {
		return "", fmt.Errorf("%q is no digest: %w", digest, os.ErrNotExist)
	}
	return filepath.Join(f.dir, digest), nil
}
