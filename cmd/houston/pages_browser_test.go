package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents/proctest"
)

// signIn signs a person in as that person would: by the link from Slack.
func (d demoTab) signIn(h *house, user string) {
	d.t.Helper()
	link := regexp.MustCompile(`<(http[^|]+)\|`).FindStringSubmatch(h.say(user, "general", "web"))
	if link == nil {
		d.t.Fatal("there is no link in the answer")
	}
	d.do(chromedp.Navigate(link[1]))
	d.click(".door button")
	d.see(`document.querySelector(".counts")`)
}

// press types a character into whatever has the focus.
func (d demoTab) press(keys string) {
	d.t.Helper()
	d.do(chromedp.KeyEvent(keys))
}

// tab opens another tab of the same browser, with the same cookies.
func (d demoTab) tab() demoTab {
	d.t.Helper()
	ctx, cancel := chromedp.NewContext(d.ctx)
	d.t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		d.t.Fatalf("open a tab: %v", err)
	}
	return demoTab{d.t, ctx}
}

// TestHeavyPages goes through the pages with a person's hands: keys, a live
// incident, and two people who write the same.
func TestHeavyPages(t *testing.T) {
	proctest.Heavy(t)
	h := newHouse(t, plan{})
	channel := h.declared("Offers are empty --severity sev1")
	d := openBrowser(t)
	d.signIn(h, ben)

	d.press("/")
	d.see(`document.activeElement.id === "search"`)
	d.press("offers\r")
	d.says("h1", "Incidents")
	d.says("a.go", "Offers are empty")
	d.see(`(document.activeElement.blur(), true)`)
	d.press("?")
	d.see(`document.getElementById("keys").open`)
	d.see(`(document.getElementById("keys").close(), true)`)
	d.press("go")
	d.says("h1", "Overview")
	d.press("gi")
	d.says("h1", "Incidents")
	d.press("j")
	d.see(`document.activeElement.matches("a.go")`)
	d.press("\r")
	d.says("h1", "INC-1 Offers are empty")

	// Live: what is said in Slack appears without a hand on the page.
	d.says(".live", "live")
	h.say(ben, channel.ID, "timeline Restarted the broker")
	d.says(".entry .text", "Restarted the broker")
	h.say(ben, channel.ID, "severity sev2")
	d.says("#head .sev", "sev2")
	h.say(ben, channel.ID, "lead")
	h.say(ben, channel.ID, "resolve The third restart helped")
	d.says("#head .status", "resolved")

	// Two people write the same.
	edit := h.url + "/i/1/postmortem/edit"
	other := d.tab()
	d.do(chromedp.Navigate(edit))
	other.do(chromedp.Navigate(edit))
	const write = `(e => { e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); return true })(document.querySelector("textarea[name=%s]"))`
	d.see(fmt.Sprintf(write, "Brokers saw no offers.\n\n- for an hour", "summary"))
	d.see(`document.querySelector("#p-summary li")?.textContent === "for an hour"`) // the preview
	d.says("[data-unsaved]", "Not saved yet")
	d.see(`(document.querySelector(".savebar button").click(), true)`)
	d.says(".said", "Saved.")
	other.see(fmt.Sprintf(write, "Nobody saw offers.", "summary"))
	other.see(`(document.querySelector(".savebar button").click(), true)`)
	other.says(".problem", "Nothing is lost")
	other.says(".theirs", "Brokers saw no offers.")
	other.see(`document.querySelector("textarea[name=summary]").value === "Nobody saw offers."`)
	other.see(fmt.Sprintf(write, "Brokers saw no offers; nobody did.", "summary"))
	other.see(`(document.querySelector(".savebar button").click(), true)`)
	other.says(".said", "Saved.")
	d.do(chromedp.Navigate(h.url + "/i/1/postmortem"))
	d.says(".document", "Brokers saw no offers; nobody did.")

	// Without a script everything is read and written all the same.
	d.do(scripts(false))
	for _, path := range pageScenes() {
		d.do(chromedp.Navigate(h.url + path))
		d.see(`document.querySelector("main h1, main .document") && document.body.innerText.length > 100`)
		d.see(`![...document.querySelectorAll(".script-only")].some(e => e.checkVisibility()) && !document.documentElement.classList.contains("script")`)
	}
	d.do(chromedp.Navigate(edit))
	d.see(`(document.querySelector("textarea[name=lucky]").value = "It was noon.", true)`)
	d.click(".savebar button")
	d.says(".said", "Saved.")
	d.do(chromedp.Navigate(h.url + "/i/1/postmortem"))
	d.says(".document", "It was noon.")
	d.do(scripts(true))

	d.do(chromedp.Navigate(h.url))
	d.click(".who button")
	d.says("h1", "Sign in to Houston")
}

