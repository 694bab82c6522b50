package slack_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/proctest"
)

// hostile is what people and machines write who mean ill, or have a bad day.
func hostile() map[string]string {
	return map[string]string{
		"pings":       "<!channel> <!here> <!everyone> <!subteam^S0EVIL|@ops> <@U0EVIL> @here @channel @everyone",
		"long":        strings.Repeat("wwwwwwwww ", 4_000),
		"no space":    strings.Repeat("x", 40_000),
		"entities":    strings.Repeat("<&>", 10_000),
		"underscores": strings.Repeat("_", 3_000),
		"backticks":   strings.Repeat("`", 3_000) + "*~_",
		"emoji":       strings.Repeat("👨‍👩‍👧‍👦🇨🇭:rotating_light:", 2_000),
		"accents":     strings.Repeat("e"+strings.Repeat("\u0301", 40), 500),
		"rtl":         "\u202eשלום <!here> \u2066مرحبا\u202c\u200f",
		"control":     "a\x00b\x1b[31m\x7f\u0085\u2028c\ufeff\u200b\r\n\td",
		"no utf-8":    "a\xff\xed\xa0\x80b\xc3",
		"invisible":   "\u200b\ufeff\u2060\u200d",
		"json":        `","type":"x"}]} \" {key} {{.}} %s %d %!`,
		"links":       "https://evil.example/?a=<b>|<!here>&c mailto:a@b.example <https://evil.example|click>",
	}
}

// TestHeavyHostileWords puts hostile words everywhere that words can be put: into
// incidents, alerts, commands and forms. Whatever is made of them, by every maker,
// command, button and form that the tables list, Slack takes; and nobody is pinged.
func TestHeavyHostileWords(t *testing.T) { //nolint:tparallel // what the group has made is judged when all of it has ended
	proctest.Heavy(t) // under the race detector it takes minutes
	t.Parallel()
	made := make(chan incidents.EffectKind, 10_000)
	t.Run("words", func(t *testing.T) {
		for name, words := range hostile() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, setup{nudges: true, runbooks: []incidents.Runbook{{Name: words, Steps: []incidents.RunbookStep{{Heading: words, Text: words}, {Text: words}}}}, prepare: func(w *world) {
					w.bob = w.AddUser(sandbox.User{Name: "dora", RealName: "Dora", Locale: "de-DE"})
				}})
				enemy := &enemy{world: w, words: words}
				enemy.attack(t)
				first := enemy.effects(t)
				enemy.fire(t, "declare", "critical", false) // now that there is a channel to ask in
				for _, kind := range append(first, enemy.effects(t)...) {
					made <- kind
				}
				enemy.judge(t)
			})
		}
	})
	close(made)
	seen := map[incidents.EffectKind]bool{}
	for kind := range made {
		seen[kind] = true
	}
	wordless := []incidents.EffectKind{incidents.MakeArchive, incidents.MakeRetract, incidents.MakeLeave} // they send ids only
	kinds := slices.Collect(maps.Keys((&slack.Outbound{}).Makers()))
	for _, kind := range append(kinds, incidents.MakeChart, incidents.MakeDigest) { // these two need a configuration
		if !seen[kind] && !slices.Contains(wordless, kind) {
			t.Errorf("no effect of the kind %q was made of hostile words: have enemy.attack owe one", kind)
		}
	}
}

// enemy attacks a world with words.
type enemy struct {
	*world

	words   string
	inc     incidents.Incident
	channel sandbox.Channel
	replies []string // as Slack got them
}

// upTo gives n characters of the words, and something in any case.
func (e *enemy) upTo(n int) string {
	r := []rune(e.words)
	return "x " + string(r[:min(len(r), n-2)])
}

