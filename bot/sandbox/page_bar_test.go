package sandbox_test

import (
	"fmt"
	"html/template"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/houston-sre/houston/bot/sandbox"
)

// The host program's strip: its buttons and sliders reach the host, and the page
// shows what has become of it.
func TestPageBar(t *testing.T) {
	t.Parallel()
	var step, speed atomic.Int64
	var page atomic.Pointer[sandbox.Page]
	host := http.NewServeMux()
	host.HandleFunc("POST /host/next", func(rw http.ResponseWriter, _ *http.Request) {
		step.Add(1)
		page.Load().Refresh()
		rw.WriteHeader(http.StatusNoContent)
	})
	host.HandleFunc("POST /host/speed", func(_ http.ResponseWriter, r *http.Request) {
		var n int64
		_, _ = fmt.Sscan(r.FormValue("speed"), &n) // stays 0 and fails the test
		speed.Store(n)
		page.Load().Refresh()
	})
	b := browse(t, sandbox.PageConfig{Host: host, Language: "en", Bar: func(language string) template.HTML {
		//nolint:gosec // numbers and a language code
		return template.HTML(fmt.Sprintf(`<strong>The story</strong>
<form method="post" action="/host/next" data-act><button class="btn primary" id="next">Next</button></form>
<form method="post" action="/host/speed" data-act data-auto><label>Speed <input type="range" id="speed" name="speed" min="1" max="9" value="3"></label></form>
<span class="grow" id="told">step %d at speed %d in %s</span>`, step.Load(), speed.Load(), language))
	}})
	page.Store(b.page)
	b.says("#told", "step 0 at speed 0 in en")
	b.click("#next")
	b.says("#told", "step 1")
	b.do(chromedp.SetValue(chromedp.CSS("#speed"), "7"))
	b.says("#told", "step 1 at speed 7")
	b.see(`document.getElementById("speed").value === "7"`)
	b.shot("bar.png")
}
