package export_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents/proctest"
	"github.com/houston-sre/houston/postmortem/export"
)

// TestPrinted has a real browser print a long postmortem: each page has its number
// and how many there are, and a table that goes on has its head again.
func TestPrinted(t *testing.T) {
	t.Parallel()
	browser, err := proctest.Find([]string{"chromium", "chromium-browser", "google-chrome"})
	if err != nil {
		proctest.Missing(t, "chromium", err)
	}
	doc := brokers(t)
	entry := doc.Facts.Timeline[2]
	for range 150 {
		doc.Facts.Timeline = append(doc.Facts.Timeline, entry)
	}
	_, raw, err := (export.Exporter{}).Render("html", doc)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	page, pdf := filepath.Join(dir, "a.html"), filepath.Join(dir, "a.pdf")
	if err := os.WriteFile(page, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	//nolint:gosec // the browser that is installed, and the test's own files
	cmd := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--print-to-pdf="+pdf, "file://"+page)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("print: %v\n%s", err, out)
	}
	data, err := os.ReadFile(pdf) //nolint:gosec // the test's own file
	if err != nil {
		t.Fatal(err)
	}
	pages := pagesOf(t, data)
	if len(pages) < 5 {
		t.Fatalf("got %d pages", len(pages))
	}
	heads := 0
	for i, text := range pages {
		if number := fmt.Sprintf("%d / %d", i+1, len(pages)); !strings.Contains(text, number) {
			t.Errorf("page %d has no number %q:\n%s", i+1, number, text)
		}
		rows := strings.Count(text, "p99 of offer-service")
		head := strings.Contains(text, "UTC") && strings.Contains(text, "Europe/Berlin") && strings.Contains(text, "Kind") && strings.Contains(text, "Who")
		if rows > 1 && head {
			heads++
		}
		if rows > 1 && !head {
			t.Errorf("page %d has %d rows of the timeline and no head:\n%s", i+1, rows, text)
		}
	}
	if heads < 3 {
		t.Errorf("only %d pages have the timeline's head", heads)
	}
}

// A reader of just the PDF that Chromium writes (ISO 32000): its pages in order,
// what they show, and the fonts' tables of characters.
var (
	pdfObject = regexp.MustCompile(`(?s)(\d+) 0 obj\s(.*?)\sendobj`)
	pdfStream = regexp.MustCompile(`(?s)stream\r?\n(.*)\r?\nendstream`)
	pdfRef    = regexp.MustCompile(`(\d+) 0 R`)
	pdfFont   = regexp.MustCompile(`/(F\d+) (\d+) 0 R`)
	pdfTable  = regexp.MustCompile(`/ToUnicode (\d+) 0 R`)
	pdfShown  = regexp.MustCompile(`/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>|(Td|Tm|T\*|ET)\b`)
	pdfPair   = regexp.MustCompile(`<([0-9A-Fa-f]{4})> <([0-9A-Fa-f]{4,})>(?: <([0-9A-Fa-f]{4})>)?`)
	pdfPage   = regexp.MustCompile(`/Type\s*/Page\b`)
	pdfKids   = regexp.MustCompile(`(?s)/Contents (\d+) 0 R`)
)

func pagesOf(t *testing.T, data []byte) []string {
	t.Helper()
	objects := map[string]string{}
	var order []string
	for _, m := range pdfObject.FindAllSubmatch(data, -1) {
		objects[string(m[1])] = string(m[2])
		if pdfPage.Match(m[2]) && !bytes.Contains(m[2], []byte("/Kids")) {
			order = append(order, string(m[1]))
		}
	}
	unpack := func(id string) string {
		m := pdfStream.FindStringSubmatch(objects[id])
		if m == nil {
			return ""
		}
		r, err := zlib.NewReader(strings.NewReader(m[1]))
		if err != nil {
			return m[1]
		}
		plain, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(plain)
	}
	tables := map[string]map[string]string{}
	var pages []string
	for _, id := range order {
		object := objects[id]
		fonts := map[string]map[string]string{}
		for _, ref := range append(pdfRef.FindAllStringSubmatch(object, -1), []string{"", id}) { // resources may stand apart
			for _, f := range pdfFont.FindAllStringSubmatch(objects[ref[1]], -1) {
				font := objects[f[2]]
				table := pdfTable.FindStringSubmatch(font)
				if table == nil {
					continue
				}
				if tables[table[1]] == nil {
					tables[table[1]] = charactersOf(unpack(table[1]))
				}
				fonts[f[1]] = tables[table[1]]
			}
		}
		content := pdfKids.FindStringSubmatch(object)
		if content == nil {
			t.Fatalf("page object %s shows nothing: %s", id, object)
		}
		var b strings.Builder
		var font map[string]string
		for _, m := range pdfShown.FindAllStringSubmatch(unpack(content[1]), -1) {
			switch {
			case m[1] != "":
				font = fonts[m[1]]
			case m[2] != "":
				for i := 0; i+4 <= len(m[2]); i += 4 {
					b.WriteString(font[strings.ToUpper(m[2][i:i+4])])
				}
			case m[3] == "ET":
				b.WriteByte('\n')
			}
		}
		pages = append(pages, strings.NewReplacer("\n", "", "ﬀ", "ff").Replace(b.String()))
	}
	return pages
}

// charactersOf reads a font's table: glyphs, or ranges of them, and what they mean.
func charactersOf(table string) map[string]string {
	found := map[string]string{}
	point := func(hex string) rune { n, _ := strconv.ParseUint(hex[:4], 16, 32); return rune(n) }
	for _, m := range pdfPair.FindAllStringSubmatch(table, -1) {
		from, to, meaning := point(m[1]), point(m[1]), point(m[2])
		if m[3] != "" {
			to, meaning = point(m[2]), point(m[3])
		}
		for glyph := from; glyph <= to; glyph++ {
			found[fmt.Sprintf("%04X", glyph)] = string(meaning + glyph - from)
		}
	}
	return found
}