func (e *enemy) attack(t *testing.T) {
	t.Helper()
	e.inc, e.channel = e.opened(t, e.upTo(incidents.MaxTitle), false)
	actor := incidents.Actor{Person: incidents.Person{ID: e.ann.ID, Name: e.upTo(80)}, Via: incidents.FromSlack, Standing: incidents.Member}
	req := incidents.Request{Actor: actor}
	text := e.upTo(incidents.MaxText)
	title, service := e.upTo(incidents.MaxTitle), e.upTo(incidents.MaxTitle)
	for _, command := range []incidents.Command{
		incidents.EditFacts{Request: req, Title: &title, Summary: &text, Service: &service, Impact: &text},
		incidents.Update{Request: req, Text: text, Next: time.Hour},
		incidents.Note{Request: req, Text: text},
		incidents.AddAction{Request: req, Text: text, Owner: incidents.Person{ID: e.bob.ID, Name: e.upTo(80)}},
		incidents.Assign{Request: req, Role: incidents.Commander, Person: incidents.Person{ID: e.ann.ID, Name: e.upTo(80)}},
		incidents.Assign{Request: req, Role: incidents.Commander, Person: incidents.Person{ID: e.bob.ID, Name: e.upTo(80)}, Summary: text},
		incidents.PublishNotice{Request: req, Status: incidents.NoticeInvestigating, Title: title, Text: text},
		incidents.Export{Request: req, Format: "md"},
		incidents.AddTask{Request: req, Text: text, Owner: incidents.Person{ID: e.bob.ID, Name: e.upTo(80)}},
	} {
		if _, err := e.service.Do(t.Context(), e.inc.Number, command); err != nil && incidents.KindOf(err) == "" {
			t.Errorf("%T: %v", command, err)
		}
	}
	said, err := e.Post(deadline(t), e.ann.ID, e.ops.ID, "Offers are missing", "")
	if err != nil {
		t.Fatal(err)
	}
	other, err := e.service.Declare(t.Context(), incidents.Declare{Request: req, Title: title, Report: &incidents.Message{Channel: e.ops.ID, TS: said.TS}})
	if err != nil {
		t.Fatalf("declare from a message: %v", err)
	}
	// The first one goes private; this one's items are for everybody to read.
	owned := incidents.AddAction{Request: req, Text: text, Owner: incidents.Person{ID: e.bob.ID, Name: e.upTo(80)}}
	if _, err := e.service.Do(t.Context(), other.Incident.Number, owned); err != nil {
		t.Errorf("note an action item: %v", err)
	}
	if err := e.service.AskDue(t.Context()); err != nil {
		t.Errorf("ask what is due: %v", err)
	}
	e.fire(t, "offer", "warning", true)
	e.fire(t, "declare", "critical", true)
	e.commands(t)
	e.buttonsAndForms(t)
}

// fire has one hostile alert fire, or end.
func (e *enemy) fire(t *testing.T, group, severity string, firing bool) {
	t.Helper()
	labels := map[string]string{"alertname": e.upTo(2_000), "severity": severity, "service": e.upTo(2_000), e.upTo(300): e.upTo(300)}
	err := e.service.Ingest(t.Context(), incidents.Delivery{
		Source: "default", Receiver: e.upTo(100), GroupKey: group + e.upTo(1_000), Labels: labels, ReceivedAt: time.Now(),
		Alerts: []incidents.Alert{{
			Fingerprint: group, Firing: firing, StartsAt: time.Now().Add(-time.Minute), Labels: labels, URL: e.words,
			Annotations: map[string]string{"summary": e.words, "description": e.words, "runbook_url": e.words},
		}},
	})
	if err != nil {
		t.Errorf("ingest: %v", err)
	}
}

// commands sends every command with the words behind it, by an English and a
// German reader.
func (e *enemy) commands(t *testing.T) {
	t.Helper()
	words := e.words
	if len(words) > 8_000 { // Slack's client sends no more than this, and it is plenty
		words = strings.ToValidUTF8(words[:8_000], "")
	}
	for _, verb := range append(slack.Verbs(), "status identified", "statuspage investigating", "statuspage investigating x | ", "role scribe", "severity sev1", "help", "nosuchverb") {
		for _, user := range []sandbox.User{e.ann, e.bob} {
			for _, channel := range []string{e.channel.ID, e.ops.ID} {
				reply, err := e.Command(deadline(t), sandbox.Command{User: user.ID, Channel: channel, Command: "/incident", Text: verb + " " + words})
				if err != nil {
					t.Errorf("/incident %s: %v", verb, err)
				}
				e.replies = append(e.replies, string(reply.Body))
			}
		}
	}
	for _, verb := range slack.Verbs() { // alone they open forms, or say what they need
		reply, err := e.Command(deadline(t), sandbox.Command{User: e.bob.ID, Channel: e.channel.ID, Command: "/incident", Text: verb})
		if err != nil {
			t.Errorf("/incident %s: %v", verb, err)
		}
		e.replies = append(e.replies, string(reply.Body))
		e.edge.Wait()
		e.fill(t, e.bob)
	}
}

