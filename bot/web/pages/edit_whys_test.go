package pages_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestEditorWhys writes the tree below a factor as lines; a form that nobody
// changed stores nothing, though browsers end lines otherwise.
func TestEditorWhys(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	b := k.as(ben)
	form := b.get(editor).form("editor")
	form.Set("factors.0.text", "A shared pool\r\nof 20 connections")
	form.Set("factors.0.whys", "It was simpler\r\n   "+hostile+"\r\n   Two pools cost twice\r\nLoad had grown")
	saved := b.send(http.MethodPost, editor, form)
	saved.wellFormed()
	saved.shows("Saved.", "Revision 1")
	want := "- It was simpler\n  - " + hostile + "\n  - Two pools cost twice\n- Load had grown"
	again := saved.form("editor")
	if got := strings.TrimPrefix(again.Get("factors.0.whys"), "\n"); got != want {
		t.Errorf("the tree is %q, want %q", got, want)
	}
	for name, values := range again { // as a browser sends it
		for i := range values {
			again[name][i] = strings.ReplaceAll(strings.TrimPrefix(values[i], "\n"), "\n", "\r\n")
		}
	}
	b.send(http.MethodPost, editor, again).shows("Revision 1")
	if rev := k.rev(); rev != 1 {
		t.Errorf("saving what nobody changed made revision %d", rev)
	}
	again.Set("factors.0.whys", strings.Repeat("why\r\n", 101))
	refused := b.send(http.MethodPost, editor, again)
	refused.wellFormed()
	refused.shows("at most 100 fit")
	if got := refused.form("editor").Get("factors.0.whys"); strings.Count(got, "why") != 101 {
		t.Errorf("what was typed came back as %q", got)
	}
	k.as(anna).get(editor).shows("Warum? Einrücken geht tiefer")
	b.get("/i/1/postmortem/history").shows("Two pools cost twice")
}
