package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/templates"
)

// TestTheDocumentSpeaksItsLanguage drafts a postmortem of an incident in which
// much happened, once in German and once in English: the sentences of Houston's
// own are in the document's language, in the timeline too, and in what came from
// an incident that was merged in.
func TestTheDocumentSpeaksItsLanguage(t *testing.T) {
	t.Parallel()
	sentences := englishSentences(t)
	onBoth(t, func(t *testing.T, p plan) {
		p.env = map[string]string{"HOUSTON_LANGUAGE": "de", "HOUSTON_DATA_DIR": t.TempDir()}
		h := newHouse(t, p)
		other := h.declared("Angebote laden langsam").ID
		h.say(anna, other, "status identified Der Pool ist voll")
		h.say(ben, other, "lead")
		channel := h.declared("Angebote fehlen --service offers").ID
		for _, text := range []string{
			"status identified Wir kennen den Fehler", "severity sev2", "lead", "role scribe <@" + ben + ">", "update Wir arbeiten daran",
			"timeline Pool vergrößert", "rename Angebote fehlen seit heute", "bridge https://meet.example.com/neu", "task Logs ansehen <@" + ben + ">",
			"statuspage investigating Wir sehen nach", "mitigated",
		} {
			h.say(anna, channel, text)
		}
		h.say(anna, other, "merge INC-2")
		h.say(anna, channel, "resolve Der Pool ist größer")
		path := "/api/v1/incidents/INC-2/postmortem.md"
		ask := func(path string) string {
			status, raw := h.call(http.MethodGet, path, "", map[string]string{"Authorization": "Bearer " + apiToken})
			if status != http.StatusOK {
				t.Fatalf("%s: got %d %s", path, status, raw)
			}
			return string(raw)
		}
		german := ask(path)
		for _, want := range []string{
			"Gemeldet als", "in Untersuchung → erkannt", "INC-1: Status: in Untersuchung → erkannt. Der Pool ist voll", "Schweregrad: ", "Ein Alarm für das, woran",
			"| Slack |", "Postmortem zu INC-2",
		} {
			if !strings.Contains(german, want) {
				t.Errorf("the German draft does not say %q:\n%s", want, german)
			}
		}
		for line := range strings.SplitSeq(german, "\n") {
			for format, pattern := range sentences {
				for cell := range strings.SplitSeq(line, " | ") {
					if pattern.MatchString(cell) {
						t.Errorf("the German draft says %q, which is the English %q", cell, format)
					}
				}
			}
		}
		if status, raw := h.write("PATCH", "/incidents/INC-2/postmortem", `{"language":"en"}`); status != http.StatusOK {
			t.Fatalf("got %d %s", status, raw)
		}
		english := ask(path)
		for _, want := range []string{
			"Declared as sev", "Status: investigating → identified. Wir kennen den Fehler", "INC-1: Status: investigating → identified. Der Pool ist voll",
			"Alert on what made", "Postmortem of INC-2",
		} {
			if !strings.Contains(english, want) {
				t.Errorf("the English draft does not say %q:\n%s", want, english)
			}
		}
		if exported, _, _ := strings.Cut(h.exportedOf("INC-2"), "\n"); exported != "# Postmortem of INC-2: Angebote fehlen seit heute" {
			t.Errorf("the command writes %q", exported)
		}
	})
}

// exportedOf is what "houston export" prints of an incident.
func (h *house) exportedOf(key string) string {
	h.t.Helper()
	code, document, errs := houston(h.t, h.env, "export", key)
	if code != 0 {
		h.t.Fatalf("export ended with %d: %s", code, errs)
	}
	return document
}

// englishSentences are the formats of the code that the German catalogue
// translates, as patterns of what they make: those with words enough to be told
// from anything else.
func englishSentences(t *testing.T) map[string]*regexp.Regexp {
	t.Helper()
	raw, err := os.ReadFile("../../templates/de.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	verb, word := regexp.MustCompile(`%[a-z]`), regexp.MustCompile(`[A-Za-z]{3,}`)
	patterns := map[string]*regexp.Regexp{}
	for format, translated := range texts {
		if !strings.Contains(format, " ") || format == translated || len(word.FindAllString(verb.ReplaceAllString(format, ""), -1)) < 2 {
			continue
		}
		patterns[format] = regexp.MustCompile("^" + verb.ReplaceAllString(regexp.QuoteMeta(format), ".+") + "$")
	}
	if len(patterns) < 200 {
		t.Fatalf("there are only %d sentences; does this test still know where they stand?", len(patterns))
	}
	return patterns
}

// TestDocumentsUseTheCataloguesWords holds the words of documents to those that
// people read in Slack and on the pages.
func TestDocumentsUseTheCataloguesWords(t *testing.T) {
	t.Parallel()
	text, err := templates.Load("de")
	if err != nil {
		t.Fatal(err)
	}
	same := func(enumeration string, word templates.Word) {
		if got, want := postmortem.German.Value(enumeration, fmt.Sprint(word)), text.Name(word); got != want {
			t.Errorf("a document says %q and Slack %q for %s %v", got, want, enumeration, word)
		}
	}
	for _, w := range incidents.EntryKinds() {
		same("kind", w)
	}
	for _, w := range incidents.Roles() {
		same("role", w)
	}
	for _, w := range incidents.Detections() {
		same("detection", w)
	}
	for _, w := range incidents.PostmortemStates() {
		same("pm", w)
	}
	for _, w := range incidents.ActionStates() {
		same("state", w)
	}
	for _, w := range incidents.Statuses() {
		same("status", w)
	}
	for _, w := range []incidents.NoticeStatus{incidents.NoticeInvestigating, incidents.NoticeIdentified, incidents.NoticeMonitoring, incidents.NoticeResolved} {
		same("notice", w)
	}
}

// TestReasonsAreSpoken: why a file is not there is said in the document's language.
func TestReasonsAreSpoken(t *testing.T) {
	t.Parallel()
	text, err := templates.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2030, 1, 1, 9, 0, 0, 0, time.UTC)
	events := []incidents.Event{
		{Incident: 1, Seq: 1, At: at, RecordedAt: at, Data: incidents.Declared{Title: "A", Severity: incidents.Sev3, Status: incidents.Investigating}},
		{Incident: 1, Seq: 2, At: at, RecordedAt: at, Data: incidents.Noted{Kind: incidents.Evidence, Text: "Kurve", Files: []incidents.File{{ID: "F1", Name: "a.png"}}}},
		{Incident: 1, Seq: 3, At: at, RecordedAt: at, Data: incidents.FileLost{Seq: 2, ID: "F1", Reason: "the file is larger than 32 MB"}},
	}
	inc, err := incidents.Replay(events)
	if err != nil {
		t.Fatal(err)
	}
	doc := postmortem.DraftOf(postmortem.Input{Incident: inc, Events: events, Now: at, Language: postmortem.German, Speaker: speaker{text}})
	if got := doc.Evidence[0].File.Failed; got != "die Datei ist größer als 32 MB" {
		t.Errorf("got %q", got)
	}
}
