package export

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

// shelf hands the images of one page out, within what the page may hold.
type shelf struct {
	*labels

	files Files
	left  int               // bytes of images that still fit
	shown map[string]string // where an image stands in the page, by its digest
}

func newShelf(files Files, l *labels) *shelf {
	return &shelf{labels: l, files: files, left: MaxImages, shown: map[string]string{}}
}

// write shows an image, once however often it stands in the document; of another
// file, and of an image that can not be shown, it says why.
func (s *shelf) write(b *strings.Builder, f attached) {
	name := htmlEscape(oneLine(f.Name))
	if id, ok := s.shown[f.Digest]; ok {
		b.WriteString(`<a href="#` + id + `">` + name + `</a>`)
		return
	}
	about := fmt.Sprintf("%s (%s, %d B)", name, htmlEscape(oneLine(f.Type)), f.Size)
	image, mediaType, why := s.image(f)
	if why != "" {
		b.WriteString("<em>" + about + "</em> " + htmlEscape(why))
		return
	}
	id := fmt.Sprintf("file-%d", len(s.shown)+1)
	s.shown[f.Digest] = id
	s.left -= len(image)
	b.Grow(len(image)*4/3 + 256)
	b.WriteString(`<figure id="` + id + `"><img alt="` + name + `" src="data:` + mediaType + `;base64,`)
	// A Builder never fails.
	encoder := base64.NewEncoder(base64.StdEncoding, b)
	_, _ = encoder.Write(image)
	_ = encoder.Close()
	b.WriteString(`"><figcaption>` + about + `</figcaption></figure>`)
}

// image gives an image's bytes and what they are, or why it is not shown. What
// the bytes are decides, not what they were called: they go into a page.
func (s *shelf) image(f attached) (data []byte, mediaType, why string) {
	if !f.isImage() {
		return nil, "", s.fileElsewhere
	}
	var ok bool
	if s.files != nil {
		data, ok = s.files(f.Digest)
	}
	if !ok {
		return nil, "", s.fileGone
	}
	mediaType = http.DetectContentType(data)
	switch f.Type = mediaType; {
	case !f.isImage():
		return nil, "", s.fileElsewhere
	case len(data) > MaxImage:
		return nil, "", fmt.Sprintf(s.fileTooLarge, MaxImage>>20)
	case len(data) > s.left:
		return nil, "", fmt.Sprintf(s.filesTooLarge, MaxImages>>20)
	}
	return data, mediaType, ""
}
