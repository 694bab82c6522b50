// Package templates holds what Houston says: the catalogues of texts that users
// see, by language. Texts live here and not in code so that they can be read,
// reviewed and translated as a whole.
//
// A catalogue is a JSON object with one key per line. A text names what is
// filled in in braces: "{key} is now {status}". A text that depends on a number
// has two keys, "name.one" and "name.other", and is filled with {count}. The
// German catalogue has a second part, whose keys are the English sentences that
// the code makes by a format, with the format's verbs: see [Catalogue.Say].
package templates

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

//go:embed en.json de.json
var files embed.FS

// Languages lists the languages that have a catalogue; the first one is that of
// the code.
func Languages() []string { return []string{"en", "de"} }

// Markup is a value that is put into a text as it is, without escaping: it is
// markup of the place the text goes to, such as a channel link.
type Markup string

// Word is a value with a name of its own in each language, such as a status.
type Word interface {
	// Word is the key of the name without its "word_", for example
	// "status_resolved". A word that no catalogue has is shown as it is.
	Word() string
}

// Sentence is a whole sentence that the code makes by a format, such as an
// error. An argument of it may be a Word, or a Sentence again.
type Sentence interface {
	// Sentence gives the English format and its arguments, as for fmt.Sprintf.
	Sentence() (format string, args []any)
}

// Reason is why something failed, as it was stored: an English sentence. It is
// translated by the text "reason: …", which may be a format.
type Reason string

// Catalogue holds the texts of one language.
type Catalogue struct {
	language string
	all      map[string]map[string]string // texts by key, by language
	reasons  map[string][]reason          // by language
	escape   func(string) string
}

// Load reads the catalogues and gives that of a language, for example "en".
func Load(language string) (*Catalogue, error) {
	c := &Catalogue{language: language, all: map[string]map[string]string{}, reasons: map[string][]reason{}, escape: asIs}
	for _, name := range Languages() {
		raw, err := files.ReadFile(name + ".json")
		if err != nil {
			return nil, fmt.Errorf("find the texts of language %q: %w", name, err)
		}
		var texts map[string]string
		if err := json.Unmarshal(raw, &texts); err != nil {
			return nil, fmt.Errorf("read the texts of language %q: %w", name, err)
		}
		c.all[name], c.reasons[name] = texts, reasonsIn(texts)
	}
	if c.all[language] == nil {
		return nil, fmt.Errorf("there are no texts in the language %q; there are %s", language,
			strings.Join(slices.Sorted(maps.Keys(c.all)), ", "))
	}
	return c, nil
}

func asIs(s string) string { return s }

// Language is the catalogue's, for example "en".
func (c *Catalogue) Language() string { return c.language }

// In gives the catalogue in another language, which may also be a locale such
// as "de-DE", with the same escaping. A language without texts changes nothing.
func (c *Catalogue) In(language string) *Catalogue {
	language, _, _ = strings.Cut(strings.ReplaceAll(strings.ToLower(language), "_", "-"), "-")
	if c.all[language] == nil || language == c.language {
		return c
	}
	return &Catalogue{language: language, all: c.all, reasons: c.reasons, escape: c.escape}
}

// Escaping gives the same texts with every value but Markup passed through
// escape before it is filled in. The texts themselves are markup already.
func (c *Catalogue) Escaping(escape func(string) string) *Catalogue {
	return &Catalogue{language: c.language, all: c.all, reasons: c.reasons, escape: escape}
}

// Plain gives the same texts without escaping, for places that take plain text:
// a button, a form's label, a topic.
func (c *Catalogue) Plain() *Catalogue { return c.Escaping(asIs) }

// placeholder is a name in braces.
var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// Text gives the text of a key with its placeholders filled in: args are pairs
// of a name and a value. A value is never looked at for placeholders. A key or
// name that the catalogue does not have is shown as it is, since half an answer
// helps more than none; a test keeps calls and catalogue in step.
func (c *Catalogue) Text(key string, args ...any) string {
	text, ok := c.find(key, args)
	if !ok {
		return key
	}
	if len(args) == 0 {
		return text
	}
	values := map[string]string{}
	for i := 0; i+1 < len(args); i += 2 {
		values["{"+fmt.Sprint(args[i])+"}"] = c.value(args[i+1])
	}
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if value, ok := values[name]; ok {
			return value
		}
		return name
	})
}

// find looks a text up, in the form that the number of things asks for. English
// and German have the same two forms.
func (c *Catalogue) find(key string, args []any) (string, bool) {
	texts := c.all[c.language]
	if text, ok := texts[key]; ok {
		return text, true
	}
	form := ".other"
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] == "count" && fmt.Sprint(args[i+1]) == "1" {
			form = ".one"
		}
	}
	text, ok := texts[key+form]
	return text, ok
}

// Say gives a whole sentence in the catalogue's language, escaped. One that has
// no translation is given in English.
func (c *Catalogue) Say(s Sentence) string { return c.escape(c.say(s)) }

func (c *Catalogue) say(s Sentence) string {
	format, args := s.Sentence()
	if translated, ok := c.all[c.language][format]; ok {
		format = translated
	}
	said := make([]any, len(args))
	for i, arg := range args {
		said[i] = arg
		switch arg := arg.(type) {
		case Sentence:
			said[i] = c.say(arg)
		case Word:
			said[i] = c.word(arg)
		case Reason:
			said[i] = c.because(string(arg))
		}
	}
	if len(said) > 0 {
		format = fmt.Sprintf(format, said...)
	}
	return strings.ToValidUTF8(format, "\uFFFD")
}

// Name gives the name of a word in the catalogue's language, escaped.
func (c *Catalogue) Name(w Word) string { return c.escape(c.word(w)) }

func (c *Catalogue) word(w Word) string {
	if name, ok := c.all[c.language]["word_"+w.Word()]; ok {
		return name
	}
	return fmt.Sprint(w)
}

func (c *Catalogue) value(arg any) string {
	switch arg := arg.(type) {
	case Markup:
		return string(arg)
	case Sentence:
		return c.Say(arg)
	case Word:
		return c.Name(arg)
	case Reason:
		return c.escape(c.because(string(arg)))
	default:
		return c.escape(strings.ToValidUTF8(fmt.Sprint(arg), "\uFFFD"))
	}
}
