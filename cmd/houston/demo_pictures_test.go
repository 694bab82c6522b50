package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestDemoPictures takes the README's pictures from the demo's page, into the
// folder that HOUSTON_PICTURES names.
func TestDemoPictures(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("HOUSTON_PICTURES")
	if folder == "" {
		t.Skip("set HOUSTON_PICTURES to a folder to get pictures")
	}
	tab, url := openDemo(t)
	tab.open(url + "/?c=incidents&as=dana")
	tab.prefer("lang", "en")
	tab.prefer("theme", "light")

	tab.write("/incident Checkout answers 500 ")
	tab.modal("Declare an incident")
	tab.do(chromedp.SetValue(chromedp.CSS(`[name="v:severity"]`), "sev2"), chromedp.SetValue(chromedp.CSS(`[name="v:service"]`), "checkout"))
	tab.themes(folder, "slack-declare.png")
	tab.click("[data-submit]")
	tab.gone("dialog.modal")
	tab.says(".side", "inc-1-checkout-answers-500")

	tab.open(url + "/?c=inc-1-checkout-answers-500&as=dana")
	tab.says(".message", "INC-1 Checkout answers 500")
	tab.see(`document.getElementById("text") !== null`) // she is invited
	tab.click(`[data-action="take_lead"]`)
	tab.says(".message", "took the role commander")
	tab.see(`(document.querySelector("#part-main").scrollTop = 0, true)`)
	tab.themes(folder, "slack-card.png")
	tab.write("/incident status identified The connection pool is full ")
	tab.says(".message", "The connection pool is full")
	tab.write("/incident action Give slow requests a pool of their own @olli due 2030-01-31 ")
	tab.says(".message", "due 2030-01-31")

	tab.see(`(b => b && (b.click(), true))(document.querySelector('[data-action="post_update"]'))`)
	tab.modal("")
	tab.themes(folder, "slack-update.png")
	tab.close()
	tab.see(`(b => b && (b.click(), true))(document.querySelector('[data-action="resolve"]'))`)
	tab.modal("")
	tab.themes(folder, "slack-resolve.png")
	tab.close()
}

// modal waits until a form with a title is open.
func (d demoTab) modal(title string) {
	d.t.Helper()
	d.see(`document.querySelector("dialog.modal:modal")`)
	d.says("dialog.modal h2", title)
}

// close leaves a form as it was.
func (d demoTab) close() {
	d.t.Helper()
	d.see(`(document.querySelector("dialog [data-close]").click(), true)`)
	d.gone("dialog.modal")
}

// gone waits until nothing matches.
func (d demoTab) gone(selector string) {
	d.t.Helper()
	d.see(`!document.querySelector(` + "`" + selector + "`" + `)`)
}

// themes takes a picture in each theme: name.png and name-dark.png.
func (d demoTab) themes(folder, name string) {
	d.t.Helper()
	for theme, file := range map[string]string{"light": name, "dark": name[:len(name)-len(".png")] + "-dark.png"} {
		d.see(`(document.documentElement.dataset.theme = "` + theme + `", true)`)
		d.do(chromedp.Sleep(400 * time.Millisecond))
		png, err := chromedp.Run(d.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			d.t.Fatalf("take %s: %v", file, err)
		}
		if err := os.WriteFile(filepath.Join(folder, file), png, 0o600); err != nil {
			d.t.Fatal(err)
		}
	}
	d.see(`(document.documentElement.dataset.theme = "light", true)`)
}
