package slack

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// TestEveryWordHasAName holds the catalogues to the words of the domain: each
// has a name in each language, and no name is left over.
func TestEveryWordHasAName(t *testing.T) {
	t.Parallel()
	words := map[string]bool{}
	add := func(w templates.Word) { words["word_"+w.Word()] = true }
	for _, w := range incidents.Severities() {
		add(w)
	}
	for _, w := range incidents.Statuses() {
		add(w)
	}
	for _, w := range incidents.NoticeStatuses() {
		add(w)
	}
	for _, w := range incidents.Detections() {
		add(w)
	}
	for _, w := range incidents.Roles() {
		add(w)
	}
	for _, w := range incidents.EntryKinds() {
		add(w)
	}
	for _, w := range incidents.ActionTypes() {
		add(w)
	}
	for _, w := range incidents.Priorities() {
		add(w)
	}
	for _, w := range incidents.PostmortemStates() {
		add(w)
	}
	for _, w := range incidents.ActionStates() {
		add(w)
	}
	for _, w := range incidents.GapStates() {
		add(w)
	}
	for _, w := range incidents.ChangeKinds() {
		add(w)
	}
	for _, w := range incidents.ChangeStates() {
		add(w)
	}
	for _, w := range []incidents.EffectKind{ // the others are told of in phrases
		incidents.MakeChannel, incidents.MakeCard, incidents.MakePin, incidents.MakeTopic, incidents.MakeAnnounce,
		incidents.MakeFile, incidents.MakeOffer,
	} {
		add(w)
	}
	for _, language := range templates.Languages() {
		raw, err := os.ReadFile(filepath.Join("..", "..", "templates", language+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var texts map[string]string
		if err := json.Unmarshal(raw, &texts); err != nil {
			t.Fatal(err)
		}
		for word := range words {
			if texts[word] == "" {
				t.Errorf("%s.json has no %q", language, word)
			}
		}
		for key := range texts {
			if strings.HasPrefix(key, "word_") && !strings.HasPrefix(key, "word_effect_") && !words[key] {
				t.Errorf("%s.json: %q names no word of the domain", language, key)
			}
		}
	}
}

// TestWordsAreUnderstoodAsTheyAreNamed has each word read back from its name in
// each language.
func TestWordsAreUnderstoodAsTheyAreNamed(t *testing.T) {
	t.Parallel()
	for _, language := range templates.Languages() {
		texts, err := templates.Load(language)
		if err != nil {
			t.Fatal(err)
		}
		check := func(w templates.Word, parse func(string) (any, error)) {
			name := texts.Name(w)
			for _, typed := range []string{name, strings.ToUpper(name), " " + name + " ", fmt.Sprint(w)} {
				if got, err := parse(typed); err != nil || got != any(w) {
					t.Errorf("%s: %q was read as %v, %v; want %v", language, typed, got, err, w)
				}
			}
		}
		for _, w := range incidents.Statuses() {
			check(w, func(s string) (any, error) { return incidents.ParseStatus(s) })
		}
		for _, w := range incidents.NoticeStatuses() {
			check(w, func(s string) (any, error) { return incidents.ParseNoticeStatus(s) })
		}
		for _, w := range incidents.Severities() {
			check(w, func(s string) (any, error) { return incidents.ParseSeverity(s) })
		}
		for _, w := range incidents.Roles() {
			check(w, func(s string) (any, error) { return incidents.ParseRole(s) })
		}
		for _, w := range incidents.EntryKinds() {
			check(w, func(s string) (any, error) { return incidents.ParseEntryKind(s) })
		}
	}
}
