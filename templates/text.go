// Package templates holds what Houston says: the catalogues of texts that users
// see, by language. Texts live here and not in code so that they can be read,
// reviewed and translated as a whole.
//
// A catalogue is a JSON object with one key per line. A text names what is
// filled in in braces: "{key} is now {status}".
package templates

import (
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

//go:embed en.json
var files embed.FS

// Markup is a value that is put into a text as it is, without escaping: it is
// markup of the place the text goes to, such as a channel link.
type Markup string

// Catalogue holds the texts of one language.
type Catalogue struct {
	texts  map[string]string
	escape func(string) string
}

// Load reads the catalogue of a language, for example "en".
func Load(language string) (*Catalogue, error) {
	raw, err := files.ReadFile(language + ".json")
	if err != nil {
		return nil, fmt.Errorf("there are no texts in the language %q", language)
	}
	c := &Catalogue{escape: func(s string) string { return s }}
	if err := json.Unmarshal(raw, &c.texts); err != nil {
		return nil, fmt.Errorf("read the texts of language %q: %w", language, err)
	}
	return c, nil
}

// Escaping gives the same texts with every value but Markup passed through
// escape before it is filled in. The texts themselves are markup already.
func (c *Catalogue) Escaping(escape func(string) string) *Catalogue {
	return &Catalogue{texts: c.texts, escape: escape}
}

// placeholder is a name in braces.
var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// Text gives the text of a key with its placeholders filled in: args are pairs
// of a name and a value. A value is never looked at for placeholders. A key or
// name that the catalogue does not have is shown as it is, since half an answer
// helps more than none; a test keeps calls and catalogue in step.
func (c *Catalogue) Text(key string, args ...any) string {
	text, ok := c.texts[key]
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

func (c *Catalogue) value(arg any) string {
	if markup, ok := arg.(Markup); ok {
		return string(markup)
	}
	return c.escape(strings.ToValidUTF8(fmt.Sprint(arg), "\uFFFD"))
}
