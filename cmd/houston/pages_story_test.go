package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents/proctest"
)

// author is a person at a browser in which axe-core looks at each page.
type author struct {
	demoTab

	h    *house
	axe  string
	seen map[string]bool // the addresses that axe has looked at
}

func (h *house) author(axe, user string) author {
	h.t.Helper()
	a := author{openBrowser(h.t), h, axe, map[string]bool{}}
	a.signIn(h, user)
	a.accessible(axe, "the overview")
	return a
}

// goes opens a page and has axe look at it when it is there for the first time.
func (a author) goes(path string) {
	a.t.Helper()
	a.do(chromedp.Navigate(a.h.url + path))
	a.see(`document.readyState === "complete" && document.querySelector("main h1, main .document")`)
	if !a.seen[path] {
		a.seen[path] = true
		a.accessible(a.axe, path)
	}
}

// revision is the one that the editor is about to be saved upon.
func (a author) revision() int {
	a.t.Helper()
	n, err := chromedp.Run(a.ctx, chromedp.Evaluate[int](`+document.querySelector("#editor input[name=base]").value`))
	if err != nil {
		a.t.Fatal(err)
	}
	return n
}

// saves presses the editor's button and waits for the next revision, and for the
// page's script.
func (a author) saves() {
	a.t.Helper()
	next := a.revision() + 1
	a.see(`(document.querySelector(".savebar button").click(), true)`)
	a.see(fmt.Sprintf(`document.querySelector("#editor input[name=base]")?.value === "%d" && document.querySelector(".said") && document.readyState === "complete"`, next))
}

// writes a section's text, sees it in the preview and saves it.
func (a author) writes(section, text string) {
	a.t.Helper()
	a.see(fmt.Sprintf(`(e => { e.focus(); e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); return true })(document.querySelector("textarea[name=%s]"))`, text, section))
	a.see(fmt.Sprintf(`document.getElementById("p-%s").textContent.includes(%q)`, section, text))
	a.saves()
}

// adds a row to a table of the editor, in its first empty one; the first cell
// must be among the values.
func (a author) adds(table, first string, cells map[string]string) {
	a.t.Helper()
	raw, err := json.Marshal(cells)
	if err != nil {
		a.t.Fatal(err)
	}
	a.see(fmt.Sprintf(`(cells => {
		const empty = [...document.querySelectorAll('[name^="%[1]s."][name$=".%[2]s"]')].find(e => e.value === "");
		for (const [name, value] of Object.entries(cells)) document.querySelector('[name="%[1]s.' + empty.name.split(".")[1] + '.' + name + '"]').value = value;
		return true;
	})(%[3]s)`, table, first, raw))
}

// moves takes the postmortem on, as the editor offers.
func (a author) moves(to string) {
	a.t.Helper()
	a.see(fmt.Sprintf(`(document.querySelector("form.move:has(input[name=to][value=%s]) button").click(), true)`, to))
	a.see(fmt.Sprintf(`document.querySelector(".said") && document.querySelector(".tags .status.%s") && document.readyState === "complete"`, to))
	a.accessible(a.axe, "after "+to)
}

// does sets an action item's state in the list, with a note.
func (a author) does(item, state, note string) {
	a.t.Helper()
	a.goes("/actions?state=all")
	a.see(fmt.Sprintf(`(li => {
		li.querySelector("details").open = true;
		li.querySelector("select[name=state]").value = %q;
		li.querySelector("input[name=note]").value = %q;
		li.querySelector("select[name=state]").form.querySelector("button").click();
		return true;
	})(document.getElementById("a-%s"))`, state, note, item))
	a.see(fmt.Sprintf(`document.querySelector("#a-%s .status.%s")`, item, state))
}

// answered has a command answered with some words.
func (h *house) answered(user, channel, text, want string) {
	h.t.Helper()
	if reply := h.say(user, channel, text); !strings.Contains(reply, want) {
		h.t.Fatalf("%s was answered %q, want %q in it", text, reply, want)
	}
}

