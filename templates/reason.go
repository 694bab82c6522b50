package templates

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// reason is a translated format with the pattern of the sentences it makes.
type reason struct {
	pattern *regexp.Regexp
	format  string
}

// verb is one of the verbs that reasons are made with.
var verb = regexp.MustCompile(`%[sdq]`)

// reasonsIn finds the reasons of a language, the longest first, so that a
// special one is found before a general one.
func reasonsIn(texts map[string]string) []reason {
	var formats []string
	for key := range texts {
		if strings.HasPrefix(key, "reason: ") {
			formats = append(formats, key)
		}
	}
	slices.SortFunc(formats, func(a, b string) int { return len(b) - len(a) })
	found := make([]reason, len(formats))
	for i, key := range formats {
		quoted := regexp.QuoteMeta(strings.TrimPrefix(key, "reason: "))
		found[i] = reason{regexp.MustCompile("(?s)^" + verb.ReplaceAllString(quoted, "(.*)") + "$"), texts[key]}
	}
	return found
}

// because gives a stored reason in the catalogue's language, or as it is.
func (c *Catalogue) because(english string) string {
	for _, r := range c.reasons[c.language] {
		m := r.pattern.FindStringSubmatch(english)
		if m == nil {
			continue
		}
		args := make([]any, len(m)-1)
		for i := range args {
			args[i] = m[i+1]
		}
		if len(args) == 0 {
			return r.format
		}
		return fmt.Sprintf(strings.ReplaceAll(r.format, "%d", "%s"), args...)
	}
	return english
}