// scripts switches the scripts of pages on or off.
func scripts(on bool) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
		return err //nolint:wrapcheck // chromedp says what it was
	})
}

// printed has the browser show pages as they are printed.
func (d demoTab) printed(on bool) {
	d.t.Helper()
	media := map[bool]string{true: "print", false: ""}[on]
	d.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media})
		return err //nolint:wrapcheck // chromedp says what it was
	}))
}

// pageScenes are the pages there are, by the name of their picture.
func pageScenes() map[string]string {
	return map[string]string{
		"overview": "/", "incidents": "/incidents", "search": "/incidents?q=nothing+like+this", "incident": "/i/1", "entry": "/i/1/entries/1", "open": "/i/2",
		"postmortem": "/i/1/postmortem", "edit": "/i/1/postmortem/edit", "history": "/i/1/postmortem/history",
		"postmortems": "/postmortems", "actions": "/actions", "gaps": "/gaps", "audit": "/audit", "feeds": "/feeds", "missing": "/i/99",
	}
}

// TestHeavyPagesAccessible has axe-core look at every page in both themes and
// both languages; it must find nothing. HOUSTON_PICTURES names a folder for
// pictures of them.
func TestHeavyPagesAccessible(t *testing.T) {
	proctest.Heavy(t)
	w, api := newSlack(t)
	w.AddUser(sandbox.User{ID: "U0DORA", Name: "dora", RealName: "Dora Deutsch", TZ: "Europe/Zurich", Locale: "de-DE"})
	h := newHouse(t, plan{slack: w, api: api, env: map[string]string{
		"HOUSTON_DATA_DIR": t.TempDir(),
		"HOUSTON_RUNBOOKS": `[{name: Offers, text: "# Look\n- [ ] Open the dashboard of the connection pool\n- [ ] Compare with last week\n# Act\n- [ ] Restart offers-api", match: {service: [offers-api]}}]`,
	}})
	h.scene()
	axe := axeCore(t)
	d := openBrowser(t)
	d.look(h, axe, "signin", "/signin")
	for language, user := range map[string]string{"en": ben, "de": "U0DORA"} {
		d.signIn(h, user)
		d.see(`document.documentElement.lang === "` + language + `"`)
		for name, path := range pageScenes() {
			d.look(h, axe, name+"-"+language, path)
		}
	}
}

// look opens a page in both themes, a German one in the dark, and on a narrow screen, where nothing but
// tables may have to be moved sideways (WCAG 2.2, 1.4.10).
func (d demoTab) look(h *house, axe, name, path string) {
	d.t.Helper()
	themes := []string{"light", "dark"}
	if strings.HasSuffix(name, "-de") && os.Getenv("HOUSTON_PICTURES") == "" {
		themes = themes[1:] // the colours are those of the English page
	}
	for _, theme := range themes {
		d.do(chromedp.EmulateViewport(1280, 900), d.theme(theme), chromedp.Navigate(h.url+path))
		d.picture(name + "-" + theme + ".png")
		d.accessible(axe, name+" in "+theme)
	}
	d.do(chromedp.EmulateViewport(320, 640), chromedp.Navigate(h.url+path))
	wide, err := chromedp.Run(d.ctx, chromedp.Evaluate[string](`document.documentElement.scrollWidth <= innerWidth ? "" : [...document.querySelectorAll("body *")]
		.filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, .wide, pre")).map(e => e.outerHTML.slice(0, 120)).join("\n")`))
	if err != nil || wide != "" {
		d.t.Errorf("%s is wider than 320 pixels: %v\n%s", name, err, wide)
	}
	if os.Getenv("HOUSTON_PICTURES") != "" {
		d.do(chromedp.EmulateViewport(360, 780), chromedp.Navigate(h.url+path))
		d.picture(name + "-narrow.png")
	}
	d.do(chromedp.EmulateViewport(1280, 900))
}

// theme has the browser prefer a theme.
func (d demoTab) theme(name string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}},
		})
		return err //nolint:wrapcheck // chromedp says what it was
	})
}

// accessible has axe-core look at the page that is open, with all of it unfolded;
// it must find nothing.
func (d demoTab) accessible(axe, name string) {
	d.t.Helper()
	d.see(`document.querySelectorAll("details").forEach(e => { e.open = true }) || true`)
	found, err := chromedp.Run(d.ctx, chromedp.Evaluate[string](axe+`;
		axe.run(document, {runOnly: {type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}})
			.then(r => r.passes.length + " passes\n" + r.violations.map(v => v.id + ": " + v.help + "\n" +
				v.nodes.map(n => "  " + n.target.join(" ") + " " + n.failureSummary + " " + n.html.slice(0, 200)).join("\n")).join("\n"))`, chromedp.EvalAwaitPromise))
	passes, violations, _ := strings.Cut(found, "\n")
	switch {
	case err != nil:
		d.t.Errorf("axe on %s: %v", name, err)
	case violations != "":
		d.t.Errorf("%s:\n%s", name, violations)
	case passes == "0 passes":
		d.t.Errorf("axe checked nothing on %s", name)
	}
}