// buttonsAndForms presses everything that can be pressed, with its own value
// and with the words as one.
func (e *enemy) buttonsAndForms(t *testing.T) {
	t.Helper()
	values := []string{e.inc.Key(), strings.ToValidUTF8(e.upTo(1_000), "")}
	for i, id := range slack.Clicks() {
		for j, value := range values {
			user := []sandbox.User{e.ann, e.bob}[(i+j)%2]
			ts := e.buttons(t, e.channel.ID, value, id)
			if _, err := e.Click(deadline(t), sandbox.Click{User: user.ID, Channel: e.channel.ID, MessageTS: ts, ActionID: id}); err != nil {
				t.Errorf("click %s: %v", id, err)
			}
			e.edge.Wait()
			e.fill(t, user)
		}
	}
	if _, err := e.OpenHome(deadline(t), e.ann.ID); err != nil {
		t.Errorf("open the home tab: %v", err)
	}
	if err := e.edge.ShowHome(t.Context(), incidents.ShowHome{Person: e.ann.ID}); err != nil {
		t.Errorf("show the home tab: %v", err)
	}
	e.edge.Wait()
}

// fill submits the open forms with the words in every text input, then closes
// what is left.
func (e *enemy) fill(t *testing.T, user sandbox.User) {
	t.Helper()
	for range 4 {
		open := e.Modals(user.ID)
		if len(open) == 0 {
			return
		}
		top := open[len(open)-1]
		var blocks []struct {
			BlockID string `json:"block_id"`
			Element struct {
				Type string `json:"type"`
				Max  int    `json:"max_length"`
			} `json:"element"`
		}
		_ = json.Unmarshal(top.Blocks, &blocks)
		values := map[string]string{}
		for _, b := range blocks {
			if b.Element.Type == "plain_text_input" {
				values[b.BlockID] = strings.ToValidUTF8(e.upTo(max(2, min(3_000, b.Element.Max+3_000*(1-min(b.Element.Max, 1))))), "")
			}
		}
		_, err := e.SubmitView(deadline(t), sandbox.SubmitView{User: user.ID, Values: values})
		if refused, ok := errors.AsType[*sandbox.ActError](err); err != nil && (!ok || !slices.Contains([]string{"missing_input", "invalid_input", "option_not_found", "view_not_found"}, refused.Code)) {
			t.Errorf("submit %s: %v", top.CallbackID, err)
		}
		e.edge.Wait()
		if _, err := e.CloseView(deadline(t), user.ID, ""); err != nil {
			return
		}
	}
}

// contentRefused reports whether Slack did not take what was sent.
func contentRefused(code string) bool {
	for _, word := range []string{
		"invalid_blocks", "invalid_arguments", "msg_too_long", "msg_blocks_too_long", "too_long", "no_text", "view_too_large",
		"invalid_name", "metadata_too_large", "invalid_link", "invalid_metadata", "too_many_attachments",
	} {
		if strings.Contains(code, word) {
			return true
		}
	}
	return false
}

// ping is what would notify people who were not meant.
var ping = regexp.MustCompile(`<!(?:channel|here|everyone|subteam)|<@U0EVIL|(?i:@(?:here|channel|everyone)\b)`)

// parsed gives the texts of what was sent in which Slack looks for mentions: all
// but plain_text objects, values and what stands in inputs.
func parsed(sent string) []string {
	var body any
	if err := json.Unmarshal([]byte(sent), &body); err != nil {
		return []string{sent}
	}
	var texts []string
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, v := range value {
				walk(v)
			}
		case map[string]any:
			if text, ok := value["text"].(string); ok && value["type"] != "plain_text" {
				texts = append(texts, text)
			}
			for _, v := range value {
				walk(v)
			}
		}
	}
	walk(body)
	return texts
}

// judge looks at everything that Slack was sent.
func (e *enemy) judge(t *testing.T) {
	t.Helper()
	check := func(what, sent string) {
		for _, text := range parsed(sent) {
			if found := ping.FindStringIndex(text); found != nil {
				t.Errorf("%s pings: …%.200s", what, text[max(0, found[0]-60):])
			}
		}
	}
	problems := map[string]bool{}
	for _, c := range e.Calls("") {
		if contentRefused(c.Error) {
			problems[fmt.Sprintf("%s was answered %s: %.600s", c.Method, c.Error, c.Args)] = true
		}
		if strings.HasPrefix(c.Method, "files.") {
			continue // a file's content notifies nobody
		}
		for name, sent := range c.Args {
			if name != "private_metadata" {
				check(c.Method+" "+name, sent)
			}
		}
	}
	for _, reply := range e.replies {
		check("an answer", reply)
		if len(reply) > 19_000 {
			t.Errorf("an answer has %d bytes; Socket Mode drops 20 KB", len(reply))
		}
	}
	for _, problem := range slices.Sorted(maps.Keys(problems)) {
		t.Error(problem)
	}
}
