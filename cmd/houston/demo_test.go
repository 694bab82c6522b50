package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/houston-sre/houston/incidents/proctest"
)

func TestDemoOnce(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "out")
	var out, log lockedBuffer
	began := time.Now()
	code := run(t.Context(), cli{
		args: []string{"demo", "--once", folder}, stdout: &out, stderr: &log,
		env: func(string) (string, bool) { return "", false },
	})
	if code != 0 {
		t.Fatalf("demo --once ended with status %d: %s", code, log.String())
	}
	t.Logf("demo --once took %s", time.Since(began).Round(10*time.Millisecond))
	for _, line := range []string{"Declared as sev2", "took the role commander", "Restarted offers-api", "Mitigated", "monitoring → resolved"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("the printed timeline does not tell %q:\n%s", line, out.String())
		}
	}
	document, err := os.ReadFile(filepath.Join(folder, "INC-1-postmortem.md")) //nolint:gosec // the test's own folder
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"A person noticed this before any alert did", "| action | olli | Restarted offers-api", "connection pool of their own",
		"before a person has to report it", "What went well", "Where we were lucky", "Some brokers see an empty list of offers",
	} {
		if !strings.Contains(string(document), text) {
			t.Errorf("the postmortem does not say %q", text)
		}
	}
	if strings.TrimSpace(log.String()) != "" {
		t.Errorf("the demo warns of something:\n%s", log.String())
	}
}

// TestHeavyDemo measures what a newcomer waits for.
func TestHeavyDemo(t *testing.T) {
	proctest.Heavy(t)
	began := time.Now()
	startDemo(t)
	shown := time.Since(began)
	began = time.Now()
	if code := run(t.Context(), cli{
		args: []string{"demo", "--once", t.TempDir()}, stdout: io.Discard, stderr: io.Discard,
		env: func(string) (string, bool) { return "", false },
	}); code != 0 {
		t.Fatalf("demo --once ended with status %d", code)
	}
	once := time.Since(began)
	t.Logf("page served after %s, demo --once took %s", shown.Round(time.Millisecond), once.Round(time.Millisecond))
	if shown > 5*time.Second || once > 10*time.Second {
		t.Errorf("page after %s, once %s; want at most 5 s and 10 s", shown, once)
	}
}

// startDemo runs the demo's page and gives its address.
func startDemo(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	address, ended := make(chan string, 1), make(chan int, 1)
	var out lockedBuffer
	go func() {
		ended <- run(ctx, cli{
			args: []string{"demo", "--listen", "127.0.0.1:0"}, stdout: &out, stderr: &out,
			env:       func(string) (string, bool) { return "", false },
			listening: func(url string) { address <- url },
		})
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != 0 {
			t.Errorf("the demo ended with status %d: %s", code, out.String())
		}
	})
	select {
	case url := <-address:
		return url
	case code := <-ended:
		ended <- code
		t.Fatalf("the demo ended with status %d: %s", code, out.String())
		return ""
	}
}

// TestHeavyDemoPlays has the story played step by step in a real browser, in both
// languages and both themes, and goes on by hand.
func TestHeavyDemoPlays(t *testing.T) {
	proctest.Heavy(t)
	tab, url := openDemo(t)
	tab.open(url + "/")
	tab.says(".bar", "a broker misses his offers")
	tab.prefer("lang", "de")
	tab.says(".bar", "Ein Makler vermisst seine Angebote")
	tab.prefer("theme", "dark")
	steps := len((&story{clock: &storyClock{}}).steps())
	for i := range steps {
		// Not by the mouse: the bar is drawn anew at each step.
		tab.see(`(b => b && (b.click(), true))(document.querySelector(".host-step"))`)
		tab.says(".bar", fmt.Sprintf("%d/%d", i+1, steps))
		tab.see(`!document.querySelector(".bar [role=alert]")`)
	}
	tab.prefer("lang", "en")
	tab.prefer("theme", "light")
	tab.says(".bar", "That was the story")
	tab.open(url + "/?c=inc-1-brokers-see-an-empty-list-of-offers&as=carla")
	tab.says("body", "INC-1-postmortem.md")
	tab.write("/incident catchup ")
	tab.says(".message.private", "offers-api: the list of offers is back")
}

// TestHeavyDemoByHand goes the whole way of the story with a person's hands: the plain
// message, the offer, the form, the card's buttons, commands, a pin, the file.
func TestHeavyDemoByHand(t *testing.T) {
	proctest.Heavy(t)
	tab, url := openDemo(t)
	tab.open(url + "/?c=incidents&as=dana")
	tab.write("The broker beside me gets no list of offers any more.")
	tab.says(".message.private", "Is this an incident?")
	tab.click(`[data-action="report_declare"]`)
	tab.see(`document.querySelector("dialog.modal:modal")`)
	tab.do(chromedp.SetValue(chromedp.CSS(`[name="v:title"]`), "Offers missing"), chromedp.SetValue(chromedp.CSS(`[name="v:severity"]`), "sev2"))
	tab.click("[data-submit]")
	tab.see(`!document.querySelector("dialog.modal")`)
	tab.says(".side", "inc-1-offers-missing")

	tab.enter(url + "/?c=inc-1-offers-missing&as=dana")
	tab.says(".message", "INC-1 Offers missing")
	tab.click(`[data-action="take_lead"]`)
	tab.says(".message", "took the role commander")
	tab.write("/incident statuspage investigating Some brokers see no offers ")
	tab.says(".message", "Some brokers see no offers")
	tab.write("/incident update We restart the services one after another ")
	tab.says(".message", "one after another")
	for _, service := range []string{"broker-gateway", "scoring", "offers-api"} {
		tab.write("/incident timeline Restarted " + service + " ")
		tab.says(".message.private", "Added to the timeline")
	}
	tab.click(`[data-action="mitigated"]`)
	tab.says(".message", "Mitigated")
	tab.write("Fast requests shared a pool with slow ones")
	tab.says(".message", "Fast requests shared")
	tab.see(`(m => m && (m.querySelector('.actions button[value="pushpin"]').click(), true))([...document.querySelectorAll(".message")].find(m => m.textContent.includes("Fast requests shared")))`)
	tab.says(".message .reaction", "📌")
	tab.write("/incident resolve The third restart helped ")
	tab.says(".message", "The third restart helped")
	tab.write("/incident action Give slow requests a pool of their own @olli due 2030-01-31 ")
	tab.says(".message", "due 2030-01-31")
	tab.write("/incident export ")
	tab.says(".message", "INC-1-postmortem.md")

	page, err := chromedp.Run(tab.ctx, chromedp.Evaluate[string](`document.querySelector(".bar a.host-status").href`))
	if err != nil {
		t.Fatalf("browser: %v", err)
	}
	tab.do(chromedp.Navigate(page))
	tab.says("body", "Some brokers see no offers")
	tab.see(`!document.body.textContent.includes("Offers missing")`)
}

