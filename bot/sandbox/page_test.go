package sandbox_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents/proctest"
)

// browser is a tab of a real Chromium with the page in it.
type browser struct {
	*toy
	ctx context.Context //nolint:containedctx // chromedp keeps the tab in it
}

// browse opens the page; it needs Debian's chromium.
func browse(t *testing.T, cfg sandbox.PageConfig) *browser {
	t.Helper()
	path, err := proctest.Find([]string{"chromium", "chromium-browser", "google-chrome"})
	if err != nil {
		proctest.Missing(t, "chromium", err)
	}
	a := newToy(t, cfg)
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("lang", "en-US"), chromedp.Flag("hide-scrollbars", true),
		chromedp.WindowSize(1280, 820), chromedp.UserDataDir(t.TempDir()),
	}
	allocated, end := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser, whose folder goes next
		cancel()
		end()
	})
	b := &browser{a, ctx}
	if err := chromedp.Do(ctx); err != nil { // starts it
		t.Fatalf("start chromium: %v", err)
	}
	b.open("/")
	return b
}

func (b *browser) open(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.srv.URL + path))
	b.see(`document.body.dataset.live === "true"`)
}

// do runs what a person does, a little while at most.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.shot("failed.png")
		b.t.Fatalf("browser: %v", err)
	}
}

// see waits until a script expression is true.
func (b *browser) see(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 15*time.Second)
	defer cancel()
	for {
		// An error is a page that is just being loaded.
		if seen, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expression+")")); err == nil && seen {
			return
		}
		if chromedp.Do(ctx, chromedp.Sleep(20*time.Millisecond)) != nil {
			b.shot("failed.png")
			b.t.Fatalf("never saw %s", expression)
		}
	}
}

// says waits until an element's text holds words.
func (b *browser) says(selector, words string) {
	b.t.Helper()
	b.see(`[...document.querySelectorAll(` + quoted(selector) + `)].some(e => e.textContent.includes(` + quoted(words) + `))`)
}

func (b *browser) gone(selector string) {
	b.t.Helper()
	b.see(`!document.querySelector(` + quoted(selector) + `)`)
}

func (b *browser) click(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// leave does what loads the page anew and waits until it lives again.
func (b *browser) leave(do func()) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`document.body.dataset.old = "true"`))
	do()
	b.see(`!document.body.dataset.old && document.body.dataset.live === "true"`)
}

func (b *browser) keys(selector, keys string) {
	b.t.Helper()
	b.do(chromedp.SendKeys(chromedp.CSS(selector), keys, chromedp.NodeVisible))
}

// enter presses the Enter key as a keyboard does: without the character event
// that would break the line once more.
func (b *browser) enter() { b.key("Enter", 13, 0) }

func (b *browser) key(name string, code, with int64) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
			if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, input.DispatchKeyEventParams{
				Type: kind, Key: name, Code: name, Modifiers: with, WindowsVirtualKeyCode: code, NativeVirtualKeyCode: code,
			}); err != nil {
				return err //nolint:wrapcheck // chromedp says what it was
			}
		}
		return nil
	}))
}

// shot takes a picture into the folder that SANDBOX_PICTURES names, if it does.
func (b *browser) shot(name string) {
	folder := os.Getenv("SANDBOX_PICTURES")
	if folder == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Second)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(folder+"/"+name, png, 0o600)
	}
	if err != nil {
		b.t.Logf("picture %s: %v", name, err)
	}
}

func quoted(s string) string {
	return "`" + strings.NewReplacer("`", "\\`", "\\", "\\\\", "${", "\\${").Replace(s) + "`"
}