// settled checks that an incident is closed, and that nothing of its plan is
// left to do but the items named.
func (h *house) settled(left ...string) {
	h.t.Helper()
	if inc := h.incident("INC-1"); inc.Status != "closed" {
		h.t.Errorf("the incident is %s, want it closed by the publication", inc.Status)
	}
	var open struct{ Actions []struct{ Text string } }
	h.api("/actions?unfinished=true", &open)
	var texts []string
	for _, a := range open.Actions {
		texts = append(texts, a.Text)
	}
	if strings.Join(texts, "|") != strings.Join(left, "|") {
		h.t.Errorf("unfinished are %q, want %q", texts, left)
	}
}

// TestHeavyStoryOfTheBroker plays DESIGN's first story from the plain message in
// Slack to the published postmortem with a closed action item: in Slack as long
// as it lasts, in a browser afterwards.
func TestHeavyStoryOfTheBroker(t *testing.T) {
	proctest.Heavy(t)
	h := newHouse(t, plan{})
	axe := axeCore(t)
	h.until("Houston is in the announce channel", h.announces)

	if _, err := h.slack.Post(t.Context(), anna, announced, "A broker misses his list of offers", ""); err != nil {
		t.Fatal(err)
	}
	offers := func() []sandbox.Message { return h.slack.Ephemerals(announced, anna) }
	h.until("she is offered to declare it", func() bool { return len(offers()) == 1 })
	if _, err := h.slack.Click(t.Context(), sandbox.Click{User: anna, Channel: announced, MessageTS: offers()[0].TS, ActionID: "report_declare"}); err != nil {
		t.Fatal(err)
	}
	h.form(anna)
	h.submit(anna, map[string]string{"severity": "sev2", "service": "offers"})
	h.shows("inc-1-a-broker-misses-his-list-of-offers", "A broker misses his list of offers")
	made, ok := h.slack.Channel("inc-1-a-broker-misses-his-list-of-offers")
	if !ok {
		t.Fatal("no channel")
	}
	channel := made.ID
	h.slack.Join(ben, channel)
	b := h.author(axe, ben)
	b.goes("/i/1")
	b.says(".live", "live")

	h.pressCard(ben, channel, "take_lead")
	seen, err := h.slack.Post(t.Context(), ben, channel, "p99 of offers-api is above 60 s in Prometheus", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.slack.React(t.Context(), ben, channel, seen.TS, "pushpin"); err != nil {
		t.Fatal(err)
	}
	b.says(".entry .text", "p99 of offers-api is above 60 s") // live
	for _, text := range []string{
		"statuspage investigating Some brokers see no offers", "task Restart pricing <@" + anna + ">",
		"timeline Restarted scoring", "timeline Restarted pricing", "timeline Restarted offers-api", "mitigated",
		"action Give slow requests a connection pool of their own <@" + anna + "> due 2035-01-31",
		"resolve The third restart helped",
	} {
		h.say(ben, channel, text)
	}
	b.says("#head .status", "resolved")
	b.says("#tasks", "Restart pricing")
	b.accessible(axe, "the resolved incident")

	// The facts are corrected in Slack: it began an hour before anybody saw it.
	zone, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	h.pressCard(ben, channel, "more")
	more := h.filled(ben, "more", "more")
	if _, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, ViewID: more.ID, ActionID: "form_facts"}); err != nil {
		t.Fatal(err)
	}
	h.filled(ben, "facts", "impact_start")
	h.submit(ben, map[string]string{"impact_start": time.Now().Add(-time.Hour).In(zone).Format("2006-01-02 15:04")})
	for _, text := range []string{
		"action 1 priority p1", "action 1 when slow requests no longer raise the p99 of fast ones in a load test",
		"action 2 owner <@" + ben + ">", "action 2 due 2035-01-15", "action 2 priority p1", "action 2 when the alert fires on the recorded metrics",
	} {
		h.answered(anna, channel, text, "is changed")
	}

	// The postmortem, section by section.
	b.goes("/i/1/postmortem/edit")
	b.says(".checks", "Write the summary")
	b.writes("summary", "Brokers saw no offers for an hour. The third restart ended it.")
	b.adds("measures", "what", map[string]string{"what": "brokers without offers", "value": "120", "of_total": "900", "unit": "brokers", "kind": "users", "how_measured": "access log"})
	b.saves()
	b.adds("factors", "text", map[string]string{"text": "Requests under a second shared a connection pool with requests over a minute", "category": "design"})
	b.saves()
	b.adds("factors", "text", map[string]string{"text": "Load had grown by a third since the last test", "category": "capacity"})
	b.saves()
	for section, text := range map[string]string{
		"background": "Brokers compare the offers of lenders.", "response": "Three services were restarted one after another.",
		"went_well": "Five people met within minutes.", "went_poorly": "No alert watched the waiting time for a connection.",
		"lucky": "A developer sat beside the broker.", "open_questions": "Why did nobody notice the growth?",
	} {
		b.writes(section, text)
	}
	b.adds("lesson_items", "text", map[string]string{"text": "Monitoring was blind for the pool", "answers": "gap:1"})
	b.saves()
	b.goes("/i/1/postmortem/history")
	b.says("ins", "Monitoring")
	b.goes("/gaps?state=open")
	b.says("main", "A broker misses his list of offers")

	// Who reviews it, and when.
	b.goes("/i/1/postmortem")
	b.see(`(f => { f.approver.value = "@anna"; f.querySelector("button").click(); return true })(document.getElementById("staff"))`)
	b.says(".said", "Saved.")
	b.says("#staffing", "anna")
	b.see(`(document.querySelector("#meeting button").click(), true)`)
	b.says("#staffing", "for your calendar")
	h.until("the meeting is in the channel", func() bool { return h.told(channel, "to review the postmortem of INC-1 at") })
	b.goes("/i/1/postmortem/edit")
	b.moves("in_review")
	b.see(`(document.querySelector("form.move:has(input[name=to][value=approved]) button").click(), true)`)
	b.says("main", "is asked of anna")

	// Another person approves and publishes it.
	a := h.author(axe, anna)
	a.goes("/i/1/postmortem")
	a.says(".document", "The third restart ended it.")
	a.goes("/i/1/postmortem/edit")
	a.moves("approved")
	a.moves("published")
	h.until("Slack is told", func() bool { return h.told(channel, "published the postmortem of INC-1") })
	a.goes("/i/1/postmortem/editions/1")
	a.says(".permalink", "/i/1/postmortem/editions/1")
	a.says(".document", "Load had grown by a third")
	a.goes("/i/1/postmortem/editions/1/public")
	a.says(".document", "Brokers saw no offers for an hour.")
	a.see(`!/anna|ben/i.test(document.querySelector(".document").textContent)`)
	a.look(h, axe, "edition", "/i/1/postmortem/editions/1")
	a.look(h, axe, "public", "/i/1/postmortem/editions/1/public")
	a.printed(true)
	a.see(`[".top", ".docbar", ".foot"].every(s => !document.querySelector(s).checkVisibility()) && document.querySelector(".permalink").checkVisibility()`)
	a.printed(false)
	a.goes("/postmortems?state=published")

	// The alert is built: the one who did it says how, another has seen it.
	b.does("1-2", "done", "It fired in the replay of the day")
	a.does("1-2", "verified", "I saw it fire")
	a.goes("/audit")
	h.settled("Give slow requests a connection pool of their own")
}

