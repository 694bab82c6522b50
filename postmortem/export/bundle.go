package export

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/houston-sre/houston/postmortem"
)

// maxBundle bounds the files in a bundle, in bytes; it is built in memory.
const maxBundle = 64 << 20

// bundle writes a postmortem as a zip file: the Markdown, the files that it
// shows, the page and the JSON. Nothing in it depends on when it is made or on
// how a compressor works, so the same document gives the same bytes.
func (x Exporter) bundle(doc postmortem.Document) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			return fmt.Errorf("put %s into the bundle of %s: %w", name, doc.Facts.Key, err)
		}
		return nil
	}
	for _, format := range []string{"md", "html", "json"} {
		name, data, err := x.Render(format, doc)
		if err != nil {
			return nil, err
		}
		if err := add(name, data); err != nil {
			return nil, err
		}
	}
	missing := []string{}
	left := maxBundle
	for _, f := range inOrder(attachedTo(doc)) {
		var data []byte
		ok := false
		if x.Files != nil {
			data, ok = x.Files(f.Digest)
		}
		if !ok || len(data) > left {
			missing = append(missing, fmt.Sprintf("%s (%d B, sha256 %s)\n", f.path, f.Size, f.Digest))
			continue
		}
		left -= len(data)
		if err := add(f.path, data); err != nil {
			return nil, err
		}
	}
	if len(missing) > 0 {
		text := labelsOf(doc.Language).notInBundle + "\n\n" + strings.Join(missing, "")
		if err := add("files/MISSING.txt", []byte(text)); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("finish the bundle of %s: %w", doc.Facts.Key, err)
	}
	return b.Bytes(), nil
}

func inOrder(files map[string]attached) []attached {
	var list []attached
	for _, f := range files {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b attached) int { return cmp.Compare(a.path, b.path) })
	return list
}