// openDemo starts the demo and a real Chromium.
func openDemo(t *testing.T) (demoTab, string) {
	t.Helper()
	tab := openBrowser(t)
	return tab, startDemo(t)
}

// openBrowser starts a real Chromium.
func openBrowser(t *testing.T) demoTab {
	t.Helper()
	path, err := proctest.Find([]string{"chromium", "chromium-browser", "google-chrome"})
	if err != nil {
		proctest.Missing(t, "chromium", err)
	}
	allocated, end := chromedp.NewExecAllocator(t.Context(),
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-background-networking", true), chromedp.WindowSize(1280, 820), chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		cancel()
		end()
	})
	if err := chromedp.Do(ctx); err != nil { // starts it
		t.Fatalf("start chromium: %v", err)
	}
	return demoTab{t, ctx}
}

// demoTab is a tab of the browser.
type demoTab struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // chromedp keeps the tab in it
}

func (d demoTab) do(actions ...chromedp.Action[chromedp.Void]) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		d.t.Fatalf("browser: %v", err)
	}
}

func (d demoTab) open(url string) {
	d.t.Helper()
	d.do(chromedp.Navigate(url))
	d.see(`document.body.dataset.live === "true"`)
}

// enter opens a channel that Houston is about to invite the person to: the page
// shows its message field to members only.
func (d demoTab) enter(url string) {
	d.t.Helper()
	for until := time.Now().Add(patience); time.Now().Before(until); {
		d.open(url)
		inside, err := chromedp.Run(d.ctx, chromedp.Evaluate[bool](`document.getElementById("text") !== null`))
		if err == nil && inside {
			return
		}
	}
	d.t.Fatalf("the person was not invited to %s", url)
}

// prefer presses one of the page's switches.
func (d demoTab) prefer(name, value string) {
	d.t.Helper()
	d.click(fmt.Sprintf(`.prefs button[name=%q][value=%q]`, name, value))
	d.see(fmt.Sprintf(`document.querySelector(".prefs button[name=%s][value=%s]").getAttribute("aria-pressed") === "true" && document.body.dataset.live === "true"`, name, value))
}

func (d demoTab) click(selector string) {
	d.t.Helper()
	d.do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// write types into the message field and sends it.
func (d demoTab) write(text string) {
	d.t.Helper()
	d.see(`document.getElementById("text").value === ""`)
	d.do(chromedp.SendKeys(chromedp.CSS("#text"), text, chromedp.NodeVisible))
	// Not by the mouse: the list of completions may lie over the button.
	d.see(`(document.querySelector(".composer .send").click(), true)`)
}

func (d demoTab) says(selector, words string) {
	d.t.Helper()
	d.see(fmt.Sprintf(`[...document.querySelectorAll(%q)].some(e => e.textContent.includes(%q))`, selector, words))
}

// see waits until a script expression is true.
func (d demoTab) see(expression string) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.ctx, patience)
	defer cancel()
	for {
		if seen, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expression+")")); err == nil && seen {
			return
		}
		if chromedp.Do(ctx, chromedp.Sleep(50*time.Millisecond)) != nil {
			d.t.Fatalf("never saw %s", expression)
		}
	}
}

func TestDemoRefusesWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"both":    {"demo", "--sandbox-only", "--once", "x"},
		"address": {"demo", "--listen", "nowhere:none"},
	} {
		var out lockedBuffer
		if code := run(t.Context(), cli{args: args, stdout: &out, stderr: &out, env: func(string) (string, bool) { return "", false }}); code == 0 {
			t.Errorf("%s: %v was taken: %s", name, args, out.String())
		}
	}
}

func TestPlayerRefuses(t *testing.T) {
	t.Parallel()
	p := newPlayer(&story{clock: &storyClock{}})
	mux := http.NewServeMux()
	mux.Handle("/host/{act}", p)
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{http.MethodGet, "/host/play", http.StatusMethodNotAllowed},
		{http.MethodPost, "/host/jump", http.StatusBadRequest},
		{http.MethodPost, "/host/speed?speed=1000", http.StatusBadRequest},
		{http.MethodPost, "/host/speed?speed=7", http.StatusNoContent},
		{http.MethodPost, "/host/play", http.StatusNoContent},
	} {
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, http.NoBody))
		if answer.Code != tt.want {
			t.Errorf("%s %s was answered %d, want %d", tt.method, tt.path, answer.Code, tt.want)
		}
	}
	if p.speed != 7 || !p.playing {
		t.Errorf("the player has speed %d, playing %v; want 7, true", p.speed, p.playing)
	}
}