// TestHeavyStoryOfTheUpgrade plays DESIGN's second story, in German: an SLO burns
// while the API server is upgraded.
func TestHeavyStoryOfTheUpgrade(t *testing.T) {
	proctest.Heavy(t)
	w, api := newSlack(t)
	w.AddUser(sandbox.User{ID: "U0DORA", Name: "dora", RealName: "Dora Deutsch", TZ: "Europe/Zurich", Locale: "de-DE"})
	w.Join("U0DORA", announced)
	h := newHouse(t, plan{slack: w, api: api, env: map[string]string{"HOUSTON_LANGUAGE": "de"}})
	axe := axeCore(t)
	at := func(ago time.Duration) string { return time.Now().Add(-ago).UTC().Format(time.RFC3339) }

	h.post("/changes", `{"id":"up-1","title":"Upgrade the API server to 1.34","kind":"upgrade","labels":{"cluster":"prod-1"},"actor":"platform","state":"running","started_at":"`+at(20*time.Minute)+`"}`, nil)
	burn := `{"receiver":"r","groupKey":"slo","alerts":[{"status":"firing","labels":{"alertname":"APIServerErrors","sloth_slo":"requests","sloth_service":"apiserver","sloth_severity":"page","severity":"page","cluster":"prod-1"},"startsAt":"` + at(2*time.Minute) + `","fingerprint":"1"}]}`
	if status := h.hook("alertmanager", burn, nil); status != http.StatusOK {
		t.Fatalf("alertmanager: %d", status)
	}
	made, err := w.WaitChannel(t.Context(), "inc-1-")
	if err != nil {
		t.Fatal(err)
	}
	channel := made.ID
	h.until("the card is pinned", func() bool { return len(w.Pins(channel)) == 1 })
	h.until("the upgrade stands in the timeline", func() bool { return len(h.changeEntries("INC-1", "change")) > 0 })
	w.Join("U0DORA", channel)
	d := h.author(axe, "U0DORA")
	d.goes("/i/1")
	d.says(".entry.change .text", "Upgrade the API server to 1.34")
	d.says("#alerts", "APIServerErrors")
	for _, text := range []string{
		"lead", "status investigating", "timeline Eine Handvoll 502 je Million Anfragen", "timeline Keep-alive des Servers ist kürzer als das des Proxys",
		"mitigated", "action Den Server beim Beenden noch 5 s bedienen lassen <@U0DORA> due 2035-01-31", "resolve Das Upgrade ist durch",
	} {
		h.say("U0DORA", channel, text)
	}
	d.says("#head .status", "behoben")
	for _, text := range []string{"action 1 priority p1", "action 1 type prevent", "action 1 when ein Neustart bringt im Test keinen 502"} {
		h.say("U0DORA", channel, text)
	}
	zone, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	d.goes("/i/1")
	d.see(fmt.Sprintf(`(f => { f.impact_start.value = %q; f.querySelector("button").click(); return true })(document.getElementById("times-form"))`, time.Now().Add(-18*time.Minute).In(zone).Format("2006-01-02T15:04")))
	d.says(".said", "Gespeichert.")

	d.goes("/i/1/postmortem/edit")
	d.writes("summary", "Nutzer sahen wenige Fehler. Das Ende des Upgrades beendete sie.")
	d.adds("measures", "what", map[string]string{"what": "Fehler", "value": "40", "of_total": "9000000", "unit": "Anfragen", "kind": "requests", "how_measured": "Prometheus"})
	d.saves()
	d.adds("factors", "text", map[string]string{"text": "Der Server schließt Verbindungen früher als der Proxy davor", "category": "design"})
	d.saves()
	d.writes("trigger", "Das Upgrade des API-Servers startete jeden Server neu.")
	d.writes("lucky", "Es war Sonntag.")
	d.writes("went_well", "Der SLO-Alarm kam nach zwei Minuten.")
	d.says(".checks", "beitragenden Faktor")
	d.goes("/i/1/postmortem/edit")
	d.moves("in_review")

	b := h.author(axe, ben)
	b.goes("/i/1/postmortem/edit")
	b.moves("approved")
	b.moves("published")
	d.goes("/i/1/postmortem/editions/1")
	d.says(".document", "Der Server schließt Verbindungen früher")
	d.goes("/i/1/postmortem/editions/1/public")
	d.does("1-1", "done", "Drei Neustarts im Test ohne 502")
	b.does("1-1", "verified", "Gesehen")
	d.goes("/actions?state=verified")
	d.says("main", "Drei Neustarts im Test ohne 502")
	h.settled()
}