// picture takes a picture of the whole page into the folder HOUSTON_PICTURES
// names, if it does.
func (d demoTab) picture(name string) {
	folder := os.Getenv("HOUSTON_PICTURES")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(d.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name), png, 0o600)
	}
	if err != nil {
		d.t.Logf("picture %s: %v", name, err)
	}
}

// scene fills a house with what a week brings.
func (h *house) scene() {
	h.t.Helper()
	channel := h.declared("Some brokers see an empty list of offers --severity sev2 --service offers-api")
	for _, text := range []string{
		"lead", "role communications <@" + anna + ">",
		"timeline Fast and slow requests share one connection pool", "timeline Restarted offers-api",
		"timeline Restarted scoring from 5m ago to 1m ago --key", "task Call the broker back <@" + anna + ">", "task Look at the pool's metrics", "update Brokers may see no offers; we are restarting services.",
		"action Give slow requests (over a minute) a connection pool of their own <@" + ben + "> due 2020-01-31",
		"action Alert on the share of empty lists <@" + anna + "> due 2035-06-30", "mitigated", "resolve The third restart helped",
	} {
		h.say(ben, channel.ID, text)
	}
	h.slack.Join(ben, channel.ID)
	posted, err := h.slack.Upload(h.t.Context(), sandbox.Upload{User: ben, Channel: channel.ID, Name: "p99 of offers-api.png", Data: chart(h.t)})
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := h.slack.React(h.t.Context(), ben, channel.ID, posted.TS, "chart_with_upwards_trend"); err != nil {
		h.t.Fatal(err)
	}
	h.until("the picture is stored", func() bool { files := h.files("INC-1"); return len(files) == 1 && files[0].State == "stored" })
	checklist := h.asked(channel.ID, "Runbook Offers")
	h.press(ben, channel.ID, checklist, "runbook_tick_1")
	h.declared("Burn rate of the API server's availability --severity sev1 --service kube-apiserver")
	h.declared("Wochenübung: Datenbank fällt aus --severity sev4")
	alert := `{"version":"4","groupKey":"g","receiver":"houston","status":"firing","alerts":[{"status":"firing","labels":{"alertname":"OffersErrorBudgetBurn","severity":"critical","service":"offers-api","namespace":"offers"},"annotations":{"summary":"2 % of the month's error budget burnt in an hour"},"startsAt":"2026-01-01T00:00:00Z","generatorURL":"http://prometheus.example.com/graph"}]}`
	status, raw := h.call(http.MethodPost, "/webhooks/alertmanager", alert, map[string]string{"Authorization": "Bearer " + webhookToken})
	if status >= http.StatusMultipleChoices {
		h.t.Fatalf("the alert was answered with %d: %s", status, raw)
	}
	s := h.surf(ben)
	_, page := s.get("/i/1/postmortem/edit")
	form := map[string][]string{"base": {"0"}}
	for _, m := range regexp.MustCompile(`name="was.([a-z_]+)" value="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		switch m[1] {
		case "summary":
			form["summary"] = []string{"Brokers of the lending platform saw an empty list of offers for about an hour.\n\nThe third restart ended it."}
		case "factors":
			form["factors.0.whys"] = []string{"- One pool was simpler\n  - Nobody had measured the wait\n- Load had grown"}
			form["factors.0.text"], form["factors.0.category"] = []string{"Requests under a second shared a connection pool with requests over a minute."}, []string{"design"}
			form["factors.1.text"], form["factors.1.category"] = []string{"Load had grown by a third since the last test."}, []string{"capacity"}
		case "survey":
			form["survey.0.question"], form["survey.0.yes"] = []string{"learned"}, []string{"5"}
		case "facilitator":
			form["facilitator"] = []string{"Eva Outside"}
		case "link_items":
			form["link_items.0.kind"], form["link_items.0.url"] = []string{"recording"}, []string{"https://video.example.com/1"}
		case "lucky":
			form["lucky"] = []string{"- A developer happened to sit beside the broker."}
		default:
			continue
		}
		form["was."+m[1]] = []string{m[2]}
	}
	if status, page := s.send(http.MethodPost, "/i/1/postmortem/edit", form); status != http.StatusOK {
		h.t.Fatalf("writing was answered with %d: %s", status, page)
	}
}
