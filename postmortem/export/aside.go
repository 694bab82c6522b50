package export

import (
	"html/template"
	"io"
	"strconv"
	"strings"
)

// aside keeps long pieces of a page out of the templates, which would copy each
// several times: the template is given a mark, and the piece is put in its place
// when the page is written. A mark stands between two NULs, which no text in a
// page has: [visible] writes them as words, and html/template replaces them.
type aside struct{ pieces []string }

func (a *aside) put(piece string) template.HTML {
	a.pieces = append(a.pieces, piece)
	return template.HTML("\x00" + strconv.Itoa(len(a.pieces)-1) + "\x00") //nolint:gosec // a mark
}

// write writes what a template made, with the pieces in it.
func (a *aside) write(w io.Writer, text string) error {
	for {
		before, rest, found := strings.Cut(text, "\x00")
		if _, err := io.WriteString(w, before); err != nil || !found {
			return err
		}
		number, after, _ := strings.Cut(rest, "\x00")
		if n, err := strconv.Atoi(number); err == nil && 0 <= n && n < len(a.pieces) {
			if err := a.write(w, a.pieces[n]); err != nil {
				return err
			}
		}
		text = after
	}
}

// whole is what a template made, with the pieces in it.
func (a *aside) whole(text template.HTML) template.HTML {
	var b strings.Builder
	_ = a.write(&b, string(text))    // a Builder never fails
	return template.HTML(b.String()) //nolint:gosec // as safe as its pieces
}
