package export

import (
	"fmt"
	"path"
	"strings"

	"github.com/houston-sre/houston/postmortem"
)

// Files gives the bytes of a file that Houston keeps, by their SHA-256 in hex;
// false when they are not there (any more). Nil keeps none. A page in one file
// holds images of at most [MaxImage] bytes each and [MaxImages] together, which
// is what mail servers let through; of the others it says where they are.
type Files func(digest string) (data []byte, ok bool)

// The bounds of images in a page, in bytes.
const (
	MaxImage  = 5 << 20
	MaxImages = 18 << 20
)

// attached is a stored file and where it lies beside the Markdown.
type attached struct {
	postmortem.File

	path string // "files/p99.png": relative, no two alike, safe on every file system
}

// attachedTo names the files of a document, in the order in which they stand in
// it. The same bytes are one file, whatever they are called.
func attachedTo(doc postmortem.Document) map[string]attached {
	files, taken := map[string]attached{}, map[string]bool{}
	for _, e := range doc.Evidence {
		if e.File == nil || e.File.Digest == "" {
			continue
		}
		if _, known := files[e.File.Digest]; known {
			continue
		}
		stem, extension := fileName(visible(oneLine(strings.ToValidUTF8(e.File.Name, "\uFFFD")))) // as the page shows it
		name := stem + extension
		for n := 2; taken[strings.ToLower(name)]; n++ { // some file systems take A for a
			name = fmt.Sprintf("%s-%d%s", stem, n, extension)
		}
		taken[strings.ToLower(name)] = true
		files[e.File.Digest] = attached{*e.File, "files/" + name}
	}
	return files
}

// fileName makes the name of a file from what people called it: its stem and
// its extension with the dot.
func fileName(name string) (stem, extension string) {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		default:
			return '-'
		}
	}, name)
	extension = path.Ext(safe)
	if len(extension) > 8 || extension == "." {
		extension = ""
	}
	stem = strings.Trim(strings.TrimSuffix(safe, extension), "-.")
	stem = strings.TrimRight(stem[:min(len(stem), 60)], "-.")
	if stem == "" {
		stem = "file"
	}
	return stem, extension
}

// fileSpans shows a file, or says that there is none to show.
func (l *laying) fileSpans(f postmortem.File) []span {
	if file, ok := l.files[f.Digest]; ok && f.Digest != "" {
		file.File = f // under the name that it has here
		return []span{{file: &file}}
	}
	spans := []span{{text: fmt.Sprintf("%s (%s, %d B)", oneLine(f.Name), oneLine(f.Type), f.Size), style: emphasis}}
	if failed := oneLine(f.Failed); failed != "" {
		spans = append(spans, span{text: " " + failed})
	}
	return spans
}

// isImage reports whether a browser draws what the chat says the file is. SVG is
// none: it may hold a script.
func (f attached) isImage() bool {
	switch f.Type {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	default:
		return false
	}
}

// markdown writes a file as a picture or a link, its kind, size and digest in
// the title.
func (f attached) markdown() string {
	mark := ""
	if f.isImage() {
		mark = "!"
	}
	title := strings.ReplaceAll(escape(fmt.Sprintf("%s, %d B, sha256 %s", oneLine(f.Type), f.Size, f.Digest)), `"`, `\"`)
	return mark + "[" + escape(oneLine(f.Name)) + "](" + f.path + ` "` + title + `")`
}

// fileAt reads what [attached.markdown] wrote.
func fileAt(text string) (f postmortem.File, ok bool) {
	label, size, ok := linkAt(strings.TrimPrefix(text, "!"))
	if !ok {
		return f, false
	}
	f.Name = unescape(label)
	// What is in the title may hold brackets; it ends the cell.
	target := strings.TrimPrefix(text, "!")[1+len(label):]
	_, title, ok := strings.Cut(target, ` "`)
	title, closed := strings.CutSuffix(title, `")`)
	if !ok || !closed || size == 0 || !strings.HasPrefix(target, "](files/") {
		return f, false
	}
	about, digest := cutLast(unescape(title), ", sha256 ")
	mediaType, bytes := cutLast(about, ", ")
	if _, err := fmt.Sscanf(bytes, "%d B", &f.Size); err != nil {
		return f, false
	}
	f.Type, f.Digest = mediaType, digest
	return f, true
}

// cutLast cuts a text around the last of a separator.
func cutLast(text, separator string) (before, after string) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, ""
	}
	return text[:i], text[i+len(separator):]
}

// cutEmphasis cuts behind the first asterisk that is not escaped.
func cutEmphasis(text string) (inner, rest string) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '*':
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}
