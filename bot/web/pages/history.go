package pages

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/houston-sre/houston/postmortem"
)

// historyPage lists the revisions of a postmortem, and one of them beside the
// one before.
type historyPage struct {
	Frame

	Row       row
	Revisions []revision
	Rev       int64 // that is shown; 0: none
	Diffs     []fieldDiff
}

type revision struct {
	Rev    int64
	At     *moment
	By     string
	Fields []string
	Shown  bool
}

// fieldDiff is one field as it was changed.
type fieldDiff struct {
	Title string
	Parts []diffPart
}

// diffPart is text that stayed, came or went.
type diffPart struct {
	Came, Went bool
	Text       string
}

// history answers GET /i/42/postmortem/history[?rev=3].
func (p *Pages) history(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	list, err := p.config.Postmortems.History(r.Context(), inc.Number, req)
	if err != nil {
		return err
	}
	page := historyPage{Frame: p.frame(v, "postmortems", inc.Key()+" "+v.text.Text("web_history")), Row: v.row(inc, p.config.Clock.Now())}
	if text := r.URL.Query().Get("rev"); text != "" {
		if page.Rev, err = strconv.ParseInt(text, 10, 64); err != nil || page.Rev < 1 || page.Rev > inc.Postmortem.Rev {
			return errNoPage
		}
	} else if len(list) > 0 {
		page.Rev = list[0].Rev
	}
	for _, rev := range list {
		fields := make([]string, 0, len(rev.Fields))
		for _, f := range rev.Fields {
			fields = append(fields, v.fieldTitle(f))
		}
		page.Revisions = append(page.Revisions, revision{rev.Rev, v.moment(rev.At), rev.By.Name, fields, rev.Rev == page.Rev})
	}
	if page.Rev > 0 {
		before, err := p.config.Postmortems.SheetAt(r.Context(), inc.Number, page.Rev-1, req)
		if err != nil {
			return err
		}
		after, err := p.config.Postmortems.SheetAt(r.Context(), inc.Number, page.Rev, req)
		if err != nil {
			return err
		}
		for _, field := range postmortem.Changed(before.Written, after.Written) {
			page.Diffs = append(page.Diffs, fieldDiff{v.fieldTitle(field), diff(fieldText(before, field), fieldText(after, field))})
		}
	}
	return p.render(w, v, http.StatusOK, "history", page)
}

// fieldText is what a field says, as one text: a person's words, else the draft's.
func fieldText(sheet postmortem.Sheet, field string) string {
	id := postmortem.SectionID(field)
	if slices.Contains(postmortem.SectionIDs(), id) {
		return sheet.Document.Section(id).Text
	}
	for _, spec := range tableSpecs() {
		if spec.field == field {
			return flat(spec.cells(sheet.Document))
		}
	}
	raw, ok := sheet.Written[field]
	if !ok {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// diff tells two texts apart, in whole words: half a word says little.
func diff(before, after string) []diffPart {
	w := words{known: map[string]rune{}}
	a, b := w.encode(before), w.encode(after)
	d := diffmatchpatch.New()
	parts := []diffPart{}
	for _, piece := range d.DiffCleanupSemantic(d.DiffMainRunes(a, b, false)) {
		parts = append(parts, diffPart{piece.Type == diffmatchpatch.DiffInsert, piece.Type == diffmatchpatch.DiffDelete, w.decode(piece.Text)})
	}
	return parts
}

// words gives each word, and each space between words, a character of its own.
type words struct {
	known map[string]rune
	list  []string
}

// firstWord is the character of the first word. It lies behind the surrogates,
// which no text can hold; a million words fit.
const firstWord = '\uE000'

var wordOrSpace = regexp.MustCompile(`\s+|[^\s]+`)

func (w *words) encode(text string) []rune {
	var encoded []rune
	for _, word := range wordOrSpace.FindAllString(text, -1) {
		r, ok := w.known[word]
		if !ok {
			r = firstWord + rune(len(w.list))
			w.known[word], w.list = r, append(w.list, word)
		}
		encoded = append(encoded, r)
	}
	return encoded
}

func (w *words) decode(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteString(w.list[r-firstWord])
	}
	return b.String()
}
